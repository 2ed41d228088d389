import L from 'leaflet'

/** The call `App/GetConsoleSettings` describes where map tiles come from. */
export interface TileSource {
  readonly url: string
  readonly attribution: string
}

/** `trouble` means that tiles cannot be loaded, and only the outlines below are shown. */
export type TileState = 'loading' | 'shown' | 'trouble'

const MOST_FAILURES_IN_A_ROW = 4
const TRY_AGAIN_AFTER_MS = 60_000
/** Most tile servers have tiles up to this zoom. */
const CLOSEST_TILE_ZOOM = 19

/** Tiles that cannot be loaded are removed and tried later, so that the map never is a grey void. */
export function showTiles(map: L.Map, { url }: TileSource, onState: (state: TileState) => void): () => void {
  const layer = L.tileLayer(url, {
    maxZoom: CLOSEST_TILE_ZOOM,
    // The policy of the page hides its address; tile servers require at least its origin.
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
