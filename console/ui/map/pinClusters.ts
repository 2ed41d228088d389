import Supercluster from 'supercluster'
import { type Health, healthOf } from '#domain/darkness/health.ts'
import type { Healths, MapArea, MapCell, MapPin } from './mapPin.ts'

const CLUSTER_RADIUS_PX = 56
const TILE_PX = 256
/** It exceeds every zoom of the map, so that devices at one place stay one cluster at the closest zoom. */
const CLUSTERED_TO_ZOOM = 20
/** The projection of the map ends here: a pin beyond could never be reached. */
const LARGEST_LATITUDE = 85.05

export interface PinCluster {
  readonly clusterId: number
  readonly latitude: number
  readonly longitude: number
  readonly count: number
  readonly activeAlerts: number
  readonly healths: Healths
}

export type Shown =
  | { readonly kind: 'pin'; readonly pin: MapPin }
  | { readonly kind: 'cluster'; readonly cluster: PinCluster }

export interface PinClusters {
  readonly within: (area: MapArea, zoom: number) => Shown[]
  /** It returns the zoom at which a cluster splits, or 0 where only the server knows its devices. */
  readonly opensAt: (cluster: PinCluster) => number
  readonly pinsOf: (cluster: PinCluster) => MapPin[]
}

type Properties = { readonly pin: MapPin } | { readonly cell: MapCell; readonly number: number }
/** The sums are flat, because the library copies the initial properties of a cluster only shallowly. */
interface Sum extends Record<Health, number> {
  count: number
  activeAlerts: number
}

const NONE: Healths = { dark: 0, silent: 0, warned: 0, unknown: 0, maintained: 0, fine: 0 }
const SUMMED = ['count', 'activeAlerts', ...(Object.keys(NONE) as Health[])] as const

function sumOf(one: Properties): Sum {
  if ('cell' in one) return { count: one.cell.count, activeAlerts: one.cell.activeAlerts, ...one.cell.healths }
  return { count: 1, activeAlerts: one.pin.activeAlerts, ...NONE, [healthOf(one.pin)]: 1 }
}

const healthsOf = ({ dark, silent, warned, unknown, maintained, fine }: Healths): Healths => ({
  dark,
  silent,
  warned,
  unknown,
  maintained,
  fine,
})

/** It groups pins and the server's cells for every zoom at once, 20,000 pins in some 30 ms. */
export function clusterPins(pins: readonly MapPin[], cells: readonly MapCell[] = []): PinClusters {
  const index = new Supercluster<Properties, Sum>({
    radius: CLUSTER_RADIUS_PX,
    extent: TILE_PX,
    maxZoom: CLUSTERED_TO_ZOOM,
    map: sumOf,
    reduce: (sum, more) => {
      for (const name of SUMMED) sum[name] += more[name]
    },
  })
  index.load([
    ...pins.map((pin) => pointOf(pin, { pin })),
    ...cells.map((cell, number) => pointOf(cell, { cell, number })),
  ])
  return {
    within: ({ west, south, east, north }, zoom) =>
      index.getClusters([Math.max(-180, west), south, Math.min(180, east), north], zoom).map((feature): Shown => {
        const { properties, geometry } = feature
        if ('pin' in properties) return { kind: 'pin', pin: properties.pin }
        // A negative id never equals that of one of the library's clusters.
        if ('cell' in properties) {
          return { kind: 'cluster', cluster: { ...properties.cell, clusterId: -1 - properties.number } }
        }
        const [longitude = 0, latitude = 0] = geometry.coordinates
        const { cluster_id: clusterId, count, activeAlerts } = properties
        const healths = healthsOf(properties)
        return { kind: 'cluster', cluster: { clusterId, latitude, longitude, count, activeAlerts, healths } }
      }),
    opensAt: ({ clusterId }) => (clusterId < 0 ? 0 : index.getClusterExpansionZoom(clusterId)),
    pinsOf: ({ clusterId, count }) =>
      clusterId < 0
        ? []
        : index.getLeaves(clusterId, count).flatMap(({ properties }) => ('pin' in properties ? properties.pin : [])),
  }
}

const pointOf = (at: { readonly latitude: number; readonly longitude: number }, properties: Properties) => ({
  type: 'Feature' as const,
  properties,
  geometry: { type: 'Point' as const, coordinates: [at.longitude, withinProjection(at.latitude)] },
})

const withinProjection = (latitude: number) => Math.max(-LARGEST_LATITUDE, Math.min(LARGEST_LATITUDE, latitude))
