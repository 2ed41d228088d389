const ISO_UTC = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?Z$/
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Strict ISO 8601 UTC, as `contract/mqtt/report.ts` has it. Digits finer than a millisecond are cut.
 *
 * @returns milliseconds, or NaN for what is no such moment (30 February, 25 o'clock, an offset)
 */
export function readDeviceTime(text: string): number {
  const parts = ISO_UTC.exec(text)
  if (parts === null) return Number.NaN
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((part) => Number(parts[part] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const daysInMonth = month === 2 && !isLeapYear ? 28 : (DAYS_IN_MONTH[month - 1] ?? 0)
  if (day < 1 || day > daysInMonth || hour > 23 || minute > 59 || second > 59) return Number.NaN
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  if (year < 100) return Date.UTC(year + 400, month - 1, day) - 400 * 365.2425 * 86_400_000
  return Date.UTC(year, month - 1, day, hour, minute, second, Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3)))
}

const digit = (text: string, index: number) => text.charCodeAt(index) - 48
const pair = (text: string, index: number) => digit(text, index) * 10 + digit(text, index + 1)

/** Milliseconds of the current day are cheap to work out, and nearly all reports of a second are of one day. */
let cachedDay = ''
let cachedDayMs = Number.NaN

/** `readDeviceTime`, fast for the usual `2026-11-20T10:00:00.000Z`. */
export function readDeviceTimeFast(text: string): number {
  if (text.length !== 24 || !text.startsWith(cachedDay) || cachedDay === '') {
    const at = readDeviceTime(text)
    if (text.length === 24 && !Number.isNaN(at)) {
      cachedDay = text.slice(0, 11)
      cachedDayMs = Math.floor(at / 86_400_000) * 86_400_000
    }
    return at
  }
  const hour = pair(text, 11)
  const minute = pair(text, 14)
  const second = pair(text, 17)
  const ms = digit(text, 20) * 100 + pair(text, 21)
  const isUsual =
    hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && ms >= 0 && ms <= 999
  if (!isUsual || !USUAL_CLOCK.test(text)) return readDeviceTime(text)
  return cachedDayMs + hour * 3_600_000 + minute * 60_000 + second * 1000 + ms
}

const USUAL_CLOCK = /^.{11}\d\d:\d\d:\d\d\.\d\d\dZ$/

/** ISO text with the microseconds that a fraction stands for. */
export function isoText(ms: number): string {
  const wholeMs = Math.floor(ms)
  const text = new Date(wholeMs).toISOString()
  const microseconds = Math.round((ms - wholeMs) * 1000)
  return microseconds === 0 ? text : `${text.slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`
}
