import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, type Project } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

const NAMES = 'server/db/advisoryLocks.ts'
/** Landed migrations are never edited. */
const LANDED = ['server/db/migrations/0011_overview.sql']
const LOCKING = /\bpg_(?:try_)?advisory_\w*lock\w*/
const NUMBER = /^\s+\w+: ([\d_]+),$/gm

export const lockRule: ArchitectureRule = {
  name: 'locks-by-name',
  why: `advisory locks are taken by their names in ${NAMES}: under a number elsewhere strangers wait for each other`,
  offences: (project) => {
    const numbers = numbersIn(project)
    return [...textsOf(project)].flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index): Offence[] => {
        const what = judge(line, numbers)
        return what === undefined ? [] : [{ path, line: index + 1, what }]
      }),
    )
  },
}

function judge(line: string, numbers: ReadonlySet<number>): string | undefined {
  const [locking] = LOCKING.exec(line) ?? []
  if (locking !== undefined) return `calls ${locking}`
  const number = (line.match(/(?<![\w.])\d[\d_]*(?![\w.])/g) ?? []).map(toNumber).find((each) => numbers.has(each))
  return number === undefined ? undefined : `has the number of a lock, ${number}`
}

const toNumber = (text: string) => Number(text.replaceAll('_', ''))

function numbersIn({ moduleAt }: Project): ReadonlySet<number> {
  return new Set([...(moduleAt(NAMES)?.text ?? '').matchAll(NUMBER)].map(([, number = '']) => toNumber(number)))
}

/** Statements outside modules count too, because a statement may be put together anywhere. */
function textsOf({ root, modules }: Project): ReadonlyMap<string, string> {
  const statements = listFiles(root).filter((path) => path.endsWith('.sql') && !LANDED.includes(path))
  return new Map([
    ...modules
      .filter(({ path }) => path !== NAMES && !path.startsWith('tools/architecture/'))
      .map(({ path, text }) => [path, text] as const),
    ...statements.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  ])
}
