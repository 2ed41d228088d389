import type L from 'leaflet'
import type { PixelBox } from './baseMapView.ts'

/** The map fires this when its pins and clusters were drawn; names then make room for them. */
export const PINS_SHOWN = 'pinsshown'
const MARGIN_PX = 6

/** @returns where pins and clusters stand, in pixels of the whole map */
export function pinBoxes(map: L.Map): readonly PixelBox[] {
  const { x, y } = map.getPixelBounds().min ?? { x: 0, y: 0 }
  return boxesInView(map).map(({ left, right, top, bottom }) => ({
    left: left + x,
    right: right + x,
    top: top + y,
    bottom: bottom + y,
  }))
}

export function boxesInView(map: L.Map): readonly PixelBox[] {
  const stage = map.getContainer().getBoundingClientRect()
  return Array.from(map.getPane('markerPane')?.querySelectorAll('.map-item') ?? [], (item) => {
    const { left, right, top, bottom } = item.getBoundingClientRect()
    return {
      left: left - stage.left - MARGIN_PX,
      right: right - stage.left + MARGIN_PX,
      top: top - stage.top - MARGIN_PX,
      bottom: bottom - stage.top + MARGIN_PX,
    }
  })
}

export const isApart = (one: PixelBox, other: PixelBox) =>
  one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom
