import { HOUR_MS } from '../units/time.ts'

/** A device's reports count as refused for this long after the last one, so that whoever repaired it sees the end. */
export const REFUSED_FOR_MS = HOUR_MS

export interface RefusedReports {
  /** The first of consecutive refusals. */
  readonly since: Date
  readonly lastAt: Date
  /** The reason for the newest refusal, in a sentence for the developer of its client. */
  readonly detail: string
}
