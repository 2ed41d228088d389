import type { Condition, Health } from '#domain/darkness/health.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'

export interface MapPin extends Condition {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  /** Both are WGS 84 degrees. */
  readonly latitude: number
  readonly longitude: number
  readonly statusId: number
  readonly connStatusId: number
  readonly activeAlerts: number
  readonly isOnBattery: boolean | null
  readonly lightSince: string | null
  /** The light may have changed earlier than `lightSince`. */
  readonly lightIsAtLeast: boolean
  /** It is null while the device reports. */
  readonly silentSince: string | null
  /** It names why the device is dark, or what is wrong although it is lit. */
  readonly cause: string | null
}

export type Healths = Readonly<Record<Health, number>>

/** The server has counted these devices together, because a browser cannot group that many. */
export interface MapCell {
  readonly latitude: number
  readonly longitude: number
  readonly count: number
  readonly activeAlerts: number
  readonly healths: Healths
}

/** All four are degrees; west is smaller than east. */
export interface MapArea {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export function pinsWithin<Pin extends MapPin>(pins: readonly Pin[], { west, south, east, north }: MapArea): Pin[] {
  return pins.filter(
    ({ latitude, longitude }) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  )
}

export function contains(outer: MapArea, inner: MapArea): boolean {
  return (
    inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north
  )
}

/** It returns the smallest area that holds all pins, or undefined for none. */
export function areaOf(pins: readonly MapPin[]): MapArea | undefined {
  const [first] = pins
  if (!first) return undefined
  let { latitude: south, longitude: west } = first
  let [north, east] = [south, west]
  for (const { latitude, longitude } of pins) {
    if (latitude < south) south = latitude
    if (latitude > north) north = latitude
    if (longitude < west) west = longitude
    if (longitude > east) east = longitude
  }
  return { west, south, east, north }
}
