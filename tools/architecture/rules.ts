import { BORDER_RULES } from './borderRules.ts'
import { rulesRule } from './citedRules.ts'
import { deadCodeRule } from './deadCodeRule.ts'
import { DOCS_RULES } from './docsRules.ts'
import { FOLDER_RULES } from './folderRules.ts'
import { functionRule } from './functionRule.ts'
import { lockRule } from './lockRule.ts'
import { migrationRule } from './migrationRule.ts'
import { PACKAGE_RULES } from './packageRules.ts'
import type { Module } from './project.ts'
import { PURITY_RULES } from './purityRules.ts'
import type { ArchitectureRule } from './rule.ts'
import { SHAPE_RULES } from './shapeRules.ts'
import { STATEMENT_RULES } from './statementRule.ts'
import { TABLE_RULES } from './tableRules.ts'
import { weightRule } from './weightRule.ts'
import { WORD_RULES } from './wordRules.ts'

/** A checker that reads nothing finds nothing, and everything looks clean. */
const everythingSeen: ArchitectureRule = {
  name: 'everything-seen',
  why: 'the checker sees every module and its imports',
  offences: ({ files, modules, unreadable }) => [
    ...unreadable.map(({ path, line, why }) => ({ path, line, what: `cannot be read: ${why}` })),
    ...(files.length === 0 ? [{ path: '.', line: 1, what: 'has no module at all' }] : []),
    ...files
      .filter(
        (path) => !modules.some((module) => module.path === path) && !unreadable.some((each) => each.path === path),
      )
      .map((path) => ({ path, line: 1, what: 'was not read' })),
    ...modules
      .filter(looksLikeImporting)
      .filter(({ imports }) => imports.length === 0)
      .map(({ path }) => ({ path, line: 1, what: 'imports something that was not seen' })),
  ],
}

/** The text itself is searched, so that a parser that sees nothing is noticed. */
const looksLikeImporting = ({ text }: Module) => /^import\s[^(]*?\sfrom\s+'[^']+'$/m.test(text)

export const ARCHITECTURE_RULES: readonly ArchitectureRule[] = [
  everythingSeen,
  ...BORDER_RULES,
  ...SHAPE_RULES,
  ...FOLDER_RULES,
  functionRule,
  ...WORD_RULES,
  ...PURITY_RULES,
  deadCodeRule,
  lockRule,
  migrationRule,
  ...STATEMENT_RULES,
  weightRule,
  ...TABLE_RULES,
  ...PACKAGE_RULES,
  ...DOCS_RULES,
  rulesRule,
]
