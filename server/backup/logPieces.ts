import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupRefused } from './backupRefused.ts'
import { logFolder, type Piece, pieceName, UNFINISHED } from './copyNames.ts'
import { renameDurably } from './durably.ts'
import type { LogPosition } from './logPosition.ts'
import { sealInto } from './sealInto.ts'

/** A piece holds no more, so that memory stays the same in a flood. */
const LARGEST_PIECE_BYTES = 16 * 1024 * 1024

export interface LogPiecesNeeds {
  readonly folder: string
  readonly systemId: string
  readonly timeline: number
  readonly key: Buffer | undefined
  /** From where on the log will come. */
  readonly from: LogPosition
}

/** Takes the log as it comes and keeps it in pieces; a piece has its name when it is on disk, and is never changed. */
export class LogPieces {
  readonly #needs: LogPiecesNeeds
  #parts: Buffer[] = []
  #bytes = 0
  #kept: LogPosition

  constructor(needs: LogPiecesNeeds) {
    this.#needs = needs
    this.#kept = needs.from
  }

  static async open(needs: LogPiecesNeeds): Promise<LogPieces> {
    const folder = logFolder(needs.folder, needs.systemId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) if (name.startsWith(UNFINISHED)) await rm(join(folder, name))
    return new LogPieces(needs)
  }

  /** Up to where all is on disk. */
  get kept(): LogPosition {
    return this.#kept
  }

  /** Up to where it has come. */
  get reached(): LogPosition {
    return this.#kept + BigInt(this.#bytes)
  }

  get isFull(): boolean {
    return this.#bytes >= LARGEST_PIECE_BYTES
  }

  /** @throws when something is missing before it: then nothing after it can be used */
  add(from: LogPosition, bytes: Buffer): void {
    if (from !== this.reached) throw new BackupRefused('The log of the database came with a gap.')
    this.#parts.push(bytes)
    this.#bytes += bytes.length
  }

  /** @param reachesTo the clock of the database when it sent the last of it */
  async keep(reachesTo: Date): Promise<Piece | undefined> {
    if (this.#bytes === 0) return undefined
    const { folder, systemId, timeline, key } = this.#needs
    const parent = logFolder(folder, systemId)
    const piece = { timeline, from: this.#kept, to: this.reached, reachesTo }
    const unfinished = join(parent, `${UNFINISHED}${process.pid}`)
    const parts = this.#parts
    await rm(unfinished, { force: true })
    await sealInto(unfinished, parts, { kind: 'log', key })
    const path = join(parent, pieceName(piece))
    await renameDurably(unfinished, path)
    this.#parts = []
    this.#bytes = 0
    this.#kept = piece.to
    return { ...piece, path }
  }
}
