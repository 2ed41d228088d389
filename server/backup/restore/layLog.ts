import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '#server/db/embedded/databaseAccount.ts'
import type { CopyFacts, Piece } from '../log/copyNames.ts'
import { type LogPosition, segmentName } from '../log/logPosition.ts'
import { syncPath } from '../seal/durably.ts'
import { unsealed } from '../seal/sealInto.ts'

export interface LogRequest {
  readonly pieces: readonly Piece[]
  readonly facts: CopyFacts
  readonly key: Buffer | undefined
  /** `pg_wal` of the database that is being restored. */
  readonly folder: string
  readonly ids: Account['ids']
}

/** Writes pieces as the segments that PostgreSQL reads; zeros after the last one end its recovery. */
export async function layLog({ pieces, facts, key, folder, ids }: LogRequest): Promise<void> {
  const segments = new Segments(folder, facts, ids)
  try {
    for (const piece of pieces) {
      let at = piece.from
      for await (const bytes of unsealed(piece.path, key, 'log')) {
        await segments.write(at, bytes)
        at += BigInt(bytes.length)
      }
    }
  } finally {
    await segments.close()
  }
  await syncPath(folder)
}

class Segments {
  readonly #folder: string
  readonly #facts: CopyFacts
  readonly #ids: Account['ids']
  #open: { readonly name: string; readonly file: FileHandle } | undefined

  constructor(folder: string, facts: CopyFacts, ids: Account['ids']) {
    this.#folder = folder
    this.#facts = facts
    this.#ids = ids
  }

  async write(position: LogPosition, bytes: Buffer): Promise<void> {
    const { timeline, segmentBytes } = this.#facts
    for (let at = position, left = bytes; left.length > 0; ) {
      const offset = Number(at % BigInt(segmentBytes))
      const part = left.subarray(0, segmentBytes - offset)
      const file = await this.#segment(segmentName(timeline, at, segmentBytes))
      await file.write(part, 0, part.length, offset)
      at += BigInt(part.length)
      left = left.subarray(part.length)
    }
  }

  async #segment(name: string): Promise<FileHandle> {
    if (this.#open?.name === name) return this.#open.file
    await this.close()
    const path = join(this.#folder, name)
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return open(path, 'wx+', 0o600)
    })
    this.#open = { name, file }
    await file.truncate(this.#facts.segmentBytes)
    if (this.#ids) await file.chown(this.#ids.uid, this.#ids.gid)
    return file
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.file.sync()
    await open?.file.close()
  }
}
