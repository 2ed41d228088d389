import {
  type BaseMapPlace,
  type BaseMapPoint,
  type BaseMapSquare,
  type BaseMapWorld,
  GROUND_STEPS,
  SQUARE_UNITS,
  squareName,
  WORLD_SQUARE,
  writeLine,
} from '#console/ui/map/base/baseMapFormat.ts'
import { type Box, clipLine, clipRing, type Point } from './clip.ts'
import { type Place, readPlaces, readTowns } from './places.ts'
import { landOfTowns } from './townLand.ts'
import { type Outlines, readWorld } from './world.ts'

const TILE_PX = 256
/** The outlines of a step are as fine as this zoom shows them; the last is as fine as its source. */
const FINEST_ZOOMS = [3.75, 5, 7, 12]
/** Both are in pixels of that zoom. */
const SMALLEST_CORNER_PX2 = 0.75
const SMALLEST_RING_PX2 = 3
/** Towns would visibly stand in the sea when a pixel is smaller than this. */
const TOWNS_FROM_PX = 1 / (TILE_PX * 2 ** 8)
/** Squares are cut a little larger than they are, so that no stroke shows the cut. */
const BEYOND = 1 / 256

interface Cut extends Outlines {
  readonly column: number
  readonly row: number
}

/** Cuts the base map into files of which a view needs few: names of squares, and their content. */
export function cutBaseMap(): ReadonlyMap<string, BaseMapSquare> {
  const outlinesFor = readWorld()
  const places = readPlaces()
  const townsAt = readTowns().map(({ at }) => at)
  const squares = new Map<string, BaseMapSquare>()
  for (const [index, { squaresZoom }] of GROUND_STEPS.entries()) {
    const px = 1 / (TILE_PX * 2 ** (FINEST_ZOOMS[index] ?? 0))
    const outlines = outlinesFor(SMALLEST_CORNER_PX2 * px ** 2, SMALLEST_RING_PX2 * px ** 2)
    const named = namedIn(places, index)
    const towns = px > TOWNS_FROM_PX ? [] : landOfTowns(townsAt, outlines.land)
    for (const cut of cutInto(squaresZoom, { ...outlines, land: [...outlines.land, ...towns] })) {
      const { column, row } = cut
      const square = written(cut, squaresZoom, named.get(squareName(squaresZoom, column, row)) ?? [])
      if (Object.values(square).some(({ length }) => length > 0)) {
        squares.set(squareName(squaresZoom, column, row), square)
      }
    }
  }
  const { [WORLD_SQUARE]: world, ...others } = Object.fromEntries(squares)
  if (!world) throw new Error('There is no world.')
  const whole: BaseMapWorld = { ...world, squares: Object.keys(others) }
  return squares.set(WORLD_SQUARE, whole)
}

/** Returns the places whose names a step shows, by their square. */
function namedIn(places: readonly Place[], step: number): ReadonlyMap<string, readonly Place[]> {
  const { squaresZoom, closestZoom } = GROUND_STEPS[step] as (typeof GROUND_STEPS)[number]
  const count = 2 ** squaresZoom
  return Map.groupBy(
    places.filter(({ fromZoom }) => fromZoom <= closestZoom),
    ({ at: [x, y] }) => squareName(squaresZoom, Math.floor(x * count), Math.floor(y * count)),
  )
}

/** Cuts by halves, so that the small squares need not examine what is far away. */
function cutInto(squaresZoom: number, outlines: Outlines): readonly Cut[] {
  let cuts: readonly Cut[] = [{ ...cutTo(outlines, boxOf(0, 0, 0)), column: 0, row: 0 }]
  for (let zoom = 1; zoom <= squaresZoom; zoom++) {
    cuts = cuts.flatMap((cut) =>
      [0, 1].flatMap((right) =>
        [0, 1].map((down) => {
          const [column, row] = [2 * cut.column + right, 2 * cut.row + down]
          return { ...cutTo(cut, boxOf(zoom, column, row)), column, row }
        }),
      ),
    )
  }
  return cuts
}

function boxOf(zoom: number, column: number, row: number): Box {
  const count = 2 ** zoom
  return {
    west: (column - BEYOND) / count,
    east: (column + 1 + BEYOND) / count,
    north: (row - BEYOND) / count,
    south: (row + 1 + BEYOND) / count,
  }
}

function cutTo({ land, lakes, borders }: Outlines, box: Box): Outlines {
  return {
    land: ringsOf(land, box),
    lakes: ringsOf(lakes, box),
    borders: borders.flatMap((line) => clipLine(line, box)),
  }
}

const ringsOf = (rings: Outlines['land'], box: Box) =>
  rings.map((ring) => clipRing(ring, box)).filter((ring) => ring !== undefined)

function written({ land, lakes, borders, column, row }: Cut, zoom: number, places: readonly Place[]): BaseMapSquare {
  const count = 2 ** zoom
  const inSquare = ([x, y]: Point): BaseMapPoint => [
    Math.round((x * count - column) * SQUARE_UNITS),
    Math.round((y * count - row) * SQUARE_UNITS),
  ]
  const lines = (some: Outlines['land'], fewest: number) =>
    some
      .map((line) => withoutRepeats(line.map(inSquare)))
      .filter(({ length }) => length >= fewest)
      .map(writeLine)
  return {
    land: lines(land, 3),
    lakes: lines(lakes, 3),
    borders: lines(borders, 2),
    places: places.map(
      ({ name, at, fromZoom, isCapital }): BaseMapPlace => [name, ...inSquare(at), fromZoom, isCapital ? 1 : 0],
    ),
  }
}

const withoutRepeats = (line: readonly BaseMapPoint[]) =>
  line.filter(([x, y], index) => index === 0 || x !== line[index - 1]?.[0] || y !== line[index - 1]?.[1])
