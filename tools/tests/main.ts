import { parseArgs } from 'node:util'
import { isStopping } from '../children.mjs'
import { withProgress } from '../progress.mjs'
import { type Counts, lastLine, sum } from './counts.ts'
import { STAGES, type Stage } from './stages.ts'

async function runStage({ title, act }: Stage): Promise<Counts> {
  const { counts, complaint } = await withProgress(title, act, describe)
  if (isStopping()) process.exit(130)
  if (counts.failed > 0) console.log(`\n${complaint.trim()}\n`)
  return counts
}

function describe({ counts: { passed, failed, skipped } }: { counts: Counts }): string {
  if (isStopping()) return 'interrupted'
  if (passed + failed + skipped === 0) return 'nothing to test yet'
  return `${failed > 0 ? 'FAILED, ' : ''}${lastLine({ passed, failed, skipped })}${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const wanted = only?.split(',')
const unknown = wanted?.find((name) => !STAGES.some((stage) => stage.name === name))
if (unknown !== undefined) {
  console.error(`There is no stage "${unknown}", only ${STAGES.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

const counted: Counts[] = []
for (const stage of STAGES.filter(({ name }) => wanted?.includes(name) ?? true)) {
  counted.push(await runStage(stage))
}

const total = sum(counted)
console.log(lastLine(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
