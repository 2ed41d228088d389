import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { statementsIn } from '#server/db/upgrade/sqlStatements.ts'
import { listFiles, type Module, type Project } from './project.ts'
import type { ArchitectureRule } from './rule.ts'
import { children, type Node, walk } from './syntax.ts'

/** Counts those that each file had before the rule: numbers only decrease, and no file is added. */
const CORRELATED: Readonly<Record<string, number>> = {
  'alertMailRows.ts': 1,
  'alertNotices.ts': 1,
  'alerts.store.ts': 1,
  'candidates.store.ts': 1,
  'assignedReleases.ts': 1,
  'clientRolloutRows.ts': 1,
  'closing.ts': 1,
  'dayCounts.ts': 1,
  'darkMinutes.store.ts': 7,
  'darkRecount.ts': 1,
  'overview.store.ts': 1,
  'deviceClient.store.ts': 1,
  'maintenance.store.ts': 1,
  'releases.store.ts': 1,
  'rollouts.store.ts': 1,
  'seed.store.ts': 2,
  'settingsDocument.ts': 2,
  'settingsVersion.ts': 1,
}

const knownOf = (path: string) => Object.entries(CORRELATED).find(([file]) => path.endsWith(`/${file}`))?.[1] ?? 0

const MIGRATIONS = 'server/db/migrations/'
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

const correlated: ArchitectureRule = {
  name: 'no-correlated-subselects',
  why: 'a subselect on a table of devices names nothing from outside: Citus cannot push it down; join and group instead (docs/decisions/0143)',
  offences: (project) => {
    const tables = tablesOfDevices(project)
    if (tables.size === 0) return []
    return project.modules.filter(isProduct).flatMap((module) => {
      const found = textsIn(module).flatMap(({ text, node }) => correlatedIn(text, tables).map(() => node))
      const allowed = knownOf(module.path)
      if (found.length === allowed) return []
      const line = found.length > 0 ? module.lineOf(found.at(-1) as Node) : 1
      return [{ path: module.path, line, what: `has ${found.length} of them, where ${allowed} are known` }]
    })
  },
}

/** Finds these tables by the column that says whose the rows are. */
function tablesOfDevices({ root }: Project): ReadonlySet<string> {
  const made = listFiles(root)
    .filter((path) => path.startsWith(MIGRATIONS) && path.endsWith('.sql'))
    .flatMap((path) => statementsIn(readFileSync(join(root, path), 'utf8')))
    .map(({ text }) => /^create (?:unlogged )?table (?:if not exists )?(\w+) \(.*\bdevice_id\b/.exec(text)?.[1])
  return new Set(made.filter((name) => name !== undefined))
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

/** These words may follow a table or stand before a dot, and are no name of a table. */
const NO_ALIAS =
  /^(on|using|where|join|left|right|inner|cross|full|order|group|limit|for|union|set|natural|as|values|returning|having|offset|except|intersect|tablesample|select|excluded|new|old)$/

/** Finds subselects on a table of devices that name a table from outside them. */
function correlatedIn(text: string, tables: ReadonlySet<string>): readonly string[] {
  return statementsIn(text)
    .flatMap(({ text: statement }) => subselectsIn(statement))
    .filter((words) => {
      const named = [...words.matchAll(/\b(?:from|join|,)\s+(?:lateral\s+)?(?:only\s+)?(\w+)(?:\s+(?:as\s+)?(\w+))?/g)]
      const known = new Set(
        named.flatMap(([, table = '', alias = '']) => (NO_ALIAS.test(alias) ? [table] : [table, alias])),
      )
      // Names also follow brackets: `(select …) name`, `unnest(…) as name(column)`.
      for (const [, alias = ''] of words.matchAll(/\)\s*(?:as\s+)?(\w+)/g)) known.add(alias)
      for (const [, alias = ''] of words.matchAll(/\b(\w+)\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/g)) known.add(alias)
      const used = [...words.matchAll(/(?<![\w.'"])([a-z_]\w*)\.(?:\w|")/g)].map(([, name = '']) => name)
      return (
        named.some(([, table = '']) => tables.has(table)) &&
        used.some((name) => !known.has(name) && !NO_ALIAS.test(name))
      )
    })
}

/** Returns what stands in brackets that begin with `select`, the innermost included. */
function subselectsIn(statement: string): readonly string[] {
  const found: string[] = []
  const begins: number[] = []
  for (let at = 0; at < statement.length; at++) {
    if (statement[at] === '(') begins.push(at)
    if (statement[at] !== ')') continue
    const words = statement.slice((begins.pop() ?? at) + 1, at).trim()
    if (words.startsWith('select')) found.push(words)
  }
  return found
}

export const STATEMENT_RULES: readonly ArchitectureRule[] = [oneDdl, correlated]
