import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { startListener } from '#server/db/listener.ts'

const CHANNEL = 'wayside_counts'
const TELL_EVERY_MS = 100
/** What is held is told again, since a notice may have been lost, and the process that told it may be gone. */
const FORGOTTEN_AFTER_MS = 10_000
const RETOLD_WITHIN_THAT = 3
/** A notice holds at most 8,000 bytes. */
const LONGEST_NOTICE = 7_500

/** Tells the others of uses that were counted here. */
export type TellUses = (subject: string, uses: number) => void

/** One limit of a process: heard of uses elsewhere, and how to tell them of its own. */
export type ShareUses = (onElsewhere: TellUses) => TellUses

/** Places that somebody holds: told as they are, and asked of the other processes together. */
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
  /** A connection of its own, because listening outlives every request. */
  connect(): Promise<pg.Client>
  readonly log: { warn(details: object, message: string): void }
  /** What a process holds that is not heard of any more; shorter only in tests. */
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
 * What processes tell each other of what somebody has used up, so that a limit is one for all of them together
 * (docs/decisions/0206). By notices, which nothing waits for and no table keeps: while they are lost each process counts by itself.
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
  /** By what is held, then by process. */
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
    // Lost with the database, behind which nobody gets far either.
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

/** @returns undefined for what no process of this version says: one of another version must not end this one */
function readNotice(payload: string): Notice | undefined {
  try {
    return NOTICE.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

/** As many as it takes, each within what a notice holds. */
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
