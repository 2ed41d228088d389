import type { Point } from './clip.ts'

/** Outlines at 1:10 million may be this wrong. */
const WRONG_BY_KM = 2.5
/** A town reaches this far around its middle. */
const TOWN_KM = 0.7
const CORNERS = 14
const EQUATOR_KM = 40_075
/** A grid of this fineness finds the rings near a town. */
const CELLS = 4_096

type Ring = readonly Point[]

/**
 * Returns land that outlines leave out. The coast is only known to some kilometres, so a town not far from land may lie
 * in the sea; a round piece of land around it reaches the coast.
 */
export function landOfTowns(towns: readonly Point[], land: readonly Ring[]): readonly Ring[] {
  const rows = byRow(land)
  return towns.flatMap((town) => {
    const [x, y] = town
    const around = rows.get(Math.floor(y * CELLS)) ?? []
    if (isOnLand(town, around)) return []
    // The projection stretches what lies towards the poles.
    const km = 1 / (EQUATOR_KM * Math.cos(Math.atan(Math.sinh(Math.PI * (1 - 2 * y)))))
    const toLand = nearest(
      town,
      [-1, 0, 1].flatMap((row) => rows.get(Math.floor(y * CELLS) + row) ?? []),
    )
    if (toLand > WRONG_BY_KM * km) return []
    const radius = Math.max(TOWN_KM * km, toLand + (TOWN_KM / 2) * km)
    const corners = Array.from({ length: CORNERS }, (_, index): Point => {
      const angle = (2 * Math.PI * index) / CORNERS
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
    })
    return [[...corners, corners[0] as Point]]
  })
}

type Side = readonly [from: Point, to: Point]

/** Returns sides of all rings by the rows of the grid that they touch. */
function byRow(land: readonly Ring[]): ReadonlyMap<number, readonly Side[]> {
  const rows = new Map<number, Side[]>()
  for (const ring of land) {
    for (const [index, to] of ring.entries()) {
      const from = ring[index - 1]
      if (!from) continue
      const [first, last] = [from[1], to[1]].map((y) => Math.floor(y * CELLS)) as [number, number]
      for (let row = Math.min(first, last); row <= Math.max(first, last); row++) {
        const sides = rows.get(row)
        if (sides) sides.push([from, to])
        else rows.set(row, [[from, to]])
      }
    }
  }
  return rows
}

/** A ray from a town on land to the east crosses the coast an odd number of times. */
function isOnLand([x, y]: Point, sides: readonly Side[]): boolean {
  let isInside = false
  for (const [[x1, y1], [x2, y2]] of sides) {
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
  }
  return isInside
}

function nearest([x, y]: Point, sides: readonly Side[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const [[x1, y1], [x2, y2]] of sides) {
    const [along, up] = [x2 - x1, y2 - y1]
    const part = Math.max(0, Math.min(1, ((x - x1) * along + (y - y1) * up) / (along ** 2 + up ** 2 || 1)))
    least = Math.min(least, Math.hypot(x1 + part * along - x, y1 + part * up - y))
  }
  return least
}
