import L from 'leaflet'

/** Where map tiles come from; see the call `App/GetConsoleSettings`. */
export interface TileSource {
  readonly url: string
  readonly attribution: string
}

/** `trouble`: tiles do not come, and the outlines below are what there is to see. */
export type TileState = 'loading' | 'shown' | 'trouble'

/** Tiles are shown until so many in a row could not be loaded. */
const MOST_FAILURES_IN_A_ROW = 4
const TRY_AGAIN_AFTER_MS = 60_000
/** What most tile servers have. */
const CLOSEST_TILE_ZOOM = 19

/**
 * Lays tiles over the outlines. Where they do not come, they are taken away again, so that the map never is a grey void,
 * and tried again later.
 */
export function showTiles(map: L.Map, { url }: TileSource, onState: (state: TileState) => void): () => void {
  const layer = L.tileLayer(url, {
    maxZoom: CLOSEST_TILE_ZOOM,
    // The policy of the page keeps addresses to itself; tile servers want to know at least whose page it is.
    referrerPolicy: 'strict-origin',
    keepBuffer: 1,
  })
  let failuresInARow = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const tryAgain = () => {
    clearTimeout(timer)
    failuresInARow = 0
    if (!map.hasLayer(layer)) layer.addTo(map)
  }
  layer.on('tileload', () => {
    failuresInARow = 0
    onState('shown')
  })
  layer.on('tileerror', () => {
    failuresInARow++
    if (failuresInARow < MOST_FAILURES_IN_A_ROW || !map.hasLayer(layer)) return
    layer.remove()
    onState('trouble')
    timer = setTimeout(tryAgain, TRY_AGAIN_AFTER_MS)
  })
  window.addEventListener('online', tryAgain)
  onState('loading')
  layer.addTo(map)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', tryAgain)
    layer.remove()
  }
}
