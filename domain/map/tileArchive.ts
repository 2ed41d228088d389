/** The parts of a PMTiles file, version 3, that are needed to find a tile in it (https://github.com/protomaps/PMTiles). */
export interface ArchiveHeader {
  readonly root: ArchivePart
  readonly metadata: ArchivePart
  readonly leavesAt: number
  readonly tilesAt: number
  readonly isGzipInside: boolean
  readonly isGzipTiles: boolean
  readonly minZoom: number
  readonly maxZoom: number
}

export interface ArchivePart {
  readonly offset: number
  readonly length: number
}

/** An entry that is repeated 0 times leads to another directory. */
export interface ArchiveEntry extends ArchivePart {
  readonly tileId: number
  readonly repeated: number
}

export const HEADER_BYTES = 127
const MAGIC = 'PMTiles'
const VERSION = 3
const COMPRESSION = { none: 1, gzip: 2 }
const VECTOR_TILES = 1

/** @returns what the file begins with, or why it cannot be used */
export function archiveHeader(bytes: Uint8Array): ArchiveHeader | string {
  if (bytes.length < HEADER_BYTES || String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    return 'is no PMTiles file'
  }
  const [version = 0, inside = 0, tiles = 0, type, minZoom = 0, maxZoom = 0] = [7, 97, 98, 99, 100, 101].map(
    (at) => bytes[at],
  )
  if (version !== VERSION) return `is a PMTiles file of version ${version}; this program reads version ${VERSION}`
  const readable = Object.values(COMPRESSION)
  if (!readable.includes(inside) || !readable.includes(tiles)) return 'is compressed otherwise than by gzip'
  if (type !== VECTOR_TILES) return 'holds pictures; vector tiles are needed'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const number = (at: number) => Number(view.getBigUint64(at, true))
  return {
    root: { offset: number(8), length: number(16) },
    metadata: { offset: number(24), length: number(32) },
    leavesAt: number(40),
    tilesAt: number(56),
    isGzipInside: inside === COMPRESSION.gzip,
    isGzipTiles: tiles === COMPRESSION.gzip,
    minZoom,
    maxZoom,
  }
}

/** @throws RangeError when the bytes end too early */
export function archiveDirectory(bytes: Uint8Array): readonly ArchiveEntry[] {
  let at = 0
  const next = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('The directory of the map file ends too early.')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const count = next()
  if (count > bytes.length) throw new RangeError('The directory of the map file ends too early.')
  const column = () => Array.from({ length: count }, next)
  let tileId = 0
  const ids = column().map((more) => {
    tileId += more
    return tileId
  })
  const [repeats, lengths, offsets] = [column(), column(), column()]
  const entries: ArchiveEntry[] = []
  for (const [index, id] of ids.entries()) {
    const before = entries.at(-1)
    const stated = offsets[index] ?? 0
    // An entry without an offset follows the one before.
    const offset = stated === 0 && before ? before.offset + before.length : stated - 1
    entries.push({ tileId: id, repeated: repeats[index] ?? 0, length: lengths[index] ?? 0, offset })
  }
  return entries
}

/** @returns the entry of the tile, or of the directory in which it stands if it exists */
export function archiveEntry(entries: readonly ArchiveEntry[], tileId: number): ArchiveEntry | undefined {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as ArchiveEntry).tileId <= tileId) low = middle + 1
    else high = middle
  }
  const found = entries[low - 1]
  if (!found) return undefined
  return found.repeated === 0 || tileId < found.tileId + found.repeated ? found : undefined
}

/** Tiles are numbered zoom by zoom, within a zoom along a Hilbert curve. */
export function archiveTileId(zoom: number, column: number, row: number): number {
  let id = (4 ** zoom - 1) / 3
  let [x, y] = [column, row]
  for (let half = 2 ** (zoom - 1); half >= 1; half /= 2) {
    const [right, lower] = [(x & half) > 0 ? 1 : 0, (y & half) > 0 ? 1 : 0]
    id += half * half * ((3 * right) ^ lower)
    if (lower === 0) {
      if (right === 1) [x, y] = [half - 1 - x, half - 1 - y]
      ;[x, y] = [y, x]
    }
  }
  return id
}
