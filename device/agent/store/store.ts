import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigurationError } from './configuration.ts'
import { type DeviceStore, ENTRY_BYTES_SQL, openDeviceStore } from './deviceStore.ts'
import { createGroupCommit } from './groupCommit.ts'

const SCHEMA = `
create table if not exists device (id integer primary key, guid text not null unique);
create table if not exists unsent (
  id integer primary key autoincrement,
  device_id integer not null,
  topic text not null,
  payload text not null
);
create index if not exists unsent_by_topic on unsent (device_id, topic, id);
create table if not exists used_time (
  device_id integer not null, topic text not null, at_ms integer not null, era integer not null,
  primary key (device_id, topic)
) without rowid;
create table if not exists unplaced (
  id integer primary key, device_id integer not null, epoch text not null, steady_ms real not null
);
create trigger if not exists placed_or_gone after delete on unsent begin
  delete from unplaced where id = old.id;
end;
create table if not exists seen_command (
  device_id integer not null, id text not null, forget_at_ms integer not null, reply text,
  primary key (device_id, id)
) without rowid;
create table if not exists remembered (
  device_id integer not null, name text not null, value text not null,
  primary key (device_id, name)
) without rowid;
`
/** A full store drops this share at once, so that not every report pays for the next. */
const DROPPED_SHARE = 0.05

export interface StoreOptions {
  readonly file: string
  /** The oldest unsent entries are dropped beyond this size. */
  readonly maximumBytes: number
  /** Everything that arrives within this time is written together. */
  readonly groupMs: number
  readonly onDropped: (deviceGuid: string, count: number) => void
  /** Called once when the disk refuses writes, and when it accepts them again. */
  readonly say: (sentence: string) => void
}

/** Unsent reports, and what must not happen twice. One file serves all agents of a process. */
export interface AgentStore {
  device(guid: string): DeviceStore
  /** Writes what waits, and closes. */
  close(): void
}

/**
 * Creates the file if it is missing. Every commit has reached the disk (WAL, `synchronous=FULL`). Throws
 * `ConfigurationError` when another process has the file, or it cannot be written.
 */
export function openStore(options: StoreOptions): AgentStore {
  const database = openAlone(options.file)

  const size = {
    bytes: Number(database.prepare(`select coalesce(sum(${ENTRY_BYTES_SQL}), 0) as bytes from unsent`).get()?.bytes),
  }
  const group = createGroupCommit({
    database,
    groupMs: options.groupMs,
    onFailed: ({ message }) =>
      options.say(`The disk takes nothing (${message}): reports are sent without being kept until it does.`),
    onRecovered: () => options.say('The disk takes what is to be kept again.'),
    afterCommit: () => {
      if (size.bytes <= options.maximumBytes) return
      const dropped = dropOldest(database, size, options.maximumBytes * (1 - DROPPED_SHARE))
      for (const [guid, count] of dropped) options.onDropped(guid, count)
    },
  })
  const insertDevice = database.prepare('insert into device (guid) values (?) on conflict do nothing')
  const findDevice = database.prepare('select id from device where guid = ?')
  return {
    device: (guid) => {
      insertDevice.run(guid)
      return openDeviceStore({ database, group, size, deviceId: Number(findDevice.get(guid)?.id) })
    },
    close: () => {
      group.close()
      database.close()
    },
  }
}

/** Two agents on one store would send everything twice, so the first one locks the file. */
function openAlone(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(file)
    database.exec(
      'pragma busy_timeout = 3000; pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;',
    )
    database.exec(SCHEMA)
    return database
  } catch (error) {
    const reason = (error as Error).message
    throw new ConfigurationError(
      /locked|busy/.test(reason) ? `Another agent is already running on ${file}.` : `Cannot use ${file}: ${reason}.`,
    )
  }
}

/** Drops the oldest entries of all devices until `wantedBytes` remain; returns how many of each device. */
function dropOldest(database: DatabaseSync, size: { bytes: number }, wantedBytes: number): ReadonlyMap<string, number> {
  const dropped = new Map<string, number>()
  const entries = database
    .prepare(
      `select unsent.id, guid, ${ENTRY_BYTES_SQL} as bytes
       from unsent join device on device.id = device_id order by unsent.id`,
    )
    .iterate()
  let lastId = 0
  let bytes = size.bytes
  for (const entry of entries) {
    if (bytes <= wantedBytes) break
    lastId = Number(entry.id)
    bytes -= Number(entry.bytes)
    dropped.set(String(entry.guid), (dropped.get(String(entry.guid)) ?? 0) + 1)
  }
  database.prepare('delete from unsent where id <= ?').run(lastId)
  size.bytes = bytes
  return dropped
}
