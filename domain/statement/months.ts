import { addDays, type LocalDate } from '#domain/units/wallClock.ts'

/** A month of the calendar, as `2026-10`. */
export type Month = string

export const firstOf = (month: Month): LocalDate => `${month}-01`
export const lastOf = (month: Month): LocalDate => addDays(firstOf(monthAfter(month, 1)), -1)

export function monthAfter(month: Month, months: number): Month {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}
