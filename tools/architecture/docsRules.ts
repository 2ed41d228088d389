import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { listFiles } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

const AREAS = 'contract|domain|server|console|device|testing|tools|trials|e2e|docs'
/** Matches a path of ours between backquotes; one with a placeholder stands for many. */
const PATH = new RegExp(`\`((?:${AREAS})/[\\w./-]+)\``, 'g')
const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g
const INDEX = 'docs/decisions/README.md'

const isOurs = (path: string) => path.endsWith('.md')

/** Makes a rule about each line of what is written for people. */
function textRule(
  name: string,
  why: string,
  judge: (root: string, path: string, line: string) => readonly string[],
): ArchitectureRule {
  return {
    name,
    why,
    offences: ({ root }) =>
      listFiles(root)
        .filter(isOurs)
        .flatMap((path) =>
          readFileSync(join(root, path), 'utf8')
            .split('\n')
            .flatMap((line, index): Offence[] =>
              judge(root, path, line).map((what) => ({ path, line: index + 1, what })),
            ),
        ),
  }
}

const docsLead = textRule(
  'docs-lead-somewhere',
  'a link or a path in what is written for people leads to something: what moves takes its mentions along',
  (root, path, line) => [
    ...[...line.matchAll(LINK)]
      .map(([, to = '']) => to)
      .filter((to) => !/^[a-z]+:/.test(to) && !existsSync(join(root, dirname(path), to)))
      .map((to) => `links to ${to}, which is not there`),
    ...[...line.matchAll(PATH)]
      .map(([, named = '']) => named)
      .filter((named) => !existsSync(join(root, named)))
      .map((named) => `names ${named}, which is not there`),
  ],
)

const indexedDecisions: ArchitectureRule = {
  name: 'decisions-indexed',
  why: `each decision has its line in ${INDEX}, with what was rejected`,
  offences: ({ root }) => {
    const index = existsSync(join(root, INDEX)) ? readFileSync(join(root, INDEX), 'utf8') : ''
    return listFiles(root)
      .filter((path) => /^docs\/decisions\/(?:[\w-]+\/)?\d{4}-/.test(path))
      .filter((path) => !index.includes(`](${path.slice('docs/decisions/'.length)})`))
      .map((path) => ({ path, line: 1, what: `has no line in ${INDEX}` }))
  },
}

export const DOCS_RULES: readonly ArchitectureRule[] = [docsLead, indexedDecisions]
