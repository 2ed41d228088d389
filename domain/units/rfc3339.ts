/** RFC 3339; a blank may replace the T (its section 5.6), and seconds may be left out. */
const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const LONGEST_QUOTED = 64

/**
 * Reads a moment in RFC 3339, with Z or any offset. Digits finer than a millisecond are cut; second 60 of a leap second
 * is the second after it.
 *
 * @returns UTC milliseconds, or NaN for an invalid moment (30 February, 25 o'clock, no offset)
 */
export function readRfc3339(text: string): number {
  const parts = RFC_3339.exec(text)
  if (parts === null) return Number.NaN
  const number = (index: number) => Number(parts[index] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as Six
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const daysInMonth = month === 2 && !isLeapYear ? 28 : (DAYS_IN_MONTH[month - 1] ?? 0)
  if (day < 1 || day > daysInMonth || hour > 23 || minute > 59 || second > 60) return Number.NaN
  const [offsetHours, offsetMinutes] = [number(9), number(10)]
  if (offsetHours > 23 || offsetMinutes > 59) return Number.NaN
  const offsetMs = (parts[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const ms = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3))
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; 400 years have the same days as any other 400.
  const atMs = Date.UTC(year + 400, month - 1, day, hour, minute, second, ms) - FOUR_HUNDRED_YEARS_MS - offsetMs
  // An offset may lead beyond the years with four digits, which could not be written again.
  return atMs < YEAR_1_MS || atMs >= YEAR_10000_MS ? Number.NaN : atMs
}

type Six = [number, number, number, number, number, number]
const FOUR_HUNDRED_YEARS_MS = 146_097 * 86_400_000
const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z')
const YEAR_10000_MS = Date.UTC(10_000, 0)

/** Describes an invalid moment for the developer of the program that sent it. */
export function momentFault(at: unknown): string {
  if (at === undefined || at === null) return `"at" is missing. ${WANTED}`
  if (typeof at === 'number') return `"at" is the number ${at}. ${WANTED}`
  if (typeof at !== 'string') return `"at" is not a text. ${WANTED}`
  const quoted = at.length > LONGEST_QUOTED ? `${at.slice(0, LONGEST_QUOTED)}…` : at
  if (WITHOUT_OFFSET.test(at)) {
    return `"at" is ${quoted}, without an offset. End it with Z for UTC, or with an offset like +02:00.`
  }
  return `"at" is "${quoted}", which is no moment. ${WANTED}`
}

const WANTED = 'Send a text like 2026-11-20T10:00:00.000Z.'
