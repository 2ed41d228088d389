import type { Counts } from './counts.ts'
import type { FileTime } from './slowest.ts'

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
