import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { readBundledBytes } from '#console/lib/call/bundledFile.ts'
import { type Area, areaOf, type Line, lineOf } from './streetKinds.ts'

/** The paths of a tile go from 0 to this number, whatever the tile's own units are. */
export const TILE_UNITS = 4096

export type TilePoint = readonly [x: number, y: number]

export interface StreetName {
  readonly name: string
  readonly line: Line
  readonly points: readonly TilePoint[]
}

export interface StreetTile {
  readonly areas: ReadonlyMap<Area, Path2D>
  readonly lines: ReadonlyMap<Line, Path2D>
  readonly names: readonly StreetName[]
}

const [LINE, POLYGON] = [2, 3]
/** A screen of 1440 px needs some 12 tiles. */
const KEPT_TILES = 96
const kept = new Map<string, Promise<StreetTile | undefined>>()

/** @returns undefined where the map file has nothing */
export function streetTile(address: string): Promise<StreetTile | undefined> {
  const known = kept.get(address)
  kept.delete(address)
  const tile = known ?? read(address)
  kept.set(address, tile)
  // A tile that failed is asked for again when it is drawn next.
  tile.catch(() => kept.delete(address))
  const [oldest] = kept.keys()
  if (kept.size > KEPT_TILES && oldest !== undefined) kept.delete(oldest)
  return tile
}

async function read(address: string): Promise<StreetTile | undefined> {
  const bytes = await readBundledBytes(address)
  return bytes.length === 0 ? undefined : drawnTile(new VectorTile(new PbfReader(bytes)))
}

function drawnTile({ layers }: VectorTile): StreetTile {
  const areas = new Map<Area, Path2D>()
  const lines = new Map<Line, Path2D>()
  const names: StreetName[] = []
  for (const [layerName, layer] of Object.entries(layers)) {
    for (let index = 0; index < layer.length; index++) {
      const feature = layer.feature(index)
      const { kind, name } = feature.properties
      if (feature.type === POLYGON) {
        const area = areaOf(layerName, kind)
        if (area) addTo(pathIn(areas, area), ringsOf(feature), true)
      }
      const line = feature.type === LINE ? lineOf(layerName, kind) : undefined
      if (!line) continue
      const rings = ringsOf(feature)
      addTo(pathIn(lines, line), rings, false)
      if (typeof name === 'string' && layerName === 'roads') {
        names.push(...rings.map((points) => ({ name, line, points })))
      }
    }
  }
  return { areas, lines, names }
}

function pathIn<Kind>(paths: Map<Kind, Path2D>, kind: Kind): Path2D {
  const path = paths.get(kind) ?? new Path2D()
  paths.set(kind, path)
  return path
}

const ringsOf = (feature: VectorTileFeature): readonly (readonly TilePoint[])[] => {
  const unit = TILE_UNITS / feature.extent
  return feature.loadGeometry().map((ring) => ring.map(({ x, y }): TilePoint => [x * unit, y * unit]))
}

function addTo(path: Path2D, rings: readonly (readonly TilePoint[])[], isClosed: boolean) {
  for (const [first, ...others] of rings) {
    if (!first) continue
    path.moveTo(...first)
    for (const point of others) path.lineTo(...point)
    if (isClosed) path.closePath()
  }
}
