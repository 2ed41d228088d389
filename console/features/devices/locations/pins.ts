import { compareNames } from '#console/lib/compareNames.ts'
import type { MapArea, MapCell, MapPin } from '#console/ui/map/mapPin.ts'
import type { DevicePins, PinsView } from '#contract/http/devices/pins.ts'
import type { DeviceEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'

/** The pins are sorted by name, and the list beside the map keeps this order. */
export function pinsOf(columns: DevicePins): readonly MapPin[] {
  const { ids, guids, names, latitudes, longitudes, statusIds, connStatusIds, activeAlerts } = columns
  const { lights, lightSince, lightIsAtLeast, wrong, silentSince, onBattery, causes } = columns
  return ids
    .map(
      (id, index): MapPin => ({
        id,
        guid: guids[index] as MapPin['guid'],
        name: names[index] ?? '',
        latitude: latitudes[index] ?? 0,
        longitude: longitudes[index] ?? 0,
        statusId: statusIds[index] ?? 0,
        connStatusId: connStatusIds[index] ?? 0,
        activeAlerts: activeAlerts[index] ?? 0,
        light: lights[index] ?? null,
        lightSince: lightSince[index] ?? null,
        lightIsAtLeast: lightIsAtLeast[index] ?? false,
        wrong: wrong[index] ?? null,
        silentSince: silentSince[index] ?? null,
        isOnBattery: onBattery[index] ?? null,
        cause: causes[index] ?? null,
      }),
    )
    .sort((one, other) => compareNames(one.name, other.name) || one.id - other.id)
}

export function cellsOf({ cells }: PinsView): readonly MapCell[] {
  const { latitudes, longitudes, counts, activeAlerts } = cells
  return counts.map((count, index) => {
    const [dark = 0, silent = 0, warned = 0, unknown = 0, maintained = 0] = [
      cells.dark[index],
      cells.silent[index],
      cells.warned[index],
      cells.unknown[index],
      cells.maintained[index],
    ]
    return {
      latitude: latitudes[index] ?? 0,
      longitude: longitudes[index] ?? 0,
      count,
      activeAlerts: activeAlerts[index] ?? 0,
      healths: {
        dark,
        silent,
        warned,
        unknown,
        maintained,
        fine: count - dark - silent - warned - unknown - maintained,
      },
    }
  })
}

const CLOSEST_ZOOM = 24
const PLACES = 1e5

/** The map may show more than the world, so the requested area is clipped. */
export function askedView({ west, south, east, north }: MapArea, zoom: number) {
  const within = (degrees: number, limit: number) =>
    Math.round(Math.max(-limit, Math.min(limit, degrees)) * PLACES) / PLACES
  return {
    zoom: Math.max(0, Math.min(CLOSEST_ZOOM, Math.round(zoom))),
    west: within(west, 180),
    south: within(south, 90),
    east: within(east, 180),
    north: within(north, 90),
  }
}

/** It returns the same array when nothing looks different, so that nothing is drawn again. */
export function withEvents(pins: readonly MapPin[], events: ReadonlyMap<DeviceId, DeviceEvent>): readonly MapPin[] {
  let hasChanged = false
  const moved = pins.map((pin) => {
    const event = events.get(pin.id)
    if (!event || looksAlike(pin, event)) return pin
    hasChanged = true
    return { ...pin, ...shownOf(event) }
  })
  return hasChanged ? moved : pins
}

/** A pin and its card show only these fields; how long a device has been silent comes with the next answer. */
function shownOf(event: DeviceEvent) {
  const { statusId, connStatusId, activeAlerts, light, lightSince, lightIsAtLeast, isOnBattery, wrong } = event
  const cause = event.lightCause
  return { statusId, connStatusId, activeAlerts, light, lightSince, lightIsAtLeast, cause, isOnBattery, wrong }
}

function looksAlike(pin: MapPin, event: DeviceEvent): boolean {
  const shown = shownOf(event)
  return Object.keys(shown).every((name) => pin[name as keyof typeof shown] === shown[name as keyof typeof shown])
}
