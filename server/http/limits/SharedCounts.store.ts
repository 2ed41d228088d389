import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { ChannelListener } from '#server/db/connect/ChannelListener.ts'

const CHANNEL = 'wayside_counts'
const TELL_EVERY_MS = 100
/** Held places are announced again, since a notice may have been lost; a process that stays silent may be gone. */
const FORGOTTEN_AFTER_MS = 10_000
const RETOLD_WITHIN_THAT = 3
/** PostgreSQL allows at most 8,000 bytes in a notice. */
const LONGEST_NOTICE = 7_500

/** Informs the other processes of uses that were counted here. */
export type TellUses = (subject: string, uses: number) => void

/** Connects one limit of a process to the others: it passes uses elsewhere in, and returns how to announce its own. */
export type ShareUses = (onElsewhere: TellUses) => TellUses

export interface SharedPlaces {
  readonly hold: (subject: string, held: number) => void
  readonly elsewhere: (subject: string) => number
}

export interface SharedCountsDeps {
  readonly pool: pg.Pool
  /** It opens a connection of its own, because listening outlives every request. */
  connect(): Promise<pg.Client>
  readonly log: { warn(details: object, message: string): void }
  /** The places of a silent process are forgotten after so long; shorter only in tests. */
  readonly forgottenAfterMs?: number
}

const ENTRY = z.tuple([z.string(), z.string(), z.number()])
const NOTICE = z.object({ from: z.string(), uses: z.array(ENTRY), held: z.array(ENTRY) })
type Entry = readonly [limit: string, subject: string, count: number]
type Notice = z.output<typeof NOTICE>

interface Held {
  readonly count: number
  readonly toldAtMs: number
}

const keyOf = (limit: string, subject: string) => `${limit} ${subject}`

/**
 * Lets processes inform each other of what a subject has used, so that a limit holds for all of them together
 * (docs/decisions/0206). It uses notices, which nothing waits for and no table keeps: while they are lost, each process
 * counts alone.
 */
export class SharedCounts {
  readonly #pool: pg.Pool
  readonly #forgottenAfterMs: number
  readonly #listener: ChannelListener
  readonly #retelling: NodeJS.Timeout
  readonly #processId = randomUUID()
  readonly #hearers = new Map<string, TellUses>()
  readonly #usesToTell = new Map<string, Entry>()
  readonly #heldToTell = new Map<string, Entry>()
  readonly #held = new Map<string, Entry>()
  /** The keys are what is held, then the process. */
  readonly #heldElsewhere = new Map<string, Map<string, Held>>()
  #timer: NodeJS.Timeout | undefined

  constructor({ pool, connect, log, forgottenAfterMs = FORGOTTEN_AFTER_MS }: SharedCountsDeps) {
    this.#pool = pool
    this.#forgottenAfterMs = forgottenAfterMs
    this.#listener = new ChannelListener({
      connect,
      channels: [CHANNEL],
      onNotice: (_channel, payload) => {
        const notice = readNotice(payload)
        if (notice) this.#hear(notice)
      },
      onListening: async () => undefined,
      onFailure: (error) => log.warn({ error }, 'Counts of other processes cannot be heard for now.'),
    })
    this.#retelling = setInterval(() => this.#retell(), forgottenAfterMs / RETOLD_WITHIN_THAT).unref()
  }

  uses(limit: string): ShareUses {
    return (onElsewhere) => {
      this.#hearers.set(limit, onElsewhere)
      return (subject, uses) => {
        const key = keyOf(limit, subject)
        this.#usesToTell.set(key, [limit, subject, (this.#usesToTell.get(key)?.[2] ?? 0) + uses])
        this.#tellSoon()
      }
    }
  }

  places(limit: string): SharedPlaces {
    return {
      hold: (subject, count) => {
        const [key, entry] = [keyOf(limit, subject), [limit, subject, count] as const]
        if (count > 0) this.#held.set(key, entry)
        else this.#held.delete(key)
        this.#heldToTell.set(key, entry)
        this.#tellSoon()
      },
      elsewhere: (subject) => this.#countElsewhere(keyOf(limit, subject)),
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#retelling)
    clearTimeout(this.#timer)
    await this.#listener.stop()
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#tell()
    }, TELL_EVERY_MS).unref()
  }

  async #tell(): Promise<void> {
    const [uses, places] = [[...this.#usesToTell.values()], [...this.#heldToTell.values()]]
    this.#usesToTell.clear()
    this.#heldToTell.clear()
    const notices = noticesOf(this.#processId, uses, places)
    if (notices.length === 0) return
    // A lost notice needs no repetition: without the database nobody gets far either.
    await this.#pool
      .query(`select pg_notify('${CHANNEL}', notice) from unnest($1::text[]) notice`, [notices])
      .catch(() => undefined)
  }

  #retell(): void {
    for (const [key, entry] of this.#held) this.#heldToTell.set(key, entry)
    if (this.#held.size > 0) this.#tellSoon()
    for (const key of this.#heldElsewhere.keys()) this.#countElsewhere(key)
  }

  #hear({ from, uses, held }: Notice): void {
    if (from === this.#processId) return
    for (const [limit, subject, count] of uses) this.#hearers.get(limit)?.(subject, count)
    for (const [limit, subject, count] of held) {
      const key = keyOf(limit, subject)
      const byProcess = this.#heldElsewhere.get(key) ?? new Map<string, Held>()
      if (count > 0) byProcess.set(from, { count, toldAtMs: performance.now() })
      else byProcess.delete(from)
      if (byProcess.size > 0) this.#heldElsewhere.set(key, byProcess)
      else this.#heldElsewhere.delete(key)
    }
  }

  #countElsewhere(key: string): number {
    const byProcess = this.#heldElsewhere.get(key)
    if (!byProcess) return 0
    let count = 0
    for (const [process, one] of byProcess) {
      if (performance.now() - one.toldAtMs > this.#forgottenAfterMs) byProcess.delete(process)
      else count += one.count
    }
    if (byProcess.size === 0) this.#heldElsewhere.delete(key)
    return count
  }
}

/** @returns undefined for a notice of another version, which must not end this process */
function readNotice(payload: string): Notice | undefined {
  try {
    return NOTICE.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

/** Packs the entries into as few notices as the byte limit allows. */
function noticesOf(from: string, uses: readonly Entry[], held: readonly Entry[]): readonly string[] {
  const notices: string[] = []
  let open: { from: string; uses: Entry[]; held: Entry[] } = { from, uses: [], held: [] }
  let bytes = 0
  const add = (to: 'uses' | 'held', entry: Entry) => {
    const more = Buffer.byteLength(JSON.stringify(entry)) + 1
    if (bytes + more > LONGEST_NOTICE) {
      notices.push(JSON.stringify(open))
      open = { from, uses: [], held: [] }
      bytes = 0
    }
    open[to].push(entry)
    bytes += more
  }
  for (const entry of uses) add('uses', entry)
  for (const entry of held) add('held', entry)
  return bytes > 0 ? [...notices, JSON.stringify(open)] : notices
}
