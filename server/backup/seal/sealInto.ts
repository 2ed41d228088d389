import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Kind, readSealed, Sealer } from './sealedFile.ts'

const LEVEL = 3

/** Compresses and seals into a new file, which is on disk when this ends. */
export async function sealInto(
  path: string,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  { kind = 'content', facts = {}, key }: { kind?: Kind; facts?: unknown; key: Buffer | undefined },
): Promise<{ name: string; salt: string; bytes: number }> {
  const sealer = new Sealer(kind, facts, key)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(
    Readable.from(source, { objectMode: false }),
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
    sealer,
    file,
  )
  return { name: basename(path), salt: sealer.salt, bytes: file.bytesWritten }
}

/** Returns what `sealInto` was given. @throws BackupRefused */
export function unsealed(path: string, key: Buffer | undefined, kind: Kind = 'content'): AsyncIterable<Buffer> {
  const sealed = Readable.from(readSealed(path, kind, key), { objectMode: false })
  const plain = createZstdDecompress()
  sealed.once('error', (error) => plain.destroy(error))
  return sealed.pipe(plain)
}
