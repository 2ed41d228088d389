import { ROOT } from '../node24.mjs'
import { readProject } from './project.ts'
import { ARCHITECTURE_RULES } from './rules.ts'

// `node tools/architecture/main.ts console server/http` reports only offences there; it still reads everything.
const wanted = process.argv.slice(2)
const isWanted = (path: string) => wanted.length === 0 || wanted.some((start) => path.startsWith(start))

const project = readProject(ROOT)
let count = 0
for (const { name, why, offences } of ARCHITECTURE_RULES) {
  const found = offences(project).filter(({ path }) => isWanted(path))
  if (found.length > 0) console.log(`${name}: ${why}`)
  for (const { path, line, what } of found) console.log(`  ${path}:${line} ${what}`)
  count += found.length
}
console.log(`${ARCHITECTURE_RULES.length} rules, ${project.modules.length} modules, ${count} offences`)
process.exitCode = count > 0 ? 1 : 0
