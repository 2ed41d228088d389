import L from 'leaflet'
import { LINES, type Line } from './streetKinds.ts'
import type { StreetName, TilePoint } from './streetTiles.ts'

export interface NameBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface PlacedName {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly angle: number
}

const LINE_PX = 14
const BESIDE_PX = 12
/** The same street has its name again at this distance. */
const AGAIN_PX = 280
/** Parts that turn less than this many radians are written on like one. */
const STRAIGHT = 0.12

interface Run {
  readonly from: TilePoint
  readonly to: TilePoint
  readonly lengthPx: number
}

/** Names of larger streets come first; none covers another, nor what is taken. Points and boxes are in pixels of the view. */
export function placeStreetNames(
  streets: readonly StreetName[],
  taken: readonly NameBox[],
  widthOf: (name: string) => number,
): readonly PlacedName[] {
  const boxes = [...taken]
  const placed: PlacedName[] = []
  for (const { name, points } of streets.toSorted((one, other) => rank(other.line) - rank(one.line))) {
    const run = longestRun(points)
    const widthPx = widthOf(name)
    if (!run || run.lengthPx < widthPx + BESIDE_PX) continue
    const [x, y] = [(run.from[0] + run.to[0]) / 2, (run.from[1] + run.to[1]) / 2]
    if (placed.some((one) => one.name === name && Math.hypot(one.x - x, one.y - y) < AGAIN_PX)) continue
    const angle = readable(Math.atan2(run.to[1] - run.from[1], run.to[0] - run.from[0]))
    const box = boxOf({ x, y, angle, widthPx })
    if (boxes.some((other) => !isApart(box, other))) continue
    boxes.push(box)
    placed.push({ name, x, y, angle })
  }
  return placed
}

const rank = (line: Line) => LINES.indexOf(line)

/** No name stands on its head. */
const readable = (angle: number) => (Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle)

function longestRun(points: readonly TilePoint[]): Run | undefined {
  let [from, before] = [points[0], points[0]]
  let longest: Run | undefined
  for (const [index, to] of points.entries()) {
    if (index === 0 || !from || !before) continue
    const turn = Math.atan2(to[1] - before[1], to[0] - before[0]) - Math.atan2(before[1] - from[1], before[0] - from[0])
    if (before !== from && Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) > STRAIGHT) from = before
    const lengthPx = Math.hypot(to[0] - from[0], to[1] - from[1])
    if (lengthPx > (longest?.lengthPx ?? 0)) longest = { from, to, lengthPx }
    before = to
  }
  return longest
}

function boxOf({ x, y, angle, widthPx }: { x: number; y: number; angle: number; widthPx: number }): NameBox {
  const [sine, cosine] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))]
  const across = (widthPx * cosine + LINE_PX * sine) / 2
  const down = (widthPx * sine + LINE_PX * cosine) / 2
  return { left: x - across, right: x + across, top: y - down, bottom: y + down }
}

const isApart = (one: NameBox, other: NameBox) =>
  one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom

/** A name that the edge of the view would cut is not written. */
const edgesOf = (width: number, height: number): readonly NameBox[] => {
  const [far, none] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return [
    { left: none, right: 0, top: none, bottom: far },
    { left: width, right: far, top: none, bottom: far },
    { left: none, right: far, top: none, bottom: 0 },
    { left: none, right: far, top: height, bottom: far },
  ]
}

const FONT = '500 11px'

/** It writes names on one canvas over all tiles, because a tile would cut them at its edge. */
export function createStreetNames(map: L.Map, pane: HTMLElement) {
  const canvas = L.DomUtil.create('canvas', 'map-streets-names', pane)
  canvas.setAttribute('aria-hidden', 'true')
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const hide = () => {
    canvas.style.display = 'none'
  }
  map.on('zoomstart', hide)
  return {
    write: (streets: readonly StreetName[], taken: readonly NameBox[]) => {
      const { x, y } = map.getSize()
      const dots = window.devicePixelRatio
      canvas.width = Math.round(x * dots)
      canvas.height = Math.round(y * dots)
      Object.assign(canvas.style, { width: `${x}px`, height: `${y}px`, display: '' })
      L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]))
      const style = getComputedStyle(map.getContainer())
      context.font = `${FONT} ${style.fontFamily}`
      const placed = placeStreetNames(streets, [...taken, ...edgesOf(x, y)], (name) => context.measureText(name).width)
      canvas.dataset.names = placed.map(({ name }) => name).join(', ')
      for (const one of placed) {
        context.setTransform(dots, 0, 0, dots, one.x * dots, one.y * dots)
        context.rotate(one.angle)
        context.textAlign = 'center'
        context.textBaseline = 'middle'
        context.lineJoin = 'round'
        context.lineWidth = 3
        context.strokeStyle = style.getPropertyValue('--map-land')
        context.strokeText(one.name, 0, 0)
        context.fillStyle = style.getPropertyValue('--map-name')
        context.fillText(one.name, 0, 0)
      }
    },
    remove: () => {
      map.off('zoomstart', hide)
      canvas.remove()
    },
  }
}
