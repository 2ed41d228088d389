import { isStopping } from '../children.mjs'
import { withProgress } from '../progress.mjs'
import { readArguments } from './arguments.ts'
import { runChanged, runChosen, watchEdits } from './chosen.ts'
import { type Counts, lastLine, sum } from './counts.ts'
import { failureLines, type Outcome } from './outcome.ts'
import { ProcessorSpeed } from './ProcessorSpeed.ts'
import { ProcessorTime } from './ProcessorTime.ts'
import { judgeProcessorSeconds, processorLines, type StageUse } from './processorSeconds.ts'
import { forgetCompiled } from './runners.ts'
import { unsteadyLines } from './secondLook.ts'
import { slowestFiles } from './slowest.ts'
import { STAGES, type Stage } from './stages.ts'

async function runStage({ title, act }: Stage): Promise<Outcome> {
  const outcome = await withProgress(title, act, describe)
  const { counts, complaint, unsteadyFiles = [] } = outcome
  if (isStopping()) process.exit(130)
  if (counts.failed > 0 || unsteadyFiles.length > 0) console.log(`\n${complaint.trim()}\n`)
  return outcome
}

function describe({ counts: { passed, failed, skipped }, note }: Outcome): string {
  if (isStopping()) return 'interrupted'
  if (passed + failed + skipped === 0) return 'nothing to test yet'
  return `${failed > 0 ? 'FAILED, ' : ''}${lastLine({ passed, failed, skipped })}${skipped > 0 ? `, ${skipped} skipped` : ''}${note === undefined ? '' : `, ${note}`}`
}

async function runStages(stages: readonly Stage[]): Promise<Counts> {
  const ran: { readonly title: string; readonly outcome: Outcome }[] = []
  const uses: StageUse[] = []
  const time = new ProcessorTime()
  const speed = new ProcessorSpeed()
  let before = 0
  for (const stage of stages) {
    ran.push({ title: stage.title, outcome: await runStage(stage) })
    const now = time.seconds()
    uses.push({ title: stage.title, seconds: now === undefined ? undefined : now - before })
    before = now ?? 0
  }
  time.stop()
  const timesSlower = speed.stop()
  if (stages === STAGES) ran.push({ title: 'Processor seconds', outcome: judgeProcessorSeconds(uses, timesSlower) })
  const outcomes = ran.map(({ outcome }) => outcome)
  for (const line of unsteadyLines(outcomes.flatMap(({ unsteadyFiles = [] }) => unsteadyFiles))) console.log(line)
  for (const line of slowestFiles(outcomes.flatMap(({ times = [] }) => times))) console.log(line)
  for (const line of processorLines(uses, timesSlower)) console.log(line)
  for (const line of failureLines(ran)) console.log(line)
  return sum(outcomes.map(({ counts }) => counts))
}

function chooseStages(only: string | undefined): readonly Stage[] {
  if (only === undefined) return STAGES
  const wanted = only.split(',')
  const unknown = wanted.find((name) => !STAGES.some((stage) => stage.name === name))
  if (unknown !== undefined) {
    throw new Error(`There is no stage "${unknown}", only ${STAGES.map(({ name }) => name).join(', ')}.`)
  }
  return STAGES.filter(({ name }) => wanted.includes(name))
}

async function runAll(only: string | undefined): Promise<number> {
  if (only === undefined) forgetCompiled()
  const total = await runStages(chooseStages(only))
  console.log(lastLine(total))
  return total.failed > 0 || total.passed === 0 ? 1 : 0
}

/** The quick checks come first: after a finding of theirs a test run is seldom worth it. */
async function runWhatChanged(commit: string, takesAll: boolean): Promise<number> {
  const { failed } = await runStages(chooseStages('types,lint,architecture'))
  return failed > 0 ? 1 : runChanged(commit, takesAll)
}

try {
  const { paths, title, only, changedSince, watches, takesAll } = readArguments(process.argv.slice(2))
  if (watches) process.exitCode = await watchEdits({ paths, title, takesAll })
  else if (paths.length > 0) process.exitCode = await runChosen({ paths, title, takesAll })
  else if (changedSince !== undefined) process.exitCode = await runWhatChanged(changedSince, takesAll)
  else process.exitCode = await runAll(only)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
