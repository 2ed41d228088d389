import L from 'leaflet'
import { SQUARE_UNITS } from './baseMapFormat.ts'
import { squareOf, whenMoreCame } from './baseMapSquares.ts'
import { isSeen, type PixelBox, squaresIn } from './baseMapView.ts'

export const NAMES_PANE = 'names'
const NAMED_BEYOND = 0.2
const LETTER_PX = 6.4
const LINE_PX = 15
const DOT_PX = 8

interface Named {
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
    const wanted = new Map(withRoom(placesIn(map, zoom)).map((place) => [keyOf(place), place]))
    for (const [key, marker] of shown) {
      if (wanted.has(key)) continue
      marker.remove()
      shown.delete(key)
    }
    for (const [key, { name, x, y, isCapital }] of wanted) {
      if (shown.has(key)) continue
      shown.set(key, nameMarker(map.unproject([x, y], zoom), name, isCapital).addTo(map))
    }
  }
  const stopHearing = whenMoreCame(draw)
  map.on('moveend viewreset', draw)
  draw()
  return () => {
    stopHearing()
    map.off('moveend viewreset', draw)
    for (const marker of shown.values()) marker.remove()
  }
}

const keyOf = ({ name, fromZoom, isCapital, x, y }: Named) => `${name} ${fromZoom} ${isCapital} ${x > 0} ${y > 0}`

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

function withRoom(places: readonly Named[]): readonly Named[] {
  const taken: PixelBox[] = []
  return places
    .toSorted((one, other) => one.fromZoom - other.fromZoom)
    .filter(({ name, x, y }) => {
      const room = {
        left: x - DOT_PX,
        right: x + DOT_PX + name.length * LETTER_PX,
        top: y - LINE_PX / 2,
        bottom: y + LINE_PX / 2,
      }
      const isFree = taken.every(
        ({ left, right, top, bottom }) =>
          room.right < left || room.left > right || room.bottom < top || room.top > bottom,
      )
      if (isFree) taken.push(room)
      return isFree
    })
}

function nameMarker(at: L.LatLng, name: string, isCapital: boolean): L.Marker {
  const text = document.createElement('span')
  text.className = isCapital ? 'map-name map-name-capital' : 'map-name'
  text.textContent = name
  text.setAttribute('aria-hidden', 'true')
  const icon = L.divIcon({ className: 'map-name-place', html: text, iconSize: [0, 0] })
  return L.marker(at, { icon, pane: NAMES_PANE, interactive: false, keyboard: false })
}
