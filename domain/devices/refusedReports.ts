import { HOUR_MS } from '../units/time.ts'

/** Reports of a device count as refused for so long after the last one: whoever mended it sees that it is over. */
export const REFUSED_FOR_MS = HOUR_MS

/** What of a device's reports is refused now. */
export interface RefusedReports {
  /** The first of a row of them. */
  readonly since: Date
  readonly lastAt: Date
  /** Why the newest one was, in a sentence for whoever wrote its program. */
  readonly detail: string
}
