/** Up to the zoom of each step the base map is drawn from its squares, which are numbered like tiles of the map. */
export const GROUND_STEPS = [
  { squaresZoom: 0, closestZoom: 4.5 },
  { squaresZoom: 3, closestZoom: 6 },
  { squaresZoom: 4, closestZoom: 8 },
  { squaresZoom: 5, closestZoom: Number.POSITIVE_INFINITY },
] as const

/** A square is this many units wide; a unit of the finest is some 80 metres. */
export const SQUARE_UNITS = 16_384

/** A name has its place in its square, the zoom from which there is room for it, and whether it is a capital. */
export type BaseMapPlace = readonly [name: string, x: number, y: number, fromZoom: number, isCapital: 0 | 1]

/** `writeLine` writes the lines, which extend a little beyond the square that clips them. */
export interface BaseMapSquare {
  readonly land: readonly string[]
  readonly lakes: readonly string[]
  readonly borders: readonly string[]
  readonly places: readonly BaseMapPlace[]
}

/** The one square of the first step also lists the names of all squares of the other steps. */
export interface BaseMapWorld extends BaseMapSquare {
  readonly squares: readonly string[]
}

export type BaseMapPoint = readonly [x: number, y: number]

export const squareName = (squaresZoom: number, column: number, row: number) => `${squaresZoom}-${column}-${row}`
export const WORLD_SQUARE = squareName(0, 0, 0)

// A letter holds six bits: five of a number, and whether the number goes on.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const BITS = 5
const GOES_ON = 1 << BITS
const VALUES = new Map([...LETTERS].map((letter, value) => [letter.charCodeAt(0), value]))

/** It writes a line as text, each point as its offset from the previous one. */
export function writeLine(line: readonly BaseMapPoint[]): string {
  let [beforeX, beforeY] = [0, 0]
  let text = ''
  for (const [x, y] of line) {
    text += written(x - beforeX) + written(y - beforeY)
    beforeX = x
    beforeY = y
  }
  return text
}

function written(step: number): string {
  // The sign is folded into the lowest bit, so that small negative numbers are short too.
  let rest = step < 0 ? -2 * step - 1 : 2 * step
  let text = ''
  while (rest >= GOES_ON) {
    text += LETTERS[GOES_ON | (rest & (GOES_ON - 1))]
    rest >>= BITS
  }
  return text + LETTERS[rest]
}

export function readLine(text: string): BaseMapPoint[] {
  const line: BaseMapPoint[] = []
  let at = 0
  const next = () => {
    let [value, shift, letter] = [0, 0, GOES_ON]
    while (letter & GOES_ON) {
      letter = VALUES.get(text.charCodeAt(at++)) ?? 0
      value |= (letter & (GOES_ON - 1)) << shift
      shift += BITS
    }
    return value & 1 ? -(value + 1) / 2 : value / 2
  }
  let [x, y] = [0, 0]
  while (at < text.length) {
    x += next()
    y += next()
    line.push([x, y])
  }
  return line
}
