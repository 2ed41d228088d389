import { BORDER_LAWS } from './borderLaws.ts'
import { deadCodeLaw } from './deadCodeLaw.ts'
import { DOCS_LAWS } from './docsLaws.ts'
import { FOLDER_LAWS } from './folderLaws.ts'
import { functionLaw } from './functionLaw.ts'
import type { Law } from './law.ts'
import { lockLaw } from './lockLaw.ts'
import { migrationLaw } from './migrationLaw.ts'
import { PACKAGE_LAWS } from './packageLaws.ts'
import type { Module } from './project.ts'
import { PURITY_LAWS } from './purityLaws.ts'
import { SHAPE_LAWS } from './shapeLaws.ts'
import { STATEMENT_LAWS } from './statementLaw.ts'
import { weightLaw } from './weightLaw.ts'

/** A checker that reads nothing finds nothing, and looks like a clean house. */
const everythingSeen: Law = {
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

/** Asked of the text itself, so that a parser which went blind is noticed. */
const looksLikeImporting = ({ text }: Module) => /^import\s[^(]*?\sfrom\s+'[^']+'$/m.test(text)

export const LAWS: readonly Law[] = [
  everythingSeen,
  ...BORDER_LAWS,
  ...SHAPE_LAWS,
  ...FOLDER_LAWS,
  functionLaw,
  ...PURITY_LAWS,
  deadCodeLaw,
  lockLaw,
  migrationLaw,
  ...STATEMENT_LAWS,
  weightLaw,
  ...PACKAGE_LAWS,
  ...DOCS_LAWS,
]
