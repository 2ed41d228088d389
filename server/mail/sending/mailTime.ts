import { isTimeZone } from '#domain/units/timeZones.ts'
import { wallClock } from '#domain/units/wallClock.ts'

/** As the console writes it, e.g. `23.11.26 13:34:05 (Europe/Prague)`; in UTC where nobody knows the zone. */
export function localTime(at: Date, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC'
  const { date, time } = wallClock(at, zone)
  const seconds = String(at.getUTCSeconds()).padStart(2, '0')
  return `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(2, 4)} ${time}:${seconds} (${zone})`
}
