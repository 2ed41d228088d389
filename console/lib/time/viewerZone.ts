import dayjs, { type Dayjs } from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, momentOf, offsetMinutes, wallClock } from '#domain/units/wallClock.ts'

dayjs.extend(utc)

/** `YYYY-MM-DD HH:mm:ss`, as fields for dates hold it. */
const FIELD = 'YYYY-MM-DD HH:mm:ss'

/** The zone that the viewer has chosen; undefined: that of the browser. */
export function chosenTimeZone(): string | undefined {
  const chosen = readSession()?.user.timeZone
  // A zone that this browser does not know yet is no reason to show nothing.
  return chosen && isTimeZone(chosen) ? chosen : undefined
}

/** IANA name of the zone in which the viewer sees times. */
export const viewerTimeZone = (): string => chosenTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment as the viewer's clock shows it, to be written; for reckoning with days there are the functions below. */
export function onViewersClock(at: Date | string): Dayjs {
  const zone = chosenTimeZone()
  return zone === undefined ? dayjs(at) : dayjs(at).utcOffset(offsetMinutes(zone, new Date(at)))
}

/** The start of the viewer's day, or of one so many days later. */
export function startOfViewersDay(at: Date, daysLater = 0): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) return dayjs(at).startOf('day').add(daysLater, 'day').toDate()
  return momentOf(addDays(wallClock(at, zone).date, daysLater), '00:00', zone)
}

/** The start of the day that has the same date so many months earlier. */
export function startOfViewersDayMonthsBefore(at: Date, months: number): Date {
  const date = dayjs(onViewersClock(at).format('YYYY-MM-DD')).subtract(months, 'month').format('YYYY-MM-DD')
  return momentOfField(`${date} 00:00:00`) ?? at
}

/** The same time of the viewer's clock so many days later. */
export function viewersDaysLater(at: Date, days: number): Date {
  const zone = chosenTimeZone()
  if (zone === undefined) return dayjs(at).add(days, 'day').toDate()
  const { date, time } = wallClock(at, zone)
  return momentOf(addDays(date, days), time, zone)
}

export const fieldTextOf = (at: Date): string => onViewersClock(at).format(FIELD)

/** What somebody chose in a field for dates; undefined when it is no date. */
export function momentOfField(text: string): Date | undefined {
  const zone = chosenTimeZone()
  const parsed = dayjs(text)
  if (!parsed.isValid()) return undefined
  return zone === undefined ? parsed.toDate() : momentOf(text.slice(0, 10), text.slice(11, 16) || '00:00', zone)
}
