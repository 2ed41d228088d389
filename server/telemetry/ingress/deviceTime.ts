import { readRfc3339 } from '#domain/units/rfc3339.ts'
import type { CheckContext } from './payloadJson.ts'

/** A report from further ahead, or from before retention, is stored at receive time and marked (decision 254). */
const BELIEVED_AHEAD_MS = 5 * 60_000

export const isBelievable = ({ nowMs, oldestMs }: CheckContext, atMs: number): boolean =>
  atMs >= oldestMs && atMs <= nowMs + BELIEVED_AHEAD_MS

const digit = (text: string, index: number) => text.charCodeAt(index) - 48
const pair = (text: string, index: number) => digit(text, index) * 10 + digit(text, index + 1)

/** Nearly all reports of a second are of one day, so the start of that day is worked out once. */
let cachedDay = ''
let cachedDayMs = Number.NaN

/** Reads what `readRfc3339` reads, faster for the usual `2026-11-20T10:00:00.000Z`. */
export function readDeviceTimeFast(text: string): number {
  if (text.length !== 24 || !text.startsWith(cachedDay) || cachedDay === '') {
    const at = readRfc3339(text)
    if (USUAL.test(text) && !Number.isNaN(at)) {
      cachedDay = text.slice(0, 11)
      // The start of the day is read and not divided from the time, because a leap second would fall into the next day.
      cachedDayMs = readRfc3339(`${cachedDay}00:00Z`)
    }
    return at
  }
  const hour = pair(text, 11)
  const minute = pair(text, 14)
  const second = pair(text, 17)
  const ms = digit(text, 20) * 100 + pair(text, 21)
  const isUsual =
    hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59 && ms >= 0 && ms <= 999
  if (!isUsual || !USUAL.test(text)) return readRfc3339(text)
  return cachedDayMs + hour * 3_600_000 + minute * 60_000 + second * 1000 + ms
}

const USUAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ$/

/** Writes ISO text, with microseconds where the milliseconds have a fraction. */
export function isoText(ms: number): string {
  const wholeMs = Math.floor(ms)
  const text = new Date(wholeMs).toISOString()
  const microseconds = Math.round((ms - wholeMs) * 1000)
  return microseconds === 0 ? text : `${text.slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`
}
