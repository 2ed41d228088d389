import { isTimeZone } from '#domain/units/timeZones.ts'
import { wallClock } from '#domain/units/wallClock.ts'

/** Formats as the console does, e.g. `23.11.26 13:34:05 (Europe/Prague)`; in UTC when the zone is unknown. */
export function localTime(at: Date, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const { date, time } = wallClock(at, zone)
  const seconds = String(at.getUTCSeconds()).padStart(2, '0')
  return `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(2, 4)} ${time}:${seconds} (${zone})`
}
