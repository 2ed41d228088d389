import { isTimeZone } from '#domain/units/timeZones.ts'

/** `Intl` also accepts offsets such as `+02:00`, which have no daylight saving, and names in any case. */
const ZONE_NAME = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/

/** Whether an operator may give a device this time zone: the name of an IANA zone. */
export function isTimeZoneName(name: string): boolean {
  return ZONE_NAME.test(name) && isTimeZone(name)
}
