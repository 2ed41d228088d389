import Supercluster from 'supercluster'
import type { MapArea, MapPin } from './mapPin.ts'

/** Pins nearer to each other than this are one cluster. */
const CLUSTER_RADIUS_PX = 56
/** Of the map: what the radius counts in. */
const TILE_PX = 256
/** Beyond every zoom of the map, so that devices at one place stay one cluster at the closest look. */
const CLUSTERED_TO_ZOOM = 20
/** Where the projection of the map ends: beyond, a pin could never be reached. */
const LARGEST_LATITUDE = 85.05

export interface PinCluster {
  readonly clusterId: number
  readonly latitude: number
  readonly longitude: number
  readonly count: number
  /** Alerts of all its devices. */
  readonly activeAlerts: number
}

export type Shown =
  | { readonly kind: 'pin'; readonly pin: MapPin }
  | { readonly kind: 'cluster'; readonly cluster: PinCluster }

export interface PinClusters {
  /** What stands in an area at a whole zoom. */
  readonly within: (area: MapArea, zoom: number) => Shown[]
  /** The zoom at which a cluster falls apart. */
  readonly opensAt: (cluster: PinCluster) => number
  readonly pinsOf: (cluster: PinCluster) => MapPin[]
}

interface Properties {
  readonly pin: MapPin
}
interface Sum {
  activeAlerts: number
}

/** Groups pins for every zoom at once; with 20,000 pins in some 30 ms, with 100,000 in some 150. */
export function clusterPins(pins: readonly MapPin[]): PinClusters {
  const index = new Supercluster<Properties, Sum>({
    radius: CLUSTER_RADIUS_PX,
    extent: TILE_PX,
    maxZoom: CLUSTERED_TO_ZOOM,
    map: ({ pin }) => ({ activeAlerts: pin.activeAlerts }),
    reduce: (sum, { activeAlerts }) => {
      sum.activeAlerts += activeAlerts
    },
  })
  index.load(
    pins.map((pin) => ({
      type: 'Feature',
      properties: { pin },
      geometry: { type: 'Point', coordinates: [pin.longitude, withinProjection(pin.latitude)] },
    })),
  )
  return {
    within: ({ west, south, east, north }, zoom) =>
      index.getClusters([Math.max(-180, west), south, Math.min(180, east), north], zoom).map((feature): Shown => {
        const { properties, geometry } = feature
        if ('pin' in properties) return { kind: 'pin', pin: properties.pin }
        const [longitude = 0, latitude = 0] = geometry.coordinates
        const { cluster_id: clusterId, point_count: count, activeAlerts } = properties
        return { kind: 'cluster', cluster: { clusterId, latitude, longitude, count, activeAlerts } }
      }),
    opensAt: ({ clusterId }) => index.getClusterExpansionZoom(clusterId),
    pinsOf: ({ clusterId, count }) => index.getLeaves(clusterId, count).map(({ properties }) => properties.pin),
  }
}

const withinProjection = (latitude: number) => Math.max(-LARGEST_LATITUDE, Math.min(LARGEST_LATITUDE, latitude))
