import type { Counts } from './counts.ts'
import type { FileTime } from './slowest.ts'

/** These lines suffice to know what failed; the rest stands further up. */
const LINES_OF_A_FAILURE = 40

export type Outcome = Readonly<{
  counts: Counts
  complaint: string
  /** The text to read in any case. */
  note?: string
  times?: readonly FileTime[]
  /** Files that failed beside the others and passed alone. */
  unsteadyFiles?: readonly string[]
}>

/** Repeats failures at the end of a run: a long run is often read from its end, and its middle may be cut out. */
export const failureLines = (
  stages: readonly { readonly title: string; readonly outcome: Outcome }[],
): readonly string[] =>
  stages.flatMap(({ title, outcome: { counts, complaint } }) =>
    counts.failed === 0 ? [] : [`${title} failed:`, ...complaint.trim().split('\n').slice(0, LINES_OF_A_FAILURE)],
  )
