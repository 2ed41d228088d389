import { readSession } from '#console/lib/call/sessionStore.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, momentOf, offsetMinutes, wallClock } from '#domain/units/wallClock.ts'

/** It is undefined where the browser's zone counts. */
export function chosenTimeZone(): string | undefined {
  const chosen = readSession()?.user.timeZone
  // A zone that this browser does not know must not break the page.
  return chosen && isTimeZone(chosen) ? chosen : undefined
}

/** The zone is an IANA name. */
export const viewerTimeZone = (): string => chosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone

export interface ViewersClock {
  /** It is written as `YYYY-MM-DD`. */
  readonly date: string
  /** It is written as `HH:mm:ss`. */
  readonly time: string
  /** It is written as `+01:00`. */
  readonly offset: string
}

const NO_MOMENT = 'Invalid Date'

/** It is for writing a moment by the viewer's clock; use the functions below for arithmetic with days. */
export function onViewersClock(given: Date | string): ViewersClock {
  const at = new Date(given)
  const minutes = minutesAhead(at)
  if (Number.isNaN(minutes)) return { date: NO_MOMENT, time: NO_MOMENT, offset: '' }
  const text = new Date(at.getTime() + minutes * MINUTE_MS).toISOString()
  const size = new Date(Math.abs(minutes) * MINUTE_MS).toISOString().slice(11, 16)
  return { date: text.slice(0, 10), time: text.slice(11, 19), offset: `${minutes < 0 ? '-' : '+'}${size}` }
}

function minutesAhead(at: Date): number {
  const zone = chosenTimeZone()
  return zone === undefined || Number.isNaN(at.getTime()) ? -at.getTimezoneOffset() : offsetMinutes(zone, at)
}

export function startOfViewersDay(at: Date, daysLater = 0): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) return new Date(at.getFullYear(), at.getMonth(), at.getDate() + daysLater)
  return momentOf(addDays(wallClock(at, zone).date, daysLater), '00:00', zone)
}

/** A day that the earlier month does not have is its last one. */
export function startOfViewersDayMonthsBefore(at: Date, months: number): Date {
  const [year = 0, month = 0, day = 0] = onViewersClock(at).date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  const date = new Date(Date.UTC(year, month - 1 - months, Math.min(day, lastDay))).toISOString().slice(0, 10)
  return momentOfField(`${date} 00:00:00`) ?? at
}

export function viewersDaysLater(at: Date, days: number): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) {
    const later = new Date(at)
    later.setDate(at.getDate() + days)
    return later
  }
  const { date, time } = wallClock(at, zone)
  return momentOf(addDays(date, days), time, zone)
}

/** Date fields hold `YYYY-MM-DD HH:mm:ss`. */
export function fieldTextOf(at: Date): string {
  const { date, time } = onViewersClock(at)
  return `${date} ${time}`
}

/** It returns undefined when the text of a date field is no date. */
export function momentOfField(text: string): Date | undefined {
  const zone = chosenTimeZone()
  const [date, time = '00:00'] = text.split(/[ T]/)
  const here = new Date(`${date}T${time}`)
  if (Number.isNaN(here.getTime())) return undefined
  return zone === undefined ? here : momentOf(text.slice(0, 10), text.slice(11, 16) || '00:00', zone)
}
