import L from 'leaflet'
import { SQUARE_UNITS } from './baseMapFormat.ts'
import { squareOf, whenMoreCame } from './baseMapSquares.ts'
import { isSeen, type PixelBox, squaresIn } from './baseMapView.ts'
import { isApart, PINS_SHOWN, pinBoxes } from './mapObstacles.ts'

export const NAMES_PANE = 'names'
const NAMED_BEYOND = 0.2
const LETTER_PX = 6.4
const LINE_PX = 15
const DOT_PX = 8

export interface Named {
  readonly name: string
  /** Both are in pixels of the whole map. */
  readonly x: number
  readonly y: number
  readonly isCapital: boolean
  readonly fromZoom: number
}

/** It shows the names of towns that have room beside each other, the largest first; screen readers skip them. */
export function showPlaceNames(map: L.Map): () => void {
  if (!map.getPane(NAMES_PANE)) map.createPane(NAMES_PANE)
  const shown = new Map<string, L.Marker>()

  const draw = () => {
    const zoom = map.getZoom()
    const wanted = new Map(withRoom(placesIn(map, zoom), pinBoxes(map)).map((place) => [keyOf(place), place]))
    for (const [key, marker] of shown) {
      if (wanted.has(key)) continue
      marker.remove()
      shown.delete(key)
    }
    for (const [key, { name, x, y, isCapital, side }] of wanted) {
      if (shown.has(key)) continue
      shown.set(key, nameMarker(map.unproject([x, y], zoom), { name, isCapital, side }).addTo(map))
    }
  }
  const stopHearing = whenMoreCame(draw)
  map.on(`moveend viewreset ${PINS_SHOWN}`, draw)
  draw()
  return () => {
    stopHearing()
    map.off(`moveend viewreset ${PINS_SHOWN}`, draw)
    for (const marker of shown.values()) marker.remove()
  }
}

const keyOf = ({ name, fromZoom, isCapital, x, y, side }: Placed) =>
  `${name} ${fromZoom} ${isCapital} ${x > 0} ${y > 0} ${side}`

function placesIn(map: L.Map, zoom: number): Named[] {
  const { min, max } = map.getPixelBounds()
  const [across, down] = [map.getSize().x * NAMED_BEYOND, map.getSize().y * NAMED_BEYOND]
  const view: PixelBox = { left: min?.x ?? 0, top: min?.y ?? 0, right: max?.x ?? 0, bottom: max?.y ?? 0 }
  const box: PixelBox = {
    left: view.left - across,
    top: view.top - down,
    right: view.right + across,
    bottom: view.bottom + down,
  }
  return squaresIn(box, zoom).flatMap((square) => {
    const { left, top, sizePx } = square
    return (squareOf(square.name, isSeen(square, view))?.places ?? [])
      .filter(([, , , fromZoom]) => fromZoom <= zoom)
      .map(([name, x, y, fromZoom, isCapital]) => ({
        name,
        fromZoom,
        isCapital: isCapital === 1,
        x: left + (x / SQUARE_UNITS) * sizePx,
        y: top + (y / SQUARE_UNITS) * sizePx,
      }))
      .filter(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom)
  })
}

/** A name that has no room at the right of its dot is tried at the others. */
const SIDES = ['right', 'left', 'above', 'below'] as const
type Side = (typeof SIDES)[number]
type Placed = Named & { readonly side: Side }

/** Names take no room of each other, nor of pins and clusters, which would cover them. */
export function withRoom(places: readonly Named[], pins: readonly PixelBox[]): readonly Placed[] {
  const taken = [...pins]
  return places
    .toSorted((one, other) => one.fromZoom - other.fromZoom)
    .flatMap((place) => {
      const side = SIDES.find((one) => taken.every((box) => isApart(roomOf(place, one), box)))
      if (side === undefined) return []
      taken.push(roomOf(place, side))
      return [{ ...place, side }]
    })
}

function roomOf({ name, x, y }: Named, side: Side): PixelBox {
  const widthPx = name.length * LETTER_PX
  if (side === 'right' || side === 'left') {
    const [left, right] = side === 'right' ? [x - DOT_PX, x + DOT_PX + widthPx] : [x - DOT_PX - widthPx, x + DOT_PX]
    return { left, right, top: y - LINE_PX / 2, bottom: y + LINE_PX / 2 }
  }
  const [top, bottom] = side === 'above' ? [y - LINE_PX - DOT_PX, y + DOT_PX] : [y - DOT_PX, y + LINE_PX + DOT_PX]
  return { left: x - widthPx / 2, right: x + widthPx / 2, top, bottom }
}

function nameMarker(at: L.LatLng, { name, isCapital, side }: Pick<Placed, 'name' | 'isCapital' | 'side'>): L.Marker {
  const text = document.createElement('span')
  text.className = isCapital ? 'map-name map-name-capital' : 'map-name'
  text.dataset.side = side
  text.textContent = name
  text.setAttribute('aria-hidden', 'true')
  const icon = L.divIcon({ className: 'map-name-place', html: text, iconSize: [0, 0] })
  return L.marker(at, { icon, pane: NAMES_PANE, interactive: false, keyboard: false })
}
