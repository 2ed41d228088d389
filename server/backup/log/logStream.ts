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
  /** What has arrived is stored after this time, however little it is. */
  readonly keepEveryMs: number
  /** A database that does not answer for this long counts as gone. */
  readonly answersWithinMs?: number
  readonly stopped: AbortSignal
  /** Runs after each piece, and when there was nothing to keep. */
  readonly onKept?: (upTo: Date) => void
}

/** PostgreSQL counts time from here. */
const EPOCH_2000_MS = 946_684_800_000
const [LOG_BYTES, KEEP_ALIVE] = [...Buffer.from('wk')]
const DUPLICATE = '42710'

/**
 * Receives the log of the database and stores it in pieces, until it is stopped or something fails. A replication slot
 * makes the database retain what is not on disk here, so whoever goes on later misses nothing.
 */
export async function streamLog(deps: LogStreamDeps): Promise<void> {
  const open = () => openReplication(deps.ownerUrl, deps.answersWithinMs)
  const replication = await open()
  // A connection that streams the log takes no questions, so they have another one.
  const questions = await open().catch(async (error) => {
    await replication.end()
    throw error
  })
  const connections = [replication, questions]
  const stop = () => {
    for (const connection of connections) connection.destroy()
  }
  deps.stopped.addEventListener('abort', stop)
  // A stop during the connecting raised no event here.
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
    // A connection that hangs would not end without this.
    stop()
    if (!deps.stopped.aborted) throw error
  } finally {
    deps.stopped.removeEventListener('abort', stop)
    await Promise.all(connections.map((connection) => connection.end()))
  }
}

/** What was committed before this moment of the database's clock is in its log before this position. */
interface Written {
  readonly moment: Date
  readonly position: LogPosition
}

async function readWritten(questions: Replication): Promise<Written> {
  // The clock is read first and rounded down, so that nothing is committed between the two.
  const [[row] = []] = await questions.ask(
    'select floor(extract(epoch from clock_timestamp()) * 1000) as moment, pg_current_wal_flush_lsn() as position',
  )
  return { moment: new Date(Number(row?.['moment'])), position: logPositionOf(row?.['position'] ?? '0/0') }
}

/** Slots belong to all databases of a cluster, so the name tells ours. */
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
  // After a gap the earlier copies reach only to it, and a new copy begins behind it.
  return last && last.to >= held ? { from: last.to, reachesTo: last.reachesTo } : { from: held, reachesTo: new Date(0) }
}

/** Returns the position from which the database retains its log for us. */
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
  // A slot made just now may start a little beyond what is on disk, where nobody may begin.
  return held < flushed ? held : flushed
}

interface ReceiverDeps {
  readonly pieces: LogPieces
  readonly deps: LogStreamDeps
  /** What was committed before this moment is in the stored pieces already. */
  readonly reachesTo: Date
  readonly readWritten: () => Promise<Written>
}

/** Handles what follows `START_REPLICATION`, and answers it. */
class Receiver {
  readonly #pieces: LogPieces
  readonly #deps: LogStreamDeps
  readonly #readWritten: () => Promise<Written>
  #wire: Wire | undefined
  /** All that was committed before this moment has arrived. */
  #wholeTo: Date
  /** The next moment to become `wholeTo`, once the log up to its position has arrived. */
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
   * Messages of the log carry the time of sending, which says nothing about commits until then, because a slow network
   * or disk delays them. So the database is asked how far it has written.
   */
  async #ask(): Promise<void> {
    this.#awaited ??= await this.#readWritten()
    // The answer is a message of the log too, and none arrives while a piece is being stored.
    this.#tell(true)
  }

  #tell(wantsAnswer: boolean): void {
    const message = Buffer.alloc(34)
    message.write('r')
    // The three positions are written, on disk, and replayed: the database may delete only what is on disk here.
    for (const at of [1, 9, 17]) message.writeBigInt64BE(this.#pieces.kept, at)
    message.writeBigInt64BE(BigInt(Date.now() - EPOCH_2000_MS) * 1000n, 25)
    message[33] = wantsAnswer ? 1 : 0
    this.#wire?.sendCopyFromChunk(message)
  }
}
