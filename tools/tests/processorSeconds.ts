import { oneTest } from './counts.ts'
import type { Outcome } from './outcome.ts'

/** `seconds` is undefined where the system does not report them. */
export type StageUse = Readonly<{ title: string; seconds: number | undefined }>

/** Two cores have 1,100 in nine minutes, which is the aim (docs/decisions/0280); other load does not change them. */
export const ALLOWED_SECONDS = 2_000

/** Shows where processor time goes: a stage that waits uses little, however long it takes. */
export function processorLines(uses: readonly StageUse[]): readonly string[] {
  const total = totalSeconds(uses)
  if (total === undefined) return ['Processor seconds: not measured, as this system has no /proc.']
  return [
    `Processor seconds, of which a whole run may use ${ALLOWED_SECONDS}:`,
    ...[...uses, { title: 'in all', seconds: total }].map(
      ({ title, seconds = 0 }) => `${seconds.toFixed(0).padStart(7)}  ${title}`,
    ),
  ]
}

/** A whole run that uses too much fails: then a test becomes a trial, or something else gets faster. */
export function judgeProcessorSeconds(uses: readonly StageUse[]): Outcome {
  const total = totalSeconds(uses) ?? 0
  const isTooMuch = total > ALLOWED_SECONDS
  return {
    counts: oneTest(isTooMuch ? 1 : 0),
    complaint: isTooMuch
      ? `The run used ${total.toFixed(0)} processor seconds, and ${ALLOWED_SECONDS} are the law. Make a test faster, or make a long one a trial.`
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
