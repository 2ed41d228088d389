import type { Counts } from './counts.ts'
import type { FileTime } from './slowest.ts'

/** Enough to know what failed; the whole of it stands further up. */
const LINES_OF_A_FAILURE = 40

export type Outcome = Readonly<{
  counts: Counts
  /** What a person needs to read when something failed. */
  complaint: string
  /** What a person needs to read in any case. */
  note?: string
  times?: readonly FileTime[]
  /** Files that failed beside the others and passed alone. */
  unsteadyFiles?: readonly string[]
}>

/**
 * What failed, once more at the end of a run: a long run is often read from its end, and its middle may have been cut out.
 */
export const failureLines = (
  stages: readonly { readonly title: string; readonly outcome: Outcome }[],
): readonly string[] =>
  stages.flatMap(({ title, outcome: { counts, complaint } }) =>
    counts.failed === 0 ? [] : [`${title} failed:`, ...complaint.trim().split('\n').slice(0, LINES_OF_A_FAILURE)],
  )
