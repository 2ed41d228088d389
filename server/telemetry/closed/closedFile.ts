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

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 9 } }

export const zstd = {
  compress: (bytes: Uint8Array): Uint8Array => zstdCompressSync(bytes, LEVEL),
  decompress: (bytes: Uint8Array): Uint8Array => zstdDecompressSync(bytes),
}

/** Returns a scaled number again. Values are stored as `real`, so it is the nearest of those. */
export const unscaled = (integer: number, scale: number): number => Math.fround(integer / 10 ** scale)
