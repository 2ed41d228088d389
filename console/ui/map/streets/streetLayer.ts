import L from 'leaflet'
import { mapTilePath } from '#domain/map/mapTilePath.ts'
import { AREAS, type Area, isNamedAt, LINES, type Line, lineWidthPx } from './streetKinds.ts'
import { createStreetNames, type NameBox } from './streetNames.ts'
import { STREETS_PANE } from './streetsPane.ts'
import { type StreetTile, streetTile, TILE_UNITS, type TilePoint } from './streetTiles.ts'

/** The call `App/GetConsoleSettings` describes the map file of the installation. */
export interface MapFile {
  readonly version: string
  readonly minZoom: number
  readonly maxZoom: number
}

/** Tiles of this size hold what others draw at the zoom before on 256 px. */
const TILE_PX = 512
const ZOOMS_BEFORE = 1

/** A place of the grid on the screen, in the tile that holds it, which may be one of a zoom before. */
export interface PlacedTile {
  readonly address: string
  /** The tile is drawn this many times larger, from these pixels on. */
  readonly scale: number
  readonly left: number
  readonly top: number
}

/** Closer than the file goes, its closest tiles are drawn larger. @returns undefined where the file has no tiles yet */
export function placedTile({ version, minZoom, maxZoom }: MapFile, at: { x: number; y: number; z: number }) {
  const zoom = at.z - ZOOMS_BEFORE
  if (zoom < minZoom) return undefined
  const beyond = Math.max(0, zoom - maxZoom)
  const scale = 2 ** beyond
  const [column, row] = [Math.floor(at.x / scale), Math.floor(at.y / scale)]
  return {
    address: mapTilePath(version, zoom - beyond, column, row),
    scale,
    left: (column * scale - at.x) * TILE_PX,
    top: (row * scale - at.y) * TILE_PX,
  }
}

interface ShownWith {
  readonly onState: (state: 'shown' | 'trouble') => void
  /** Names make room for these, in pixels of the view. */
  readonly pinBoxes: () => readonly NameBox[]
  /** The event after which pins stand elsewhere. */
  readonly pinsShown: string
}

/** It draws the tiles of the map file in the colours of the page, over the outlines. */
export function showStreets(map: L.Map, file: MapFile, { onState, pinBoxes, pinsShown }: ShownWith): () => void {
  const written = `moveend ${pinsShown}`
  if (!map.getPane(STREETS_PANE)) map.createPane(STREETS_PANE)
  const colours = coloursOf(map)
  const layer = new StreetGrid({ pane: STREETS_PANE, tileSize: TILE_PX, keepBuffer: 1 })
  const shown = new Map<HTMLElement, { tile: StreetTile; placed: PlacedTile; at: L.Coords }>()
  const names = createStreetNames(map, map.getPane(STREETS_PANE) as HTMLElement)
  const write = () => {
    const zoom = map.getZoom()
    const streets = [...shown.values()].flatMap(({ tile, placed, at }) => {
      const unit = (TILE_PX * placed.scale) / TILE_UNITS
      const size = map.getZoomScale(zoom, at.z)
      const { x, y } = map.getPixelBounds().min ?? { x: 0, y: 0 }
      const inView = ([px, py]: TilePoint): TilePoint => [
        (at.x * TILE_PX + placed.left + px * unit) * size - x,
        (at.y * TILE_PX + placed.top + py * unit) * size - y,
      ]
      return tile.names
        .filter(({ line }) => isNamedAt(line, zoom))
        .map((street) => ({ ...street, points: street.points.map(inView) }))
    })
    names.write(streets, pinBoxes())
  }
  layer.on('load', write)
  layer.on('tileunload', ({ tile }: L.TileEvent) => shown.delete(tile))
  map.on(written, write)
  layer.draw = async (canvas, at) => {
    const placed = placedTile(file, at)
    if (!placed) return
    try {
      const tile = await streetTile(placed.address)
      if (!tile) return onState('shown')
      shown.set(canvas, { tile, placed, at })
      drawTile(canvas, tile, placed, at.z, colours)
      onState('shown')
    } catch {
      onState('trouble')
    }
  }
  layer.addTo(map)
  return () => {
    map.off(written, write)
    layer.remove()
    names.remove()
  }
}

class StreetGrid extends L.GridLayer {
  draw: (canvas: HTMLCanvasElement, at: L.Coords) => Promise<void> = async () => undefined

  protected override createTile(at: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const { x, y } = this.getTileSize()
    canvas.width = Math.round(x * window.devicePixelRatio)
    canvas.height = Math.round(y * window.devicePixelRatio)
    void this.draw(canvas, at).then(() => done(undefined, canvas))
    return canvas
  }
}

type Colours = Readonly<Record<Area | Line | 'sea' | 'casing', string>>

function coloursOf(map: L.Map): Colours {
  const style = getComputedStyle(map.getContainer())
  const names = ['sea', 'casing', ...AREAS, ...LINES] as const
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()])) as Colours
}

function drawTile(
  canvas: HTMLCanvasElement,
  { areas, lines }: StreetTile,
  { scale, left, top }: PlacedTile,
  zoom: number,
  colours: Colours,
) {
  const context = canvas.getContext('2d')
  if (!context) return
  const dots = canvas.width / TILE_PX
  context.fillStyle = colours.sea
  context.fillRect(0, 0, canvas.width, canvas.height)
  const unit = ((TILE_PX * scale) / TILE_UNITS) * dots
  context.setTransform(unit, 0, 0, unit, left * dots, top * dots)
  for (const area of AREAS) {
    const path = areas.get(area)
    if (!path) continue
    context.fillStyle = colours[area]
    context.fill(path)
  }
  context.lineJoin = 'round'
  const stroke = (path: Path2D, widthPx: number, colour: string) => {
    context.lineWidth = (widthPx * dots) / unit
    context.strokeStyle = colour
    context.stroke(path)
  }
  const drawn = LINES.flatMap((line) => {
    const [path, widthPx] = [lines.get(line), lineWidthPx(line, zoom)]
    return path && widthPx > 0 ? [{ line, path, widthPx }] : []
  })
  // An edge around all roads first keeps crossings open.
  for (const { line, path, widthPx } of drawn) {
    if (widthPx > 2 && line !== 'river' && line !== 'rail') stroke(path, widthPx + 1.6, colours.casing)
  }
  for (const { line, path, widthPx } of drawn) {
    context.setLineDash(line === 'path' ? [(4 * dots) / unit, (3 * dots) / unit] : [])
    stroke(path, widthPx, colours[line])
  }
}
