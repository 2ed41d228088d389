/** Longitude and latitude in degrees, as GeoJSON writes them. */
export type Position = number[]

/** A longer step goes the other way around the world: it crosses the date line. */
const HALF_WORLD = 180
const POLE = -90

const crosses = (from: Position, to: Position) => Math.abs((to[0] ?? 0) - (from[0] ?? 0)) > HALF_WORLD

/** Splits a line so that no piece crosses the date line: on a flat map such a step would run across all of it. */
export function splitAtDateLine(line: readonly Position[]): Position[][] {
  const pieces: Position[][] = [[]]
  for (const [index, point] of line.entries()) {
    const before = line[index - 1]
    if (before && crosses(before, point)) pieces.push([])
    pieces.at(-1)?.push(point)
  }
  return pieces.filter(({ length }) => length > 1)
}

/** Continues a ring beyond ±180° instead of jumping back; one around the world is closed by the pole. */
function unwrappedRing(ring: readonly Position[]): Position[] {
  let shift = 0
  const unwrapped = ring.map((point, index): Position => {
    const before = ring[index - 1]
    if (before && crosses(before, point)) shift += (point[0] ?? 0) < (before[0] ?? 0) ? 360 : -360
    return [(point[0] ?? 0) + shift, point[1] ?? 0]
  })
  const [first, last] = [unwrapped[0], unwrapped.at(-1)]
  if (shift === 0 || !first || !last) return unwrapped
  return [...unwrapped, [last[0] ?? 0, POLE], [first[0] ?? 0, POLE], first]
}

const moved = (polygon: readonly Position[][], byDegrees: number) =>
  polygon.map((ring) => ring.map(([longitude = 0, latitude = 0]): Position => [longitude + byDegrees, latitude]))

/** Splits a polygon that crosses the date line in two, one at each end of the flat world. */
export function polygonsOnFlatMap(polygon: readonly Position[][]): Position[][][] {
  const unwrapped = polygon.map(unwrappedRing)
  const longitudes = unwrapped.flatMap((ring) => ring.map(([longitude = 0]) => longitude))
  const isBeyondEast = longitudes.some((longitude) => longitude > HALF_WORLD)
  const isBeyondWest = longitudes.some((longitude) => longitude < -HALF_WORLD)
  return [
    unwrapped,
    ...(isBeyondEast ? [moved(unwrapped, -360)] : []),
    ...(isBeyondWest ? [moved(unwrapped, 360)] : []),
  ]
}
