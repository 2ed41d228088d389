import { BackupRefused } from '../seal/backupRefused.ts'
import { piecesIn } from './copyNames.ts'
import { LogPieces } from './logPieces.ts'
import { type LogPosition, logPositionOf, writtenPosition } from './logPosition.ts'
import { openReplication } from './openReplication.ts'
import type { Replication, SystemIdentity, Wire } from './Replication.ts'

export interface LogStreamDeps {
  readonly ownerUrl: string
  readonly folder: string
  readonly key: Buffer | undefined
  /** After this time what has come is kept, however little it is. */
  readonly keepEveryMs: number
  /** When the database counts as gone that does not answer. */
  readonly answersWithinMs?: number
  readonly stopped: AbortSignal
  /** After each piece, and when there was nothing to keep. */
  readonly onKept?: (upTo: Date) => void
}

/** PostgreSQL counts from here. */
const EPOCH_2000_MS = 946_684_800_000
const [LOG_BYTES, KEEP_ALIVE] = [...Buffer.from('wk')]
const DUPLICATE = '42710'

/**
 * Receives the log of the database and keeps it in pieces, until it is stopped or something fails. The database holds
 * back what is not on disk here (by a replication slot), so whoever goes on later misses nothing.
 */
export async function streamLog(deps: LogStreamDeps): Promise<void> {
  const open = () => openReplication(deps.ownerUrl, deps.answersWithinMs)
  const replication = await open()
  // While the log comes, its connection takes no questions.
  const questions = await open().catch(async (error) => {
    await replication.end()
    throw error
  })
  const connections = [replication, questions]
  const stop = () => {
    for (const connection of connections) connection.destroy()
  }
  deps.stopped.addEventListener('abort', stop)
  // Who was stopped while it connected is not told again.
  if (deps.stopped.aborted) stop()
  try {
    const system = await replication.identify()
    const slot = await slotName(replication)
    const { from, reachesTo } = await whereToBegin(replication, slot, system, deps.folder)
    const pieces = await LogPieces.open({ ...deps, ...system, from })
    const receiver = new Receiver({ pieces, deps, reachesTo, readWritten: () => readWritten(questions) })
    try {
      await replication.ask(
        `START_REPLICATION SLOT ${slot} PHYSICAL ${writtenPosition(from)} TIMELINE ${system.timeline}`,
        receiver,
      )
    } finally {
      receiver.end()
    }
  } catch (error) {
    // A connection that hangs would not end by itself.
    stop()
    if (!deps.stopped.aborted) throw error
  } finally {
    deps.stopped.removeEventListener('abort', stop)
    await Promise.all(connections.map((connection) => connection.end()))
  }
}

/** By the clock of the database: what was committed before this moment stands in its log before this position. */
interface Written {
  readonly moment: Date
  readonly position: LogPosition
}

async function readWritten(questions: Replication): Promise<Written> {
  // The clock is read first, and to the millisecond below, so that nothing is committed between the two.
  const [[row] = []] = await questions.ask(
    'select floor(extract(epoch from clock_timestamp()) * 1000) as moment, pg_current_wal_flush_lsn() as position',
  )
  return { moment: new Date(Number(row?.['moment'])), position: logPositionOf(row?.['position'] ?? '0/0') }
}

/** Slots belong to all databases of a cluster. */
async function slotName(replication: Replication): Promise<string> {
  const [rows] = await replication.ask('select oid from pg_database where datname = current_database()')
  return `wayside_backup_${rows?.[0]?.['oid']}`
}

async function whereToBegin(replication: Replication, slot: string, system: SystemIdentity, folder: string) {
  const held = await heldPosition(replication, slot)
  const pieces = (await piecesIn(folder, system.systemId)).filter(({ timeline }) => timeline === system.timeline)
  const last = pieces.at(-1)
  if (last && last.to > system.position) {
    throw new BackupRefused(`${folder} holds more of the log than this database has: is it the folder of another one?`)
  }
  // With a gap the copies before it reach to it, and a new copy begins behind it.
  return last && last.to >= held ? { from: last.to, reachesTo: last.reachesTo } : { from: held, reachesTo: new Date(0) }
}

/** From where on the database holds its log for us. */
async function heldPosition(replication: Replication, slot: string): Promise<LogPosition> {
  const ask = () =>
    replication.ask(`select restart_lsn, wal_status, active from pg_replication_slots where slot_name = '${slot}'`)
  const [found] = (await ask())[0] ?? []
  if (found?.['wal_status'] === 'lost') await replication.ask(`select pg_drop_replication_slot('${slot}')`)
  if (!found || found['wal_status'] === 'lost') {
    await replication.ask(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL RESERVE_WAL`).catch((error: { code?: string }) => {
      if (error.code !== DUPLICATE) throw error
    })
  }
  const [made] = (await ask())[0] ?? []
  const [[platform] = []] = await replication.ask('select pg_current_wal_flush_lsn() as flushed')
  const [held, flushed] = [logPositionOf(made?.['restart_lsn'] ?? '0/0'), logPositionOf(platform?.['flushed'] ?? '0/0')]
  // A slot of this moment may hold from a little beyond what is on disk, where nobody may begin.
  return held < flushed ? held : flushed
}

interface ReceiverDeps {
  readonly pieces: LogPieces
  readonly deps: LogStreamDeps
  /** What was committed before it is in the pieces that are kept already. */
  readonly reachesTo: Date
  readonly readWritten: () => Promise<Written>
}

/** What comes after `START_REPLICATION`, and what is answered. */
class Receiver {
  readonly #pieces: LogPieces
  readonly #deps: LogStreamDeps
  readonly #readWritten: () => Promise<Written>
  #wire: Wire | undefined
  /** All that was committed before this moment has come. */
  #wholeTo: Date
  /** The next moment of which this can be said, as soon as the log up to its position has come. */
  #awaited: Written | undefined
  #keeping: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor({ pieces, deps, reachesTo, readWritten }: ReceiverDeps) {
    this.#pieces = pieces
    this.#deps = deps
    this.#readWritten = readWritten
    this.#wholeTo = reachesTo
  }

  onBegin(wire: Wire): void {
    this.#wire = wire
    this.#timer = setInterval(() => {
      this.#ask().catch((error: Error) => wire.stream.destroy(error))
    }, this.#deps.keepEveryMs)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  take(message: Buffer): Promise<void> | undefined {
    const [kind] = message
    if (kind === LOG_BYTES) {
      this.#pieces.add(message.readBigInt64BE(1), message.subarray(25))
      return this.#pieces.isFull || this.#hasAwaited() ? this.#keep() : undefined
    }
    if (kind !== KEEP_ALIVE) return undefined
    if (this.#hasAwaited()) return this.#keep()
    this.#tell(false)
    return undefined
  }

  #hasAwaited(): boolean {
    return this.#awaited !== undefined && this.#awaited.position <= this.#pieces.reached
  }

  #keep(): Promise<void> {
    if (this.#awaited && this.#hasAwaited()) {
      this.#wholeTo = this.#awaited.moment
      this.#awaited = undefined
    }
    const wholeTo = this.#wholeTo
    this.#keeping = (this.#keeping ?? Promise.resolve()).then(async () => {
      await this.#pieces.keep(wholeTo)
      this.#tell(false)
      this.#deps.onKept?.(wholeTo)
    })
    return this.#keeping
  }

  /**
   * Messages of the log tell when they were sent. That says nothing of what was committed until then: what is sent may
   * lag behind it by as much as the network or the disk here is too slow. So the database is asked how far it has written.
   */
  async #ask(): Promise<void> {
    this.#awaited ??= await this.#readWritten()
    // The answer comes as a message of the log does: with it nothing comes while a piece is kept.
    this.#tell(true)
  }

  #tell(wantsAnswer: boolean): void {
    const message = Buffer.alloc(34)
    message.write('r')
    // Written, on disk, and played: only what is on disk may go at the other side.
    for (const at of [1, 9, 17]) message.writeBigInt64BE(this.#pieces.kept, at)
    message.writeBigInt64BE(BigInt(Date.now() - EPOCH_2000_MS) * 1000n, 25)
    message[33] = wantsAnswer ? 1 : 0
    this.#wire?.sendCopyFromChunk(message)
  }
}
