import { DAY_MS, MINUTE_MS } from './time.ts'

/** `YYYY-MM-DD` in local time of a display. */
export type LocalDate = string
/** `HH:mm` in local time of a display. */
export type LocalTime = string

/** Clocks always change on a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS
/** A year has 35,040 quarters; beyond this number the cache is cleared. */
const MOST_REMEMBERED_QUARTERS = 40_000

interface Zone {
  readonly format: Intl.DateTimeFormat
  readonly offsetMsByQuarter: Map<number, number>
}

const zones = new Map<string, Zone>()

function zoneNamed(timeZone: string): Zone {
  const known = zones.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const zone = { format, offsetMsByQuarter: new Map<number, number>() }
  zones.set(timeZone, zone)
  return zone
}

function offsetMs(timeZone: string, atMs: number): number {
  const { format, offsetMsByQuarter } = zoneNamed(timeZone)
  const quarter = Math.floor(atMs / QUARTER_MS)
  const known = offsetMsByQuarter.get(quarter)
  if (known !== undefined) return known
  const parts = format.formatToParts(quarter * QUARTER_MS)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value)
  const wallMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  if (offsetMsByQuarter.size >= MOST_REMEMBERED_QUARTERS) offsetMsByQuarter.clear()
  offsetMsByQuarter.set(quarter, wallMs - quarter * QUARTER_MS)
  return wallMs - quarter * QUARTER_MS
}

/** Returns the minutes that local time is ahead of UTC. Throws `RangeError` for a zone that does not exist. */
export const offsetMinutes = (timeZone: string, at: Date): number => offsetMs(timeZone, at.getTime()) / MINUTE_MS

/** Returns local date and time at this moment. Throws `RangeError` for a zone that does not exist. */
export function wallClock(at: Date, timeZone: string): { readonly date: LocalDate; readonly time: LocalTime } {
  const text = new Date(at.getTime() + offsetMs(timeZone, at.getTime())).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 16) }
}

/**
 * Returns the first moment with this local time or a later one on this date. So a time that clocks skip in spring is
 * the moment of the change, and of a time that they repeat in autumn the first one counts.
 */
export function momentOf(date: LocalDate, time: LocalTime, timeZone: string): Date {
  const wallMs = Date.parse(`${date}T${time}Z`)
  const offsetBefore = offsetMs(timeZone, wallMs - DAY_MS)
  const offsetAfter = offsetMs(timeZone, wallMs + DAY_MS)
  if (offsetBefore === offsetAfter) return new Date(wallMs - offsetBefore)
  const changeMs = changeBetween(timeZone, wallMs - DAY_MS, wallMs + DAY_MS)
  const earlyMs = wallMs - offsetBefore
  return new Date(earlyMs < changeMs ? earlyMs : Math.max(changeMs, wallMs - offsetAfter))
}

/** Returns the moment of the change of clocks that lies between the two. */
function changeBetween(timeZone: string, fromMs: number, toMs: number): number {
  const offsetBefore = offsetMs(timeZone, fromMs)
  let before = Math.floor(fromMs / QUARTER_MS)
  let after = Math.ceil(toMs / QUARTER_MS)
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetMs(timeZone, middle * QUARTER_MS) === offsetBefore) before = middle
    else after = middle
  }
  return after * QUARTER_MS
}

/** Returns the date this many days later; earlier when negative. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns 0 for Monday up to 6 for Sunday. */
export function weekdayOf(date: LocalDate): number {
  return (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7
}

export interface OffsetSpan {
  /** This moment is excluded. */
  readonly untilMs: number
  /** Local time is ahead of UTC by this much. */
  readonly offsetMs: number
}

/** Returns the periods between changes of clocks, in order. Clocks change at most once in a UTC day. */
export function offsetSpans(timeZone: string, fromMs: number, toMs: number): readonly OffsetSpan[] {
  const spans: OffsetSpan[] = []
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < toMs; dayMs += DAY_MS) {
    const before = offsetMs(timeZone, dayMs)
    if (before === offsetMs(timeZone, dayMs + DAY_MS)) continue
    const changeMs = changeBetween(timeZone, dayMs, dayMs + DAY_MS)
    if (changeMs > fromMs && changeMs < toMs) spans.push({ untilMs: changeMs, offsetMs: before })
  }
  return [...spans, { untilMs: toMs, offsetMs: offsetMs(timeZone, toMs - 1) }]
}
