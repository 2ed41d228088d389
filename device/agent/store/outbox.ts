import { MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import type { DeviceStore, Entry, Unkept } from './deviceStore.ts'

/** This is well below the server's limit, so that a proxy or a longer guid never matters. */
const MAXIMUM_ARRAY_BYTES = 48 * 1024
/** Messages are sent one by one, because their topic takes no arrays. */
const MESSAGES = 'messages'
const LIVE_IN_FLIGHT = 16
const BACKLOG_IN_FLIGHT = 2

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
 * those 16, follows beside it: components alternate, each oldest first, in arrays of up to 1000 reports or 48 KB, with
 * at most two arrays in flight.
 */
export interface Outbox {
  /** Resolves when it is on disk, or the disk has refused it; it does not wait for the sending. */
  record(topic: string, nowMs: number, payload: (at: Date) => object): Promise<void>
  /** The connection is up, so sending begins with what is on disk. */
  up(): void
  /** Entries that were in flight are unsent again. */
  down(): void
}

export function createOutbox({ store, keep, publish, isUp, onStored }: OutboxOptions): Outbox {
  /** Live entries that the backlog must not send too: in flight, or acknowledged and not yet deleted from the disk. */
  const live = new Set<number>()
  let livePackets = 0
  /** The newest entry of each topic that the backlog has taken. */
  const taken = new Map<string, number>()
  let backlogPackets = 0
  /** Tells connections apart, because acknowledgements of an earlier one no longer count. */
  let connection = 0
  let lastTopic = ''
  let mayHaveBacklog = false

  const sendLive = (entry: Entry) => {
    const mine = connection
    live.add(entry.id)
    livePackets++
    publish(entry.topic, entry.payload).then(
      async () => {
        if (mine === connection) livePackets--
        onStored?.(entry.topic)
        await store.remove([entry])
        if (mine === connection) live.delete(entry.id)
      },
      () => undefined,
    )
  }

  const unkept = new Set<Unkept>()
  const unkeptInFlight = new Set<Unkept>()

  const sendUnkept = () => {
    for (const one of unkept) {
      if (!isUp() || livePackets >= LIVE_IN_FLIGHT) return
      if (unkeptInFlight.has(one)) continue
      const mine = connection
      unkeptInFlight.add(one)
      livePackets++
      publish(one.topic, one.payload).then(
        () => {
          onStored?.(one.topic)
          unkept.delete(one)
          one.forget()
          if (mine !== connection) return
          livePackets--
          sendUnkept()
        },
        () => undefined,
      )
    }
  }

  const holdUnkept = (one: Unkept) => {
    unkept.add(one)
    void one.kept.then((entry) => {
      unkept.delete(one)
      if (!entry) return
      // The entry belongs to the backlog from now on; the server stores a report once even if it arrives twice.
      mayHaveBacklog = true
      sendBacklog()
    })
    sendUnkept()
  }

  const sendBacklog = () => {
    while (isUp() && mayHaveBacklog && backlogPackets < BACKLOG_IN_FLIGHT) {
      const entries = nextEntries()
      if (entries.length === 0) {
        mayHaveBacklog = false
        return
      }
      const mine = connection
      const topic = entries[0]?.topic ?? ''
      taken.set(topic, entries.at(-1)?.id ?? 0)
      backlogPackets++
      publish(topic, asPayload(entries)).then(
        () => {
          void store.remove(entries)
          if (mine !== connection) return
          backlogPackets--
          sendBacklog()
        },
        () => undefined,
      )
    }
  }

  const nextEntries = (): readonly Entry[] => {
    const topics = store.topics()
    const turn = topics.findIndex((topic) => topic > lastTopic)
    const inQueue = turn < 0 ? topics : [...topics.slice(turn), ...topics.slice(0, turn)]
    for (const topic of inQueue) {
      const entries = store.unsent(topic, taken.get(topic) ?? 0, {
        count: topic === MESSAGES ? 1 : MAXIMUM_REPORTS,
        bytes: MAXIMUM_ARRAY_BYTES,
        except: live,
      })
      if (entries.length > 0) {
        lastTopic = topic
        return entries
      }
    }
    return []
  }

  return {
    record: async (topic, nowMs, payload) => {
      const entry = await keep(topic, nowMs, payload)
      if ('forget' in entry) return holdUnkept(entry)
      // It was on disk before this callback, so a newer connection may have sent it with the backlog.
      if (entry.id <= (taken.get(topic) ?? 0)) return
      if (isUp() && livePackets < LIVE_IN_FLIGHT) return sendLive(entry)
      mayHaveBacklog = true
      sendBacklog()
    },
    up: () => {
      sendUnkept()
      mayHaveBacklog = true
      sendBacklog()
    },
    down: () => {
      connection++
      live.clear()
      unkeptInFlight.clear()
      livePackets = 0
      taken.clear()
      backlogPackets = 0
    },
  }
}

function asPayload(entries: readonly Entry[]): string {
  const [first] = entries
  return entries.length === 1 && first ? first.payload : `[${entries.map(({ payload }) => payload).join(',')}]`
}
