import { createRequire } from 'node:module'
import type timeZoneAt from '@photostructure/tz-lookup'

/** The map of all zones is loaded when somebody first asks. */
const require = createRequire(import.meta.url)

/** WGS 84 degrees. */
export interface Position {
  readonly latitude: number | null
  readonly longitude: number | null
}

export interface ZoneOfDevice {
  readonly timeZone: string
  /** Nobody has chosen the zone. */
  readonly timeZoneIsAssumed: boolean
}

/** Returns the IANA zone of a position; at sea the nautical one. */
export const zoneAt = (latitude: number, longitude: number): string =>
  (require('@photostructure/tz-lookup') as typeof timeZoneAt)(latitude, longitude)

/** A zone that nobody has chosen follows from the position, else from the customer's country (rules/devices 8). */
export function assumedZone({ latitude, longitude }: Position, countryZone: string | null): ZoneOfDevice {
  const timeZone = latitude === null || longitude === null ? (countryZone ?? 'UTC') : zoneAt(latitude, longitude)
  return { timeZone, timeZoneIsAssumed: true }
}
