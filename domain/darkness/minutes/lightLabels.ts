import { formatHours } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'

/** Cut, not rounded: 100 % is said only where not a minute was missing. */
export function availabilityCut(percent: number): number {
  // A hair more, so that 99.57 is not cut to 99.56 by the way computers keep fractions.
  return Math.floor(percent * 100 + 1e-6) / 100
}

/** A dash where nothing is known. */
export const availabilityText = (percent: number | null): string =>
  percent === null ? UNKNOWN_TEXT : `${availabilityCut(percent)} %`

/** Light in off times of days that were counted before it was told apart from light that was owed is null. */
export const lightText = (minutes: number | null): string =>
  minutes === null ? 'not counted separately' : formatHours(minutes)

/** `not told apart before 20.11.26`: a date has no zone. */
export const notToldApartText = (before: LocalDate): string =>
  `not counted separately before ${before.slice(8, 10)}.${before.slice(5, 7)}.${before.slice(2, 4)}`
