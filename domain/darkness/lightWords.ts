import { UNKNOWN_TEXT } from '../units/numbers.ts'

/** Cut, not rounded: 100 % is said only where not a minute was missing. A dash where nothing is known. */
export function availabilityText(percent: number | null): string {
  // A hair more, so that 99.57 is not cut to 99.56 by the way computers keep fractions.
  return percent === null ? UNKNOWN_TEXT : `${Math.floor(percent * 100 + 1e-6) / 100} %`
}
