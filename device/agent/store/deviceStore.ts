import type { DatabaseSync } from 'node:sqlite'
import type { SteadyMoment } from '../clocks/steadyClock.ts'
import { prepareStatements, type Statements } from './deviceStatements.ts'
import type { GroupCommit, Write } from './groupCommit.ts'
import { beginOfNextEra, nextReportTime, type UsedTime } from './reportClock.ts'

const ROW_OVERHEAD_BYTES = 90
/** The space that one row of `unsent` takes, with its index. */
export const ENTRY_BYTES_SQL = `(length(topic) + length(payload) + ${ROW_OVERHEAD_BYTES})`
const entryBytes = ({ topic, payload }: Omit<Entry, 'id'>) => topic.length + payload.length + ROW_OVERHEAD_BYTES

/** One report or message that the server has not acknowledged. Ids rise with time. */
export interface Entry {
  readonly id: number
  /** The topic is relative to the device's root, e.g. `events/display/2`. */
  readonly topic: string
  readonly payload: string
}

/** An entry that the disk has refused. It waits in memory until the disk accepts it. */
export interface Unkept extends Omit<Entry, 'id'> {
  /** Undefined when it was forgotten, or dropped because too many wait. */
  readonly kept: Promise<Entry | undefined>
  /** The server has it, so it need not be kept. */
  forget(): void
}

export interface UnsentBounds {
  readonly count: number
  readonly bytes: number
  readonly except: ReadonlySet<number>
}

export interface DeviceStore {
  /**
   * Gives the entry its time, and resolves when it is on disk, or when the disk refuses it.
   *
   * @param recorded the steady moment from which its time follows later, if its time is not known yet
   */
  append(topic: string, nowMs: number, payload: (at: Date) => object, recorded?: SteadyMoment): Promise<Entry | Unkept>
  /**
   * Dates the entries of an epoch whose time was not known; resolves when that is on disk.
   *
   * @param timeOf maps an entry's time and steady moment to its new time; undefined keeps the time
   */
  place(epoch: string, timeOf: (atMs: number, steadyMs: number) => number | undefined): Promise<void>
  /** Returns the topics that have unsent entries, by name. */
  topics(): readonly string[]
  /** Returns unsent entries of a topic with ids above `afterId`, oldest first; at least one if there is one. */
  unsent(topic: string, afterId: number, bounds: UnsentBounds): readonly Entry[]
  /** Forgets acknowledged entries; resolves when the disk has forgotten them. */
  remove(entries: readonly Entry[]): Promise<void>
  /** True the first time, and then on disk when it returns. Forgets expired commands. */
  isFirst(commandId: string, forgetAt: Date, now: Date): boolean
  keepReply(commandId: string, reply: string): void
  keptReply(commandId: string): string | undefined
  remember(name: string, value: string): void
  /** Measuring must not wait for the disk: while it refuses, the value is remembered in memory alone. */
  rememberSoon(name: string, value: string): void
  remembered(name: string): string | undefined
  /** Returns when this component last reported, even after the entry is gone. */
  lastReportMs(topic: string): number | undefined
}

interface StoreOfDevice {
  readonly database: DatabaseSync
  readonly group: GroupCommit
  readonly size: { bytes: number }
  readonly deviceId: number
}

export function openDeviceStore(options: StoreOfDevice): DeviceStore {
  const statements = prepareStatements(options.database)
  const times = new UsedTimes(statements, options.deviceId)
  const lastReportMs = (topic: string) => times.last(topic)?.atMs
  return {
    ...recording(options, statements, times),
    ...sending(options, statements),
    ...commandsOf(options, statements),
    ...rememberedOf(options, statements),
    lastReportMs,
  }
}

/** The newest time that each topic has used. They are read once, because every report asks. */
class UsedTimes {
  readonly #statements: Statements
  readonly #deviceId: number
  readonly #known = new Map<string, UsedTime>()

  constructor(statements: Statements, deviceId: number) {
    this.#statements = statements
    this.#deviceId = deviceId
  }

  last(topic: string): UsedTime | undefined {
    const row = this.#known.has(topic) ? undefined : this.#statements.findTime.get(this.#deviceId, topic)
    if (row) this.#known.set(topic, { atMs: Number(row.at_ms), era: Number(row.era) })
    return this.#known.get(topic)
  }

  use(topic: string, time: UsedTime): void {
    this.#known.set(topic, time)
  }
}

/** Gives entries their times. */
function recording(
  { group, size, deviceId }: StoreOfDevice,
  statements: Statements,
  times: UsedTimes,
): Pick<DeviceStore, 'append' | 'place'> {
  return {
    append: (topic, nowMs, payload, recorded) => {
      const time = nextReportTime(nowMs, times.last(topic))
      times.use(topic, time)
      const text = JSON.stringify(payload(new Date(time.atMs)))
      return new Promise((resolve, reject) => {
        let id = 0
        const kept = Promise.withResolvers<Entry | undefined>()
        const write: Write = {
          run: () => {
            id = Number(statements.insert.run(deviceId, topic, text).lastInsertRowid)
            statements.keepTime.run(deviceId, topic, time.atMs, time.era)
            if (recorded) statements.keepUnplaced.run(id, deviceId, recorded.epoch, recorded.steadyMs)
          },
          done: (error) => {
            if (error) {
              kept.resolve(undefined)
              return reject(error)
            }
            const entry = { id, topic, payload: text }
            size.bytes += entryBytes(entry)
            kept.resolve(entry)
            resolve(entry)
          },
          refused: () => {
            const forget = () => {
              group.withdraw(write)
              kept.resolve(undefined)
            }
            resolve({ topic, payload: text, kept: kept.promise, forget })
          },
        }
        group.add(write)
      })
    },
    place: (epoch, timeOf) => {
      const run = () => {
        const placed = new Map<string, UsedTime>()
        for (const row of statements.unplaced.all(deviceId, epoch)) {
          const [topic, payload] = [String(row.topic), JSON.parse(String(row.payload)) as { at: string }]
          const placedMs = timeOf(Date.parse(payload.at), Number(row.steady_ms))
          if (placedMs === undefined) continue
          const time = nextReportTime(placedMs, placed.get(topic) ?? beginOfNextEra(times.last(topic)))
          placed.set(topic, time)
          statements.rewrite.run(JSON.stringify({ ...payload, at: new Date(time.atMs).toISOString() }), Number(row.id))
        }
        for (const [topic, { atMs, era }] of placed) {
          const time = { atMs: Math.max(atMs, times.last(topic)?.atMs ?? 0), era }
          times.use(topic, time)
          statements.keepTime.run(deviceId, topic, time.atMs, era)
        }
        // Entries of other starts are forgotten too, because nothing can date them any more.
        statements.forgetUnplaced.run(deviceId)
      }
      return new Promise((resolve) => group.add({ run, done: () => resolve() }))
    },
  }
}

/** Reads what is to be sent, and forgets what was acknowledged. */
function sending(
  { group, size, deviceId }: StoreOfDevice,
  statements: Statements,
): Pick<DeviceStore, 'topics' | 'unsent' | 'remove'> {
  return {
    topics: () => {
      const names: string[] = []
      for (;;) {
        const next = statements.nextTopic.get(deviceId, names.at(-1) ?? '')?.topic
        if (typeof next !== 'string') return names
        names.push(next)
      }
    },
    unsent: (topic, afterId, bounds) => {
      const entries: Entry[] = []
      let bytes = 0
      for (const row of statements.unsent.iterate(deviceId, topic, afterId)) {
        const entry = { id: Number(row.id), topic, payload: String(row.payload) }
        if (bounds.except.has(entry.id)) continue
        bytes += Buffer.byteLength(entry.payload) + 1
        if (entries.length > 0 && bytes > bounds.bytes) break
        entries.push(entry)
        if (entries.length >= bounds.count) break
      }
      return entries
    },
    remove: (entries) =>
      new Promise((resolve) => {
        let bytes = 0
        group.add({
          run: () => {
            bytes = 0
            for (const entry of entries) {
              if (Number(statements.remove.run(entry.id).changes) > 0) bytes += entryBytes(entry)
            }
          },
          done: (error) => {
            if (!error) size.bytes -= bytes
            resolve()
          },
        })
      }),
  }
}

/** Keeps the ids of commands, so that none is carried out twice, and their replies. */
const commandsOf = (
  { deviceId }: StoreOfDevice,
  statements: Statements,
): Pick<DeviceStore, 'isFirst' | 'keepReply' | 'keptReply'> => ({
  isFirst: (commandId, forgetAt, now) => {
    statements.forgetCommands.run(deviceId, now.getTime())
    return Number(statements.recordCommand.run(deviceId, commandId, forgetAt.getTime()).changes) === 1
  },
  keepReply: (commandId, reply) => {
    statements.keepReply.run(reply, deviceId, commandId)
  },
  keptReply: (commandId) => {
    const reply = statements.findReply.get(deviceId, commandId)?.reply
    return typeof reply === 'string' ? reply : undefined
  },
})

function rememberedOf(
  { group, deviceId }: StoreOfDevice,
  statements: Statements,
): Pick<DeviceStore, 'remember' | 'rememberSoon' | 'remembered'> {
  /** Holds remembered values that the disk has refused. */
  const unkept = new Map<string, string>()
  const keepRemembered = (name: string): Write => ({
    run: () => {
      const value = unkept.get(name)
      if (value !== undefined) statements.remember.run(deviceId, name, value)
    },
    done: () => unkept.delete(name),
  })
  const remember = (name: string, value: string) => {
    statements.remember.run(deviceId, name, value)
    unkept.delete(name)
  }
  return {
    remember,
    rememberSoon: (name, value) => {
      try {
        remember(name, value)
      } catch (error) {
        if (!isOfDisk(error)) throw error
        const isWaiting = unkept.has(name)
        unkept.set(name, value)
        if (!isWaiting) group.add(keepRemembered(name))
      }
    },
    remembered: (name) => {
      if (unkept.has(name)) return unkept.get(name)
      const value = statements.findRemembered.get(deviceId, name)?.value
      return typeof value === 'string' ? value : undefined
    },
  }
}

const SQLITE_IO_ERROR = 10
const SQLITE_FULL = 13

/** True when the disk is full or fails; errors of a statement have other numbers. */
function isOfDisk(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: number }
  return [SQLITE_IO_ERROR, SQLITE_FULL].includes((errcode ?? 0) & 0xff)
}
