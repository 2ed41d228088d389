import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { mapTilePath } from '#domain/map/mapTilePath.ts'
import {
  type ArchiveEntry,
  type ArchivePart,
  archiveDirectory,
  archiveEntry,
  archiveTileId,
} from '#domain/map/tileArchive.ts'
import type { MapFile } from '#server/settings/mapFile.ts'

const unzipped = promisify(gunzip)
/** A directory is some 10 to 100 kB of memory, and one covers thousands of tiles. */
const KEPT_DIRECTORIES = 64
/** The format allows two levels of directories beneath the root in practice. */
const DEEPEST = 4
const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024
const MOST_TILE_BYTES = 4 * 1024 * 1024
const WHOLE = /^\d{1,8}$/
const CLOSEST_ZOOM = 22

/** Serves tiles of the map file as they stand in it, so nothing is compressed here. */
export async function registerMapTiles(app: FastifyInstance, file: MapFile): Promise<void> {
  // The file stays open: a new one in its place is read after the next start, and never mixed with this one.
  const handle = await open(file.path)
  app.addHook('onClose', () => handle.close())
  const tileOf = createTileReader(handle, file)
  app.route<{ Params: { zoom: string; column: string; row: string } }>({
    method: ['GET', 'HEAD'],
    url: mapTilePath(file.version, ':zoom', ':column', ':row'),
    handler: async ({ params }, reply) => {
      const given = [params.zoom, params.column, params.row]
      const [zoom = 0, column = 0, row = 0] = given.map(Number)
      const isTile = given.every((text) => WHOLE.test(text)) && zoom <= CLOSEST_ZOOM
      if (!isTile || Math.max(column, row) >= 2 ** zoom) return reply.code(404).send()
      const tile = await tileOf(archiveTileId(zoom, column, row))
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (!tile) return reply.code(204).send()
      if (file.header.isGzipTiles) reply.header('content-encoding', 'gzip')
      return reply.header('content-type', 'application/vnd.mapbox-vector-tile').send(tile)
    },
  })
}

function createTileReader(handle: FileHandle, { header }: MapFile) {
  const kept = new Map<number, Promise<readonly ArchiveEntry[]>>()

  const bytesOf = async ({ offset, length }: ArchivePart, most: number) => {
    if (length > most) throw new RangeError('A part of the map file is larger than any should be.')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
    if (bytesRead < length) throw new RangeError('The map file ends too early.')
    return buffer
  }
  const read = async (part: ArchivePart) => {
    const bytes = await bytesOf(part, MOST_DIRECTORY_BYTES)
    return archiveDirectory(
      header.isGzipInside ? await unzipped(bytes, { maxOutputLength: MOST_DIRECTORY_BYTES }) : bytes,
    )
  }
  const directoryAt = (part: ArchivePart) => {
    const known = kept.get(part.offset)
    if (known) return known
    const directory = read(part)
    kept.set(part.offset, directory)
    directory.catch(() => kept.delete(part.offset))
    const [oldest] = [...kept.keys()].filter((offset) => offset !== header.root.offset)
    if (kept.size > KEPT_DIRECTORIES && oldest !== undefined) kept.delete(oldest)
    return directory
  }
  return async (tileId: number): Promise<Buffer | undefined> => {
    let part: ArchivePart = header.root
    for (let depth = 0; depth < DEEPEST; depth++) {
      const found = archiveEntry(await directoryAt(part), tileId)
      if (!found) return undefined
      const { offset, length, repeated } = found
      if (repeated > 0) return bytesOf({ offset: header.tilesAt + offset, length }, MOST_TILE_BYTES)
      part = { offset: header.leavesAt + offset, length }
    }
    return undefined
  }
}
