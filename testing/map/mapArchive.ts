import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import { archiveTileId, HEADER_BYTES } from '#domain/map/tileArchive.ts'
import { type TileLayers, writeVectorTile } from './vectorTile.ts'

export interface ArchiveTile {
  readonly zoom: number
  readonly column: number
  readonly row: number
  readonly layers: TileLayers
}

interface Options {
  /** The root leads to directories of so many tiles. */
  readonly tilesOfLeaf?: number
  readonly layerIds?: readonly string[]
}

/** Writes a PMTiles file, version 3; a tile that is the same as the one before it is stored once. */
export function writeMapArchive(
  tiles: readonly ArchiveTile[],
  { tilesOfLeaf, layerIds = ['roads'] }: Options = {},
): Buffer {
  const parts: Buffer[] = []
  let offset = 0
  const entries = tiles
    .map(({ zoom, column, row, layers }) => ({
      id: archiveTileId(zoom, column, row),
      bytes: gzipSync(writeVectorTile(layers)),
    }))
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, bytes }): Entry => {
      parts.push(bytes)
      offset += bytes.length
      return { id, repeated: 1, length: bytes.length, offset: offset - bytes.length }
    })
  const leaves: Buffer[] = []
  let root: readonly Entry[] = entries
  if (tilesOfLeaf !== undefined) {
    let leafOffset = 0
    root = Array.from({ length: Math.ceil(entries.length / tilesOfLeaf) }, (_, index) => {
      const own = entries.slice(index * tilesOfLeaf, (index + 1) * tilesOfLeaf)
      const leaf = directoryOf(own)
      leaves.push(leaf)
      leafOffset += leaf.length
      return { id: own[0]?.id ?? 0, repeated: 0, length: leaf.length, offset: leafOffset - leaf.length }
    })
  }
  const metadata = gzipSync(JSON.stringify({ vector_layers: layerIds.map((id) => ({ id })) }))
  const zooms = tiles.map(({ zoom }) => zoom)
  return joined(
    { root: directoryOf(root), metadata, leaves: Buffer.concat(leaves), tiles: Buffer.concat(parts) },
    zooms,
  )
}

interface Entry {
  readonly id: number
  readonly repeated: number
  readonly length: number
  readonly offset: number
}

function directoryOf(entries: readonly Entry[]): Buffer {
  const writer = new PbfWriter()
  writer.writeVarint(entries.length)
  for (const [index, { id }] of entries.entries()) writer.writeVarint(id - (entries[index - 1]?.id ?? 0))
  for (const { repeated } of entries) writer.writeVarint(repeated)
  for (const { length } of entries) writer.writeVarint(length)
  for (const [index, { offset }] of entries.entries()) {
    const before = entries[index - 1]
    writer.writeVarint(before && before.offset + before.length === offset ? 0 : offset + 1)
  }
  return gzipSync(writer.finish())
}

function joined(parts: Readonly<Record<'root' | 'metadata' | 'leaves' | 'tiles', Buffer>>, zooms: readonly number[]) {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles')
  header[7] = 3
  let at = HEADER_BYTES
  for (const [index, part] of [parts.root, parts.metadata, parts.leaves, parts.tiles].entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + index * 16)
    header.writeBigUInt64LE(BigInt(part.length), 16 + index * 16)
    at += part.length
  }
  // Both directories and tiles are compressed by gzip, and tiles are vectors.
  header.set([1, 2, 2, 1, Math.min(...zooms), Math.max(...zooms)], 96)
  return Buffer.concat([header, parts.root, parts.metadata, parts.leaves, parts.tiles])
}

/** It is found by walking the curve, and so independently of the program; of close zooms this takes too long. */
export function tileIdOf(zoom: number, column: number, row: number): number {
  let first = 0
  for (let at = 0; at < zoom; at++) first += 4 ** at
  for (let along = 0; along < 4 ** zoom; along++) {
    const [x, y] = placeOnCurve(zoom, along)
    if (x === column && y === row) return first + along
  }
  throw new RangeError('There is no such tile.')
}

function placeOnCurve(zoom: number, along: number): readonly [number, number] {
  let [x, y, rest] = [0, 0, along]
  for (let size = 1; size < 2 ** zoom; size *= 2) {
    const right = 1 & (rest / 2)
    const lower = 1 & (rest ^ right)
    if (lower === 0) {
      if (right === 1) [x, y] = [size - 1 - x, size - 1 - y]
      ;[x, y] = [y, x]
    }
    x += size * right
    y += size * lower
    rest = Math.floor(rest / 4)
  }
  return [x, y]
}
