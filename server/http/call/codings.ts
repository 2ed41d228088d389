import type { Transform, TransformOptions } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'

/** The content codings of an answer (RFC 9110, 8.4.1). */
export type CodingName = 'zstd' | 'br' | 'gzip'

export interface Coding {
  readonly atOnce: (plain: Buffer) => Buffer
  readonly apart: (plain: Buffer) => Promise<Buffer>
  /** It must flush what it was given without waiting for more, or a live answer would stall. */
  readonly stream: (options?: TransformOptions) => Transform
}

// The lowest levels are used: higher ones cost several times the processor time for a few per cent of bytes.
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: 1 }

export const CODINGS: Readonly<Record<CodingName, Coding>> = {
  zstd: {
    atOnce: (plain) => zstdCompressSync(plain, ZSTD),
    apart: (plain) => promisify(zstdCompress)(plain, ZSTD),
    stream: (options) => createZstdCompress({ ...options, ...ZSTD, flush: constants.ZSTD_e_flush }),
  },
  br: {
    atOnce: (plain) => brotliCompressSync(plain, BROTLI),
    apart: (plain) => promisify(brotliCompress)(plain, BROTLI),
    stream: (options) => createBrotliCompress({ ...options, ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    atOnce: (plain) => gzipSync(plain, GZIP),
    apart: (plain) => promisify(gzip)(plain, GZIP),
    stream: (options) => createGzip({ ...options, ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
}
