import { GROUND_STEPS, squareName } from './baseMapFormat.ts'

const TILE_PX = 256

/** Its place is in pixels of the whole map at a zoom. */
export interface PlacedSquare {
  readonly name: string
  readonly left: number
  readonly top: number
  readonly sizePx: number
}

/** It is in pixels from the map's corner at a zoom, and may extend beyond the world at either side. */
export interface PixelBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const isSeen = ({ left, top, sizePx }: PlacedSquare, view: PixelBox) =>
  left < view.right && left + sizePx > view.left && top < view.bottom && top + sizePx > view.top

export function squaresIn({ left, top, right, bottom }: PixelBox, zoom: number): readonly PlacedSquare[] {
  const step = GROUND_STEPS.find(({ closestZoom }) => zoom <= closestZoom) ?? GROUND_STEPS[0]
  return squaresOf(step.squaresZoom, zoom, { left, top, right, bottom })
}

export const worldsIn = (box: PixelBox, zoom: number) => squaresOf(0, zoom, box)

function squaresOf(squaresZoom: number, zoom: number, { left, top, right, bottom }: PixelBox): PlacedSquare[] {
  const count = 2 ** squaresZoom
  const sizePx = (TILE_PX * 2 ** zoom) / count
  const squares: PlacedSquare[] = []
  for (let column = Math.floor(left / sizePx); column * sizePx < right; column++) {
    for (let row = Math.max(0, Math.floor(top / sizePx)); row < count && row * sizePx < bottom; row++) {
      const inWorld = ((column % count) + count) % count
      squares.push({ name: squareName(squaresZoom, inWorld, row), left: column * sizePx, top: row * sizePx, sizePx })
    }
  }
  return squares
}
