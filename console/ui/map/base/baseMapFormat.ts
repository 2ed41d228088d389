/** Steps of the ground: up to which zoom of the map it is drawn from which squares, as tiles of the map are numbered. */
export const GROUND_STEPS = [
  { squaresZoom: 0, closestZoom: 4.5 },
  { squaresZoom: 3, closestZoom: 6 },
  { squaresZoom: 4, closestZoom: 8 },
  { squaresZoom: 5, closestZoom: Number.POSITIVE_INFINITY },
] as const

/** A square is so many units wide: some 80 metres of the finest. */
export const SQUARE_UNITS = 16_384

/** A name on the map: where it stands in its square, from which zoom on it has room, and whether it is a capital. */
export type BaseMapPlace = readonly [name: string, x: number, y: number, fromZoom: number, isCapital: 0 | 1]

/** What a square holds. Lines are written by `writeLine`, a little longer than the square, which cuts them. */
export interface BaseMapSquare {
  readonly land: readonly string[]
  readonly lakes: readonly string[]
  readonly borders: readonly string[]
  readonly places: readonly BaseMapPlace[]
}

/** The one square of the first step, which also says which squares there are of the others, by their names. */
export interface BaseMapWorld extends BaseMapSquare {
  readonly squares: readonly string[]
}

/** Units of a square. */
export type BaseMapPoint = readonly [x: number, y: number]

export const squareName = (squaresZoom: number, column: number, row: number) => `${squaresZoom}-${column}-${row}`
export const WORLD_SQUARE = squareName(0, 0, 0)

// Six bits a letter: five of a number, and whether it goes on.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const BITS = 5
const GOES_ON = 1 << BITS
const VALUES = new Map([...LETTERS].map((letter, value) => [letter.charCodeAt(0), value]))

/** A line as text: each point as its way from the one before. */
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
  // Small numbers are short, below zero too.
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
