import { statementsIn } from '#server/db/upgrade/sqlStatements.ts'
import type { Module } from './project.ts'
import type { ArchitectureRule } from './rule.ts'
import { children, type Node, walk } from './syntax.ts'

const DDL = /^\s*(create|alter|drop)\s+(table|index|unique index|unlogged)\b/i

const isProduct = ({ path, isTest }: Module) => path.startsWith('server/') && !isTest

const oneDdl: ArchitectureRule = {
  name: 'one-ddl-a-query',
  why: 'what makes, changes or drops a table is a query of its own: Citus takes no more than one (docs/decisions/0143)',
  offences: ({ modules }) =>
    modules.filter(isProduct).flatMap((module) =>
      textsIn(module)
        .filter(({ text }) => statementsIn(text).some((each) => DDL.test(each.text)) && statementsIn(text).length > 1)
        .map(({ node }) => ({
          path: module.path,
          line: module.lineOf(node),
          what: 'asks for more than one statement',
        })),
    ),
}

/** Returns every text of a module, with a gap for each inserted value. */
function textsIn({ program }: Module): readonly { readonly text: string; readonly node: Node }[] {
  const found: { text: string; node: Node }[] = []
  walk(program, (node) => {
    if (node.type === 'TemplateLiteral') {
      const parts = children(node, 'quasis').map((part) => (part.value as { cooked?: string }).cooked ?? '')
      found.push({ text: parts.join(' $0 '), node })
    }
    if (node.type === 'Literal' && typeof node.value === 'string') found.push({ text: node.value, node })
  })
  return found
}

export const STATEMENT_RULES: readonly ArchitectureRule[] = [oneDdl]
