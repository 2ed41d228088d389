import Holidays from 'date-holidays'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Holiday } from './holidayDefaults.ts'

/** This program prints the public holidays of a country in some years as JSON (holidayDefaults.ts). */

/** Half a day, such as the afternoon before a feast, is a workday for a display. */
const SHORTEST_DAY_HOURS = 20
const LONGEST_NAME = 200

export function libraryHolidays(isoCode: string, year: number): readonly Holiday[] {
  const library = new Holidays(isoCode, { languages: ['en'], types: ['public'] })
  const byDate = new Map<string, string[]>()
  for (const { date, start, end, name, type } of library.getHolidays(year) ?? []) {
    if (type !== 'public') continue
    for (const day of daysOf(date, (end.getTime() - start.getTime()) / HOUR_MS)) {
      byDate.set(day, [...new Set([...(byDate.get(day) ?? []), name])])
    }
  }
  return [...byDate]
    .map(([date, names]) => ({ date, name: names.join(' / ').slice(0, LONGEST_NAME) }))
    .filter(({ date }) => date.startsWith(`${year}-`))
    .sort((a, b) => a.date.localeCompare(b.date))
}

/** Returns the days of a feast; the hour that the clocks lose in spring does not shorten it. */
function daysOf(firstDay: string, hours: number): string[] {
  if (hours < SHORTEST_DAY_HOURS) return []
  const first = Date.parse(`${firstDay.slice(0, 10)}T00:00:00Z`)
  const days = Math.max(1, Math.floor((hours + 1) / 24))
  return Array.from({ length: days }, (_, index) => new Date(first + index * 24 * HOUR_MS).toISOString().slice(0, 10))
}

if (import.meta.main) {
  const [isoCode = '', ...years] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(years.map((year) => libraryHolidays(isoCode, Number(year)))))
}
