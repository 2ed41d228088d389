import { PbfWriter } from 'pbf'

export type TilePoint = readonly [x: number, y: number]

export interface TileFeature {
  readonly kind: 'point' | 'line' | 'polygon'
  readonly points: readonly TilePoint[]
  readonly tags: Readonly<Record<string, string>>
}

export type TileLayers = Readonly<Record<string, readonly TileFeature[]>>

const TILE_EXTENT = 4096
const TYPES = { point: 1, line: 2, polygon: 3 }
const [MOVE_TO, LINE_TO, CLOSE_PATH] = [1, 2, 7]

/** Writes a Mapbox vector tile, version 2. */
export function writeVectorTile(layers: TileLayers): Uint8Array {
  const tile = new PbfWriter()
  for (const [name, features] of Object.entries(layers)) tile.writeMessage(3, writeLayer, { name, features })
  return tile.finish()
}

function writeLayer({ name, features }: { name: string; features: readonly TileFeature[] }, layer: PbfWriter) {
  const keys = [...new Set(features.flatMap(({ tags }) => Object.keys(tags)))]
  const values = [...new Set(features.flatMap(({ tags }) => Object.values(tags)))]
  layer.writeVarintField(15, 2)
  layer.writeStringField(1, name)
  for (const { kind, points, tags } of features) {
    const numbers = Object.entries(tags).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)])
    layer.writeMessage(
      2,
      (_, feature) => {
        feature.writePackedVarint(2, numbers)
        feature.writeVarintField(3, TYPES[kind])
        feature.writePackedVarint(4, geometryOf(kind, points))
      },
      undefined,
    )
  }
  for (const key of keys) layer.writeStringField(3, key)
  for (const value of values) layer.writeMessage(4, (text, one) => one.writeStringField(1, text), value)
  layer.writeVarintField(5, TILE_EXTENT)
}

function geometryOf(kind: TileFeature['kind'], points: readonly TilePoint[]): number[] {
  let [x, y] = [0, 0]
  const steps = points.map(([toX, toY]) => {
    const step = [zigzag(toX - x), zigzag(toY - y)]
    ;[x, y] = [toX, toY]
    return step
  })
  const [first = [], ...others] = steps
  return [
    ...[command(MOVE_TO, 1), ...first],
    ...(others.length > 0 ? [command(LINE_TO, others.length), ...others.flat()] : []),
    ...(kind === 'polygon' ? [command(CLOSE_PATH, 1)] : []),
  ]
}

const command = (id: number, count: number) => (count << 3) | id
const zigzag = (value: number) => (value << 1) ^ (value >> 31)
