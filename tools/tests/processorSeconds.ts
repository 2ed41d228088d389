import { oneTest } from './counts.ts'
import type { Outcome } from './outcome.ts'
import { isComparable } from './ProcessorSpeed.ts'

/** `seconds` is undefined where the system does not report them. */
export type StageUse = Readonly<{ title: string; seconds: number | undefined }>

/** Two cores have 1,100 in nine minutes, which is the aim (docs/decisions/0280). */
export const ALLOWED_SECONDS = 2_400

/** Shows where processor time goes: a stage that waits uses little, however long it takes. */
export function processorLines(uses: readonly StageUse[], timesSlower: number): readonly string[] {
  const total = totalSeconds(uses)
  if (total === undefined) return ['Processor seconds: not measured, as this system has no /proc.']
  return [
    `Processor seconds, of which a whole run may use ${ALLOWED_SECONDS}:`,
    ...[...uses, { title: 'in all', seconds: total }].map(
      ({ title, seconds = 0 }) => `${seconds.toFixed(0).padStart(7)}  ${title}`,
    ),
    ...speedLines(total, timesSlower),
  ]
}

function speedLines(total: number, timesSlower: number): readonly string[] {
  const slower = `this machine was ${timesSlower.toFixed(1)} times slower than the one of the limit.`
  if (!isComparable(timesSlower)) return [`They are not judged: ${slower}`]
  return timesSlower > 1 ? [`They count as ${judged(total, timesSlower).toFixed(0)}: ${slower}`] : []
}

/** The same work takes more seconds on a slower or a busy machine. */
const judged = (seconds: number, timesSlower: number) => seconds / Math.max(1, timesSlower)

/**
 * A whole run that uses too much fails: then a test becomes a trial, or something else gets faster. What is counted are
 * seconds of the machine of the limit; of one that is much slower nothing is judged.
 */
export function judgeProcessorSeconds(uses: readonly StageUse[], timesSlower: number): Outcome {
  const total = judged(totalSeconds(uses) ?? 0, timesSlower)
  const isTooMuch = total > ALLOWED_SECONDS && isComparable(timesSlower)
  return {
    counts: oneTest(isTooMuch ? 1 : 0),
    complaint: isTooMuch
      ? `The run used ${total.toFixed(0)} processor seconds, and may use ${ALLOWED_SECONDS}. Make a test faster, or make a long one a trial.`
      : '',
  }
}

function totalSeconds(uses: readonly StageUse[]): number | undefined {
  let total = 0
  for (const { seconds } of uses) {
    if (seconds === undefined) return undefined
    total += seconds
  }
  return total
}
