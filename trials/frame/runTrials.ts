import { type Chosen, type Kind, readArguments, repeatOf, usageOf } from './arguments.ts'
import { Premises } from './premises.ts'
import { Run } from './Run.ts'
import type { Trial } from './trial.ts'

/** Runs the program of one kind: `npm run KIND -- NAME [OPTION …]`. */
export async function runTrials(kind: Kind, trials: readonly Trial[]): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  const given = process.argv.slice(2)
  const chosen = choose(kind, trials, given)
  if (chosen === undefined) return
  const premises = await Premises.open(kind === 'campaign')
  const failed: string[] = []
  for (const each of chosen) if (!(await isKept(kind, each, premises))) failed.push(each.trial.name)
  console.log(`${chosen.length - failed.length} passed, ${failed.length} failed`)
  // What a trial left open must not keep its process.
  process.exit(failed.length > 0 ? 1 : 0)
}

function choose(kind: Kind, trials: readonly Trial[], given: readonly string[]): readonly Chosen[] | undefined {
  if (given.length === 0 || given[0] === '--help') {
    console.log(usageOf(kind, trials))
    return undefined
  }
  try {
    return readArguments(kind, trials, given)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
    return undefined
  }
}

async function isKept(kind: Kind, chosen: Chosen, premises: Premises): Promise<boolean> {
  console.log(`${repeatOf(kind, chosen)}\n${chosen.trial.proves}\n`)
  const beganAt = performance.now()
  const run = new Run(chosen.values, premises)
  try {
    await chosen.trial.run(run)
  } catch (error) {
    run.wrong(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  const wrong = await run.end()
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1)
  console.log(`\n${chosen.trial.name}: ${wrong.length === 0 ? 'passed' : `${wrong.length} wrong`} (${seconds} s)`)
  if (wrong.length > 0) console.log(`Again: ${repeatOf(kind, chosen)}`)
  return wrong.length === 0
}
