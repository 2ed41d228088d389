import type { DatabaseSync } from 'node:sqlite'
import type { SteadyMoment } from '../clocks/steadyClock.ts'
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

export function openDeviceStore(options: {
  readonly database: DatabaseSync
  readonly group: GroupCommit
  readonly size: { bytes: number }
  readonly deviceId: number
}): DeviceStore {
  const { group, size, deviceId } = options
  const statements = prepareStatements(options.database)
  const usedTimes = new Map<string, UsedTime>()
  const lastTime = (topic: string): UsedTime | undefined => {
    const row = usedTimes.has(topic) ? undefined : statements.findTime.get(deviceId, topic)
    if (row) usedTimes.set(topic, { atMs: Number(row.at_ms), era: Number(row.era) })
    return usedTimes.get(topic)
  }

  /** Holds remembered values that the disk has refused. */
  const unkept = new Map<string, string>()
  const keepRemembered = (name: string): Write => ({
    run: () => {
      const value = unkept.get(name)
      if (value !== undefined) statements.remember.run(deviceId, name, value)
    },
    done: () => unkept.delete(name),
  })

  return {
    append: (topic, nowMs, payload, recorded) => {
      const time = nextReportTime(nowMs, lastTime(topic))
      usedTimes.set(topic, time)
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
          const time = nextReportTime(placedMs, placed.get(topic) ?? beginOfNextEra(lastTime(topic)))
          placed.set(topic, time)
          statements.rewrite.run(JSON.stringify({ ...payload, at: new Date(time.atMs).toISOString() }), Number(row.id))
        }
        for (const [topic, { atMs, era }] of placed) {
          const time = { atMs: Math.max(atMs, lastTime(topic)?.atMs ?? 0), era }
          usedTimes.set(topic, time)
          statements.keepTime.run(deviceId, topic, time.atMs, era)
        }
        // Entries of other starts are forgotten too, because nothing can date them any more.
        statements.forgetUnplaced.run(deviceId)
      }
      return new Promise((resolve) => group.add({ run, done: () => resolve() }))
    },
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
    remember: (name, value) => {
      statements.remember.run(deviceId, name, value)
      unkept.delete(name)
    },
    rememberSoon: (name, value) => {
      try {
        statements.remember.run(deviceId, name, value)
        unkept.delete(name)
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
    lastReportMs: (topic) => lastTime(topic)?.atMs,
  }
}

const SQLITE_IO_ERROR = 10
const SQLITE_FULL = 13

/** True when the disk is full or fails; errors of a statement have other numbers. */
function isOfDisk(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: number }
  return [SQLITE_IO_ERROR, SQLITE_FULL].includes((errcode ?? 0) & 0xff)
}

type Statements = ReturnType<typeof createStatements>
const prepared = new WeakMap<DatabaseSync, Statements>()

/** Prepares once for all devices of a file. */
function prepareStatements(database: DatabaseSync): Statements {
  const known = prepared.get(database) ?? createStatements(database)
  prepared.set(database, known)
  return known
}

function createStatements(database: DatabaseSync) {
  return {
    insert: database.prepare('insert into unsent (device_id, topic, payload) values (?, ?, ?)'),
    remove: database.prepare('delete from unsent where id = ?'),
    keepUnplaced: database.prepare('insert into unplaced (id, device_id, epoch, steady_ms) values (?, ?, ?, ?)'),
    unplaced: database.prepare(
      `select id, topic, payload, steady_ms from unplaced p join unsent u using (id)
       where p.device_id = ? and epoch = ? order by id`,
    ),
    rewrite: database.prepare('update unsent set payload = ? where id = ?'),
    forgetUnplaced: database.prepare('delete from unplaced where device_id = ?'),
    unsent: database.prepare('select id, payload from unsent where device_id = ? and topic = ? and id > ? order by id'),
    nextTopic: database.prepare('select min(topic) as topic from unsent where device_id = ? and topic > ?'),
    keepTime: database.prepare(
      `insert into used_time values (?, ?, ?, ?)
       on conflict do update set at_ms = excluded.at_ms, era = excluded.era`,
    ),
    findTime: database.prepare('select at_ms, era from used_time where device_id = ? and topic = ?'),
    recordCommand: database.prepare(
      'insert into seen_command (device_id, id, forget_at_ms) values (?, ?, ?) on conflict do nothing',
    ),
    forgetCommands: database.prepare('delete from seen_command where device_id = ? and forget_at_ms < ?'),
    keepReply: database.prepare('update seen_command set reply = ? where device_id = ? and id = ?'),
    findReply: database.prepare('select reply from seen_command where device_id = ? and id = ?'),
    remember: database.prepare(
      'insert into remembered values (?, ?, ?) on conflict do update set value = excluded.value',
    ),
    findRemembered: database.prepare('select value from remembered where device_id = ? and name = ?'),
  }
}
