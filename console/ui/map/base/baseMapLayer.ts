import L from 'leaflet'
import { SQUARE_UNITS } from './baseMapFormat.ts'
import { type DrawnSquare, squareOf, whenMoreCame } from './baseMapSquares.ts'
import { isSeen, type PixelBox, type PlacedSquare, squaresIn, worldsIn } from './baseMapView.ts'

/** The base map has a pane of its own below the tiles. */
export const GROUND_PANE = 'ground'
/** This share of the view is drawn beyond each edge, so that it is there already when the map is moved. */
const DRAWN_BEYOND = 0.3

interface Drawn {
  readonly zoom: number
  readonly center: L.LatLng
  /** The box is in pixels of the whole map. */
  readonly box: PixelBox
}

/**
 * It draws land, lakes and borders on one canvas, in the colours of the page. A missing square is drawn from the square
 * of the whole world, so that the map is never empty.
 */
export function showBaseMap(map: L.Map): () => void {
  const pane = map.getPane(GROUND_PANE) ?? map.createPane(GROUND_PANE)
  const canvas = L.DomUtil.create('canvas', 'leaflet-zoom-animated', pane)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  let drawn: Drawn | undefined

  const draw = () => {
    drawn = boxOf(map)
    const { box, zoom } = drawn
    place(map, canvas, box)
    const scale = window.devicePixelRatio
    canvas.width = Math.round((box.right - box.left) * scale)
    canvas.height = Math.round((box.bottom - box.top) * scale)
    drawBox(context, { box, view: viewOf(map), zoom, scale, colours: coloursOf(map) })
  }
  const drawWhatComes = () => {
    if (drawn && !isWithin(viewOf(map), drawn.box)) draw()
  }
  const followZoom = ({ center, zoom }: L.ZoomAnimEvent) => {
    if (drawn) follow(map, canvas, drawn, center, zoom)
  }
  const stopHearing = whenMoreCame(draw)
  map.on('moveend viewreset', draw)
  map.on('move', drawWhatComes)
  map.on('zoomanim', followZoom)
  draw()
  return () => {
    stopHearing()
    map.off('moveend viewreset', draw)
    map.off('move', drawWhatComes)
    map.off('zoomanim', followZoom)
    canvas.remove()
  }
}

function viewOf(map: L.Map): PixelBox {
  const { min, max } = map.getPixelBounds()
  return { left: min?.x ?? 0, top: min?.y ?? 0, right: max?.x ?? 0, bottom: max?.y ?? 0 }
}

function boxOf(map: L.Map): Drawn {
  const { left, top, right, bottom } = viewOf(map)
  const [across, down] = [(right - left) * DRAWN_BEYOND, (bottom - top) * DRAWN_BEYOND].map(Math.round) as [
    number,
    number,
  ]
  const box = { left: left - across, top: top - down, right: right + across, bottom: bottom + down }
  return { box, zoom: map.getZoom(), center: map.getCenter() }
}

const isWithin = (inner: PixelBox, outer: PixelBox) =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom

function place(map: L.Map, canvas: HTMLCanvasElement, { left, top, right, bottom }: PixelBox) {
  L.DomUtil.setPosition(canvas, L.point(left, top).subtract(map.getPixelOrigin()))
  canvas.style.width = `${right - left}px`
  canvas.style.height = `${bottom - top}px`
}

function follow(map: L.Map, canvas: HTMLCanvasElement, { zoom: before, box }: Drawn, center: L.LatLng, zoom: number) {
  const scale = map.getZoomScale(zoom, before)
  const moved = L.DomUtil.getPosition(map.getPane('mapPane') ?? canvas)
  const origin = map.project(center, zoom).subtract(map.getSize().divideBy(2)).add(moved).round()
  L.DomUtil.setTransform(canvas, L.point(box.left, box.top).multiplyBy(scale).subtract(origin), scale)
}

interface Colours {
  readonly land: string
  readonly sea: string
  readonly coast: string
  readonly border: string
}

function coloursOf(map: L.Map): Colours {
  const style = getComputedStyle(map.getContainer())
  const colour = (name: string) => style.getPropertyValue(name).trim()
  return {
    land: colour('--map-land'),
    sea: colour('--map-sea'),
    coast: colour('--map-coast'),
    border: colour('--map-border'),
  }
}

interface Picture {
  readonly box: PixelBox
  readonly view: PixelBox
  readonly zoom: number
  /** The number of screen pixels for one pixel of the page. */
  readonly scale: number
  readonly colours: Colours
}

function drawBox(context: CanvasRenderingContext2D, picture: Picture) {
  const { box, view, zoom } = picture
  const worlds = worldsIn(box, zoom)
  for (const square of squaresIn(box, zoom)) {
    context.save()
    // Whole screen pixels keep gaps from shining through between squares.
    clipTo(context, square, picture)
    const fine = squareOf(square.name, isSeen(square, view))
    if (fine) drawSquare(context, square, fine, picture)
    if (fine === undefined) {
      for (const world of worlds) {
        const coarse = squareOf(world.name, true)
        if (coarse) drawSquare(context, world, coarse, picture)
      }
    }
    context.restore()
  }
}

function clipTo(context: CanvasRenderingContext2D, { left, top, sizePx }: PlacedSquare, { box, scale }: Picture) {
  const dot = (px: number, from: number) => Math.round((px - from) * scale)
  const [x, y] = [dot(left, box.left), dot(top, box.top)]
  context.beginPath()
  context.rect(x, y, dot(left + sizePx, box.left) - x, dot(top + sizePx, box.top) - y)
  context.clip()
}

function drawSquare(
  context: CanvasRenderingContext2D,
  { left, top, sizePx }: PlacedSquare,
  { land, lakes, borders }: DrawnSquare,
  { box, scale, colours }: Picture,
) {
  const unit = (sizePx / SQUARE_UNITS) * scale
  context.setTransform(unit, 0, 0, unit, (left - box.left) * scale, (top - box.top) * scale)
  context.lineJoin = 'round'
  const line = (widthPx: number, colour: string, path: Path2D) => {
    context.lineWidth = (widthPx * scale) / unit
    context.strokeStyle = colour
    context.stroke(path)
  }
  // The fill covers the inner half of the line, so that overlapping pieces of land look like one.
  line(2, colours.coast, land)
  context.fillStyle = colours.land
  context.fill(land)
  context.fillStyle = colours.sea
  context.fill(lakes)
  line(1, colours.coast, lakes)
  line(1.2, colours.border, borders)
  context.setTransform(1, 0, 0, 1, 0, 0)
}
