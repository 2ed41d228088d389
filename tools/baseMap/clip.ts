/** A point in the projection of the map, where the world is one square from 0 to 1. */
export type Point = readonly [x: number, y: number]

export interface Box {
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
}

type Edge = readonly [axis: 0 | 1, at: number, isInside: (value: number) => boolean]

const edgesOf = ({ west, north, east, south }: Box): readonly Edge[] => [
  [0, west, (x) => x >= west],
  [0, east, (x) => x <= east],
  [1, north, (y) => y >= north],
  [1, south, (y) => y <= south],
]

function crossing(from: Point, to: Point, axis: 0 | 1, at: number): Point {
  const part = (at - from[axis]) / (to[axis] - from[axis])
  const other = (from[1 - axis] as number) + part * ((to[1 - axis] as number) - (from[1 - axis] as number))
  return axis === 0 ? [at, other] : [other, at]
}

/** Clips a ring to a box, along whose edge it runs where it leaves; undefined when nothing is left. */
export function clipRing(ring: readonly Point[], box: Box): readonly Point[] | undefined {
  let rest = ring
  for (const [axis, at, isInside] of edgesOf(box)) {
    if (rest.every((point) => isInside(point[axis]))) continue
    const kept: Point[] = []
    for (const [index, point] of rest.entries()) {
      const before = rest.at(index - 1) as Point
      const [isIn, wasIn] = [isInside(point[axis]), isInside(before[axis])]
      if (isIn !== wasIn) kept.push(crossing(before, point, axis, at))
      if (isIn) kept.push(point)
    }
    rest = kept
  }
  return rest.length > 2 ? rest : undefined
}

export function clipLine(line: readonly Point[], box: Box): readonly (readonly Point[])[] {
  let pieces: readonly (readonly Point[])[] = [line]
  for (const edge of edgesOf(box)) pieces = pieces.flatMap((piece) => clipByEdge(piece, edge))
  return pieces
}

function clipByEdge(line: readonly Point[], [axis, at, isInside]: Edge): readonly (readonly Point[])[] {
  if (line.every((point) => isInside(point[axis]))) return [line]
  const pieces: Point[][] = [[]]
  for (const [index, point] of line.entries()) {
    const before = line[index - 1]
    const isIn = isInside(point[axis])
    if (before && isIn !== isInside(before[axis])) {
      pieces.at(-1)?.push(crossing(before, point, axis, at))
      if (!isIn) pieces.push([])
    }
    if (isIn) pieces.at(-1)?.push(point)
  }
  return pieces.filter(({ length }) => length > 1)
}
