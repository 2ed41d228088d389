import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'

/** It is the period where none is given (rules/overview 7). */
const PERIOD_MS = 7 * DAY_MS

/** The seven days end with this hour, so that queries within it stay the same. */
export function overviewPeriod(nowMs: number) {
  const untilMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS
  return { dateFrom: new Date(untilMs - PERIOD_MS).toISOString(), dateTo: new Date(untilMs).toISOString() }
}
