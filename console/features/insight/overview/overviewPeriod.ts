import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'

/** The period where none is given (rules/overview 7). */
const PERIOD_MS = 7 * DAY_MS

/** The last seven days, to the end of this hour, so that what is asked within it is the same question. */
export function overviewPeriod(nowMs: number) {
  const untilMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  return { dateFrom: new Date(untilMs - PERIOD_MS).toISOString(), dateTo: new Date(untilMs).toISOString() }
}
