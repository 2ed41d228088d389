import { HOUR_MS } from '../units/time.ts'

export const STARTS_COUNTED_MS = HOUR_MS

/** An update that is rolled back takes four starts, so that many are no problem. */
export const MOST_USUAL_STARTS = 4

/** Whether a client with this many starts in the last hour does not keep running. */
export const keepsRestarting = (startsInLastHour: number | string | undefined): boolean =>
  Number(startsInLastHour) > MOST_USUAL_STARTS
