import { DEFAULT_VIEW, type MapView } from '#console/ui/map/mapViews.ts'
import type { UserId } from '#domain/ids.ts'

// The view is kept for the life of the tab: whoever comes back from a device finds the map as they left it, and a new
// tab starts afresh.
const keyOf = (userId: UserId) => `wayside.locations.view.${userId}`

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= limit

const PLACES = 4
const QUARTERS = 4

export function placeText({ latitude, longitude, zoom }: MapView): string {
  const [north, east] = [latitude, longitude].map((degrees) => Number(degrees.toFixed(PLACES)))
  return [north, east, Math.round(zoom * QUARTERS) / QUARTERS].join('_')
}

export function viewOfPlace(text: string | undefined): MapView | undefined {
  const [latitude, longitude, zoom] = text?.split('_').map(Number) ?? []
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined
  return { latitude, longitude, zoom }
}

/** It returns the last view of the map in this tab, otherwise the default (rules/map 1). */
export function readMapView(userId: UserId): MapView {
  try {
    const { latitude, longitude, zoom } = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '{}') as Partial<MapView>
    if (!isWithin(latitude, 90) || !isWithin(longitude, 180) || !isWithin(zoom, 20)) return DEFAULT_VIEW
    return { latitude, longitude, zoom }
  } catch {
    return DEFAULT_VIEW
  }
}

export function rememberMapView(userId: UserId, view: MapView) {
  sessionStorage.setItem(keyOf(userId), JSON.stringify(view))
}
