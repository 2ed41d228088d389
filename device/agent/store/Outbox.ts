import { MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import type { DeviceStore, Entry, Unkept } from './deviceStore.ts'

/** This is well below the server's limit, so that a proxy or a longer guid never matters. */
const MAXIMUM_ARRAY_BYTES = 48 * 1024
/** Messages are sent one by one, because their topic takes no arrays. */
const MESSAGES = 'messages'
const LIVE_IN_FLIGHT = 16
/** The most reports of a topic in a round of the backlog. */
const ROUND_REPORTS = Math.min(200, MAXIMUM_REPORTS)

export interface OutboxOptions {
  readonly store: DeviceStore
  readonly keep: DeviceStore['append']
  /** Resolves at the PUBACK. */
  readonly publish: (topic: string, payload: string) => Promise<void>
  readonly isUp: () => boolean
  /** The server has stored what was recorded in the present connection; the backlog may come from another program. */
  readonly onStored?: (topic: string) => void
}

/**
 * Everything that a device sends goes to disk first and leaves it after the PUBACK. What the disk refuses is sent all
 * the same, and waits in memory for its PUBACK or for the disk.
 *
 * What is recorded while the connection is up goes out at once (at most 16 packets wait for their PUBACK), so that an
 * operator sees the present however long the backlog is. What was recorded without a connection, or did not fit into
 * those 16, follows beside it in rounds, oldest first: an array of up to 200 reports or 48 KB for each component, all of
 * the same stretch of time, because the server stores at once what was looked at together (docs/decisions/0326).
 */
export class Outbox {
  readonly #options: OutboxOptions
  /** Live entries that the backlog must not send too: in flight, or acknowledged and not yet deleted from the disk. */
  readonly #live = new Set<number>()
  /** The newest entry of each topic that the backlog has taken. */
  readonly #taken = new Map<string, number>()
  readonly #unkept = new Set<Unkept>()
  readonly #unkeptInFlight = new Set<Unkept>()
  #livePackets = 0
  #backlogPackets = 0
  /** Tells connections apart, because acknowledgements of an earlier one no longer count. */
  #connection = 0
  #mayHaveBacklog = false

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  /** Resolves when it is on disk, or the disk has refused it; it does not wait for the sending. */
  async record(topic: string, nowMs: number, payload: (at: Date) => object): Promise<void> {
    const entry = await this.#options.keep(topic, nowMs, payload)
    if ('forget' in entry) this.#holdUnkept(entry)
    else this.#sendKept(entry)
  }

  /** The connection is up, so sending begins with what is on disk. */
  up(): void {
    this.#sendUnkept()
    this.#mayHaveBacklog = true
    this.#sendBacklog()
  }

  /** Entries that were in flight are unsent again. */
  down(): void {
    this.#connection++
    this.#live.clear()
    this.#unkeptInFlight.clear()
    this.#livePackets = 0
    this.#taken.clear()
    this.#backlogPackets = 0
  }

  #sendKept(entry: Entry): void {
    // It was on disk before this callback, so a newer connection may have sent it with the backlog.
    if (entry.id <= (this.#taken.get(entry.topic) ?? 0)) return
    if (this.#options.isUp() && this.#livePackets < LIVE_IN_FLIGHT) {
      this.#sendLive(entry)
      return
    }
    this.#mayHaveBacklog = true
    this.#sendBacklog()
  }

  #sendLive(entry: Entry): void {
    const { publish, onStored, store } = this.#options
    const mine = this.#connection
    this.#live.add(entry.id)
    this.#livePackets++
    publish(entry.topic, entry.payload).then(
      async () => {
        if (mine === this.#connection) this.#livePackets--
        onStored?.(entry.topic)
        await store.remove([entry])
        if (mine === this.#connection) this.#live.delete(entry.id)
      },
      () => undefined,
    )
  }

  #holdUnkept(one: Unkept): void {
    this.#unkept.add(one)
    void one.kept.then((entry) => {
      this.#unkept.delete(one)
      if (!entry) return
      // The entry belongs to the backlog from now on; the server stores a report once even if it arrives twice.
      this.#mayHaveBacklog = true
      this.#sendBacklog()
    })
    this.#sendUnkept()
  }

  #sendUnkept(): void {
    const { publish, onStored, isUp } = this.#options
    for (const one of this.#unkept) {
      if (!isUp() || this.#livePackets >= LIVE_IN_FLIGHT) return
      if (this.#unkeptInFlight.has(one)) continue
      const mine = this.#connection
      this.#unkeptInFlight.add(one)
      this.#livePackets++
      publish(one.topic, one.payload).then(
        () => {
          onStored?.(one.topic)
          this.#unkept.delete(one)
          one.forget()
          if (mine !== this.#connection) return
          this.#livePackets--
          this.#sendUnkept()
        },
        () => undefined,
      )
    }
  }

  #sendBacklog(): void {
    if (!this.#options.isUp() || !this.#mayHaveBacklog || this.#backlogPackets > 0) return
    const round = this.#nextRound()
    this.#mayHaveBacklog = round.length > 0
    for (const entries of round) this.#sendArray(entries)
  }

  #sendArray(entries: readonly Entry[]): void {
    const { publish, store } = this.#options
    const mine = this.#connection
    const topic = entries[0]?.topic ?? ''
    this.#taken.set(topic, entries.at(-1)?.id ?? 0)
    this.#backlogPackets++
    publish(topic, asPayload(entries)).then(
      () => {
        void store.remove(entries)
        if (mine !== this.#connection) return
        this.#backlogPackets--
        this.#sendBacklog()
      },
      () => undefined,
    )
  }

  /** Takes of each topic what is not younger than where the first array is full. */
  #nextRound(): readonly (readonly Entry[])[] {
    const heads = this.#options.store.topics().map((topic) => {
      const entries = this.#unsent(topic, this.#taken.get(topic) ?? 0, topic === MESSAGES ? 1 : ROUND_REPORTS)
      const last = entries.at(-1)
      const isFull = last !== undefined && topic !== MESSAGES && this.#unsent(topic, last.id, 1).length > 0
      return { entries, upToId: isFull ? last.id : Number.POSITIVE_INFINITY }
    })
    const upToId = Math.min(...heads.map((head) => head.upToId))
    return heads.map(({ entries }) => entries.filter(({ id }) => id <= upToId)).filter(({ length }) => length > 0)
  }

  #unsent(topic: string, afterId: number, count: number): readonly Entry[] {
    return this.#options.store.unsent(topic, afterId, { count, bytes: MAXIMUM_ARRAY_BYTES, except: this.#live })
  }
}

function asPayload(entries: readonly Entry[]): string {
  const [first] = entries
  return entries.length === 1 && first ? first.payload : `[${entries.map(({ payload }) => payload).join(',')}]`
}
