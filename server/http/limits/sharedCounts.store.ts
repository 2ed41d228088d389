import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { startListener } from '#server/db/connect/listener.ts'

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

export interface SharedCounts {
  readonly uses: (limit: string) => ShareUses
  readonly places: (limit: string) => SharedPlaces
  stop(): Promise<void>
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
export function shareCounts({
  pool,
  connect,
  log,
  forgottenAfterMs = FORGOTTEN_AFTER_MS,
}: SharedCountsDeps): SharedCounts {
  const processId = randomUUID()
  const hearers = new Map<string, TellUses>()
  const usesToTell = new Map<string, Entry>()
  const heldToTell = new Map<string, Entry>()
  const held = new Map<string, Entry>()
  /** The keys are what is held, then the process. */
  const heldElsewhere = new Map<string, Map<string, Held>>()
  let timer: NodeJS.Timeout | undefined

  const tellSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void tell()
    }, TELL_EVERY_MS).unref()
  }

  async function tell(): Promise<void> {
    const [uses, places] = [[...usesToTell.values()], [...heldToTell.values()]]
    usesToTell.clear()
    heldToTell.clear()
    const notices = noticesOf(processId, uses, places)
    if (notices.length === 0) return
    // A lost notice needs no repetition: without the database nobody gets far either.
    await pool
      .query(`select pg_notify('${CHANNEL}', notice) from unnest($1::text[]) notice`, [notices])
      .catch(() => undefined)
  }

  function hear({ from, uses, held: places }: Notice): void {
    if (from === processId) return
    for (const [limit, subject, count] of uses) hearers.get(limit)?.(subject, count)
    for (const [limit, subject, count] of places) {
      const key = keyOf(limit, subject)
      const byProcess = heldElsewhere.get(key) ?? new Map<string, Held>()
      if (count > 0) byProcess.set(from, { count, toldAtMs: performance.now() })
      else byProcess.delete(from)
      if (byProcess.size > 0) heldElsewhere.set(key, byProcess)
      else heldElsewhere.delete(key)
    }
  }

  function countElsewhere(key: string): number {
    const byProcess = heldElsewhere.get(key)
    if (!byProcess) return 0
    let count = 0
    for (const [process, one] of byProcess) {
      if (performance.now() - one.toldAtMs > forgottenAfterMs) byProcess.delete(process)
      else count += one.count
    }
    if (byProcess.size === 0) heldElsewhere.delete(key)
    return count
  }

  const listener = startListener({
    connect,
    channels: [CHANNEL],
    onNotice: (_channel, payload) => {
      const notice = readNotice(payload)
      if (notice) hear(notice)
    },
    onListening: async () => undefined,
    onFailure: (error) => log.warn({ error }, 'Counts of other processes cannot be heard for now.'),
  })
  const retelling = setInterval(() => {
    for (const [key, entry] of held) heldToTell.set(key, entry)
    if (held.size > 0) tellSoon()
    for (const key of heldElsewhere.keys()) countElsewhere(key)
  }, forgottenAfterMs / RETOLD_WITHIN_THAT).unref()

  return {
    uses: (limit) => (onElsewhere) => {
      hearers.set(limit, onElsewhere)
      return (subject, uses) => {
        const key = keyOf(limit, subject)
        usesToTell.set(key, [limit, subject, (usesToTell.get(key)?.[2] ?? 0) + uses])
        tellSoon()
      }
    },
    places: (limit) => ({
      hold(subject, count) {
        const [key, entry] = [keyOf(limit, subject), [limit, subject, count] as const]
        if (count > 0) held.set(key, entry)
        else held.delete(key)
        heldToTell.set(key, entry)
        tellSoon()
      },
      elsewhere: (subject) => countElsewhere(keyOf(limit, subject)),
    }),
    async stop() {
      clearInterval(retelling)
      clearTimeout(timer)
      await listener.stop()
    },
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
