import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ArchiveHeader, type ArchivePart, archiveHeader, HEADER_BYTES } from '#domain/map/tileArchive.ts'

/** A map that the operator provides; its file was looked at when the settings were read. */
export interface MapFile {
  readonly path: string
  readonly header: ArchiveHeader
  /** It changes with the file, so that browsers may keep its tiles. */
  readonly version: string
}

/** The layer by which a street is found; other schemes name it otherwise. */
const NEEDED_LAYER = 'roads'
const MOST_METADATA_BYTES = 4 * 1024 * 1024

/** @returns the file, or why it cannot be used */
export function lookAtMapFile(path: string): MapFile | string {
  const file = openSync(path, 'r')
  try {
    const bytes = readPart(file, { offset: 0, length: HEADER_BYTES })
    const header = archiveHeader(bytes)
    if (typeof header === 'string') return header
    const { size, mtimeMs } = fstatSync(file)
    const { metadata, root } = header
    if (Math.max(metadata.offset + metadata.length, root.offset + root.length, header.tilesAt) > size) {
      return 'is cut off: download it again'
    }
    if (!layersOf(file, header).includes(NEEDED_LAYER)) {
      return `has no layer "${NEEDED_LAYER}": it is not in the scheme of Protomaps`
    }
    const version = createHash('sha256').update(bytes).update(`${size} ${mtimeMs}`).digest('hex').slice(0, 12)
    return { path, header, version }
  } finally {
    closeSync(file)
  }
}

function readPart(file: number, { offset, length }: ArchivePart): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

function layersOf(file: number, { metadata, isGzipInside }: ArchiveHeader): readonly unknown[] {
  if (metadata.length > MOST_METADATA_BYTES) return []
  try {
    const bytes = readPart(file, metadata)
    const text = isGzipInside ? gunzipSync(bytes, { maxOutputLength: MOST_METADATA_BYTES }) : bytes
    const layers: unknown = JSON.parse(text.toString()).vector_layers
    return Array.isArray(layers) ? layers.map((layer) => layer?.id) : []
  } catch {
    return []
  }
}
