import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/**
 * A closed day is one Parquet file (decision 312). Its columns besides the fields, and what they are named in it. Fields
 * of the catalogue never begin with an underscore.
 */
export const FILE_COLUMNS = {
  at: '_device_time',
  /** Arrival after the device's time, in units of `ARRIVAL_STEP_MICROSECONDS`. */
  arrival: '_arrival_offset',
  claimedAt: '_claimed_time',
  isCorrected: '_is_corrected',
  extra: '_extra',
} as const

/** Exact arrivals would take a third more room, and nothing that is read depends on less than this. */
export const ARRIVAL_STEP_MICROSECONDS = 100_000

/** What a file says of itself beside its schema. A reader refuses a version that it does not know. */
export const METADATA_KEY = 'wayside'
export const FILE_VERSION = 1
export const METADATA = JSON.stringify({ version: FILE_VERSION, arrival_ms: ARRIVAL_STEP_MICROSECONDS / 1000 })

/** A higher level takes twice the time for a hundredth of the bytes. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 15 } }

/**
 * Packs a Parquet file to be stored. It is compressed as a whole and not page by page, because its columns repeat which
 * values are absent, and how they are described.
 */
export const packed = (file: Uint8Array): Uint8Array => zstdCompressSync(file, LEVEL)

const PARQUET = Buffer.from('PAR1')

/** Returns the Parquet file of a stored day. Earlier ones are stored as they are, with compressed pages. */
export const unpacked = (body: Uint8Array): Uint8Array =>
  PARQUET.equals(body.subarray(0, PARQUET.length)) ? body : zstdDecompressSync(body)

export const decompressors = { ZSTD: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes) }

/** Returns a scaled number again. Values are stored as `real`, so it is the nearest of those. */
export const unscaled = (integer: number, scale: number): number => Math.fround(integer / 10 ** scale)
