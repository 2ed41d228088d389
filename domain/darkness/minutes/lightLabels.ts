import { formatHours } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'

/** The percentage is cut, not rounded: 100 % means that not a minute was missing. */
export function availabilityCut(percent: number): number {
  // The small addition keeps 99.57 from being cut to 99.56 by binary fractions.
  return Math.floor(percent * 100 + 1e-6) / 100
}

/** Returns a dash if nothing is known. */
export const availabilityText = (percent: number | null): string =>
  percent === null ? UNKNOWN_TEXT : `${availabilityCut(percent)} %`

/** Light in off times is null on days that were counted before it was separated from required light. */
export const lightText = (minutes: number | null): string =>
  minutes === null ? 'not counted separately' : formatHours(minutes)

/** Returns `not told apart before 20.11.26`, because a date has no zone. */
export const notToldApartText = (before: LocalDate): string =>
  `not counted separately before ${before.slice(8, 10)}.${before.slice(5, 7)}.${before.slice(2, 4)}`
