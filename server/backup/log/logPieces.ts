import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { BackupRefused } from '../seal/backupRefused.ts'
import { renameDurably } from '../seal/durably.ts'
import { sha256Of } from '../seal/sealedRecord.ts'
import { sealInto } from '../seal/sealInto.ts'
import { logFolder, type Piece, pieceName, piecesIn, UNFINISHED } from './copyNames.ts'
import { writeLogEnd } from './logEnd.ts'
import type { LogPosition } from './logPosition.ts'
import type { PieceFacts, PieceLink } from './logProof.ts'

/** A piece holds no more, so that memory stays the same in a flood. */
const LARGEST_PIECE_BYTES = 16 * 1024 * 1024

export interface LogPiecesDeps {
  readonly folder: string
  readonly systemId: string
  readonly timeline: number
  readonly key: Buffer | undefined
  readonly from: LogPosition
}

/** Stores the log in pieces as it arrives. A piece has its name once it is on disk, and is never changed. */
export class LogPieces {
  readonly #deps: LogPiecesDeps
  #parts: Buffer[] = []
  #bytes = 0
  #kept: LogPosition
  /** The newest piece on disk, which the next one names. */
  #last: PieceLink | undefined

  private constructor(deps: LogPiecesDeps, last: PieceLink | undefined) {
    this.#deps = deps
    this.#kept = deps.from
    this.#last = last
  }

  static async open(deps: LogPiecesDeps): Promise<LogPieces> {
    const folder = logFolder(deps.folder, deps.systemId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) if (name.startsWith(UNFINISHED)) await rm(join(folder, name))
    const path = await newestPath(deps)
    const last = path === undefined ? undefined : await linkTo(path)
    await writeLogEnd(deps, last, deps.key)
    return new LogPieces(deps, last)
  }

  /** Everything up to this position is on disk. */
  get kept(): LogPosition {
    return this.#kept
  }

  /** Everything up to this position has arrived. */
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

  /** @param reachesTo by the database's clock; all that was committed before is in this piece or an earlier one */
  async keep(reachesTo: Date): Promise<Piece | undefined> {
    if (this.#bytes === 0) return undefined
    const { folder, systemId, timeline, key } = this.#deps
    const parent = logFolder(folder, systemId)
    const piece = { timeline, from: this.#kept, to: this.reached, reachesTo }
    const unfinished = join(parent, `${UNFINISHED}${process.pid}`)
    const parts = this.#parts
    await rm(unfinished, { force: true })
    const name = pieceName(piece)
    const facts: PieceFacts = { systemId, name, ...(this.#last && { after: this.#last }) }
    await sealInto(unfinished, parts, { kind: 'log', facts, key })
    await this.#refuseSecond()
    const path = join(parent, name)
    await renameDurably(unfinished, path)
    this.#last = await linkTo(path)
    await writeLogEnd(this.#deps, this.#last, key)
    this.#parts = []
    this.#bytes = 0
    this.#kept = piece.to
    return { ...piece, path }
  }

  /** Another process may lead after a long pause and have gone on; this piece would then be one too many. */
  async #refuseSecond(): Promise<void> {
    const path = await newestPath(this.#deps)
    if ((path && basename(path)) === this.#last?.name) return
    throw new BackupRefused('Another process keeps the log of the database too.')
  }
}

async function newestPath({ folder, systemId, timeline }: LogPiecesDeps): Promise<string | undefined> {
  return (await piecesIn(folder, systemId)).findLast((piece) => piece.timeline === timeline)?.path
}

const linkTo = async (path: string): Promise<PieceLink> => ({ name: basename(path), sha256: await sha256Of(path) })
