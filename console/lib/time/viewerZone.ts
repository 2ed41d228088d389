import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, momentOf, offsetMinutes, wallClock } from '#domain/units/wallClock.ts'

dayjs.extend(utc)

/** Date fields hold `YYYY-MM-DD HH:mm:ss`. */
const FIELD = 'YYYY-MM-DD HH:mm:ss'

/** It is undefined where the browser's zone counts. */
export function chosenTimeZone(): string | undefined {
  const chosen = readSession()?.user.timeZone
  // A zone that this browser does not know must not break the page.
  return chosen && isTimeZone(chosen) ? chosen : undefined
}

/** The zone is an IANA name. */
export const viewerTimeZone = (): string => chosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** It is for writing a moment by the viewer's clock; use the functions below for arithmetic with days. */
export function onViewersClock(at: Date | string): Dayjs {
  const zone = chosenTimeZone()
  return zone === undefined ? dayjs(at) : dayjs(at).utcOffset(offsetMinutes(zone, new Date(at)))
}

export function startOfViewersDay(at: Date, daysLater = 0): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) return dayjs(at).startOf('day').add(daysLater, 'day').toDate()
  return momentOf(addDays(wallClock(at, zone).date, daysLater), '00:00', zone)
}

export function startOfViewersDayMonthsBefore(at: Date, months: number): Date {
  const date = dayjs(onViewersClock(at).format('YYYY-MM-DD')).subtract(months, 'month').format('YYYY-MM-DD')
  return momentOfField(`${date} 00:00:00`) ?? at
}

export function viewersDaysLater(at: Date, days: number): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) return dayjs(at).add(days, 'day').toDate()
  const { date, time } = wallClock(at, zone)
  return momentOf(addDays(date, days), time, zone)
}

export const fieldTextOf = (at: Date): string => onViewersClock(at).format(FIELD)

/** It returns undefined when the text of a date field is no date. */
export function momentOfField(text: string): Date | undefined {
  const zone = chosenTimeZone()
  const parsed = dayjs(text)
  if (!parsed.isValid()) return undefined
  return zone === undefined ? parsed.toDate() : momentOf(text.slice(0, 10), text.slice(11, 16) || '00:00', zone)
}
