import { HOUR_MS } from '../units/time.ts'

/** A client counts its starts of this time. */
export const STARTS_COUNTED_MS = HOUR_MS

/** An update that is taken back takes four starts, so that is nothing to worry about any more. */
export const MOST_USUAL_STARTS = 4

/** Whether a client that has started so often in the last hour does not keep running. */
export const keepsRestarting = (startsInLastHour: number | string | undefined): boolean =>
  Number(startsInLastHour) > MOST_USUAL_STARTS
