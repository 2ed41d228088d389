export interface MapView {
  /** Both are WGS 84 degrees. */
  readonly latitude: number
  readonly longitude: number
  readonly zoom: number
}

/** The default is a point in central Europe (rules/map 1). */
export const DEFAULT_VIEW: MapView = { latitude: 49.8, longitude: 15.5, zoom: 4 }
/** One device is shown at this zoom (rules/map 1). */
export const DEVICE_ZOOM = 10
