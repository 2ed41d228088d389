import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { listFiles } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

const RULES = 'docs/rules'
const READ = /\.(ts|tsx|js|mjs|md|css|sql)$/
/** Matches `rules/setup 4`, but no path such as docs/rules/setup.md. */
const CITATION = /(?<![\w/-])rules\/([a-z]+)(?: (\d+))?/g
/** Earlier citations named documents that are not in the repository. */
const DEAD = /\bP[12] §|\bdecisions: [A-Z]|[(]decisions:|[(]issue: [A-Z]|[(,] ?design: [A-Z]/
const RULE = /^\*\*(\d+)\.\*\* /
/** A released migration is never edited, so these two keep what they cite. */
const RELEASED = ['server/db/migrations/0012_people.sql', 'server/db/migrations/0026_what_is_wrong_now.sql']

interface RulesPage {
  readonly numbers: ReadonlySet<string>
  readonly offences: readonly Offence[]
}

function readPage(root: string, name: string): RulesPage {
  const path = join(RULES, name)
  const numbers = new Set<string>()
  const offences = readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index): Offence[] => {
      const number = RULE.exec(line)?.[1]
      if (number === undefined) return []
      if (numbers.has(number)) return [{ path, line: index + 1, what: `has a second rule ${number}` }]
      numbers.add(number)
      return []
    })
  return { numbers, offences }
}

export const rulesRule: ArchitectureRule = {
  name: 'cited-rules',
  why: `a citation leads to a numbered rule in ${RULES}, for a reader who has only the repository`,
  offences: ({ root }) => {
    const names = existsSync(join(root, RULES)) ? readdirSync(join(root, RULES)) : []
    const pages = new Map(names.map((name) => [name.replace('.md', ''), readPage(root, name)]))
    const wrongIn = (line: string): readonly string[] => [
      ...(DEAD.test(line) ? ['cites a document that is not in the repository'] : []),
      ...[...line.matchAll(CITATION)]
        .filter(([, page = '', number = '']) => !pages.get(page)?.numbers.has(number))
        .map(([citation]) => `cites ${citation}, which is not there`),
    ]
    const cited = listFiles(root)
      .filter((path) => READ.test(path) && !RELEASED.includes(path))
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => wrongIn(line).map((what): Offence => ({ path, line: index + 1, what }))),
      )
    return [...[...pages.values()].flatMap(({ offences }) => offences), ...cited]
  },
}
