import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'

const RETRY_MS = 3_000
/** The database rests after each run. */
const LONGEST_RUN_MS = 2_000
const REST_MS = 1_000
const DEVICES_AT_ONCE = 10
/** A day beyond retention was dropped meanwhile. */
const DROPPED_MEANWHILE = '42P01'
/** The first table says where this job looks, and the second notifies another job that a device is gone. */
const KEPT_TABLES = ['device_deletion', 'incident_due']
/** Other jobs write these for many devices at once, so another order of rows could deadlock. */
const WORKED_OUT = /^(rollup|dark_(due|span)|device_dark_day)/

/**
 * Empty tables are checked again: a batch that waited for the database in another process is stored after its device
 * was deleted. A day later none can be left.
 */
const LOOK_AGAIN_AFTER_MINUTES = [1, 10, 60, 6 * 60, 17 * 60] as const

interface Table {
  /** The name is quoted for use in a statement. */
  readonly name: string
  readonly isPartitioned: boolean
}

/** Some devices, and the tables that have not been searched yet. */
interface Round {
  readonly deviceIds: readonly DeviceId[]
  readonly tables: Table[]
}

export interface DeletedDevicesDeps {
  readonly log: { info(details: object, message: string): void }
  /** Runs before the first row goes, to subtract these devices from totals over several devices. */
  readonly takeOut: (owner: pg.Client, deviceIds: readonly DeviceId[]) => Promise<void>
}

/**
 * Deletes all data of deleted devices from every table that knows devices, some devices and one table at a time. The
 * audit log keeps its rows, and the device its number (rules/devices 7).
 */
export function deletedDevicesJob({ log, takeOut }: DeletedDevicesDeps): Job {
  // The next run goes on where the last one ended: there may be more tables than one run can search.
  let round: Round | undefined
  return {
    name: 'deleted devices',
    everyMs: TOLD_EVERY_MS,
    retryMs: RETRY_MS,
    async run(owner, _now, stopped) {
      const endsAt = performance.now() + LONGEST_RUN_MS
      const isOver = () => stopped.aborted || performance.now() > endsAt
      while (!isOver()) {
        if (round === undefined) {
          round = await nextRound(owner)
          if (round === undefined) return undefined
          await takeOut(owner, round.deviceIds)
        }
        if (!(await emptyTables(owner, round, isOver))) break
        const emptied = await noteEmpty(owner, round.deviceIds)
        round = undefined
        if (emptied.length > 0) log.info({ deviceIds: emptied }, 'the data of deleted devices is gone')
      }
      return { againInMs: REST_MS }
    },
  }
}

async function nextRound(owner: pg.Client): Promise<Round | undefined> {
  const deviceIds = await dueDevices(owner)
  return deviceIds.length === 0 ? undefined : { deviceIds, tables: await tablesOfDevices(owner) }
}

async function dueDevices(owner: pg.Client): Promise<DeviceId[]> {
  const { rows } = await owner.query<{ device_id: DeviceId }>(
    'select device_id from device_deletion where due_at <= now() order by due_at, device_id limit $1',
    [DEVICES_AT_ONCE],
  )
  return rows.map((row) => row.device_id)
}

/** @returns false when the time was over before all tables were empty */
async function emptyTables(owner: pg.Client, { deviceIds, tables }: Round, isOver: () => boolean): Promise<boolean> {
  for (let table = tables.at(-1); table !== undefined; table = tables.at(-1)) {
    if (isOver()) return false
    const parts = await emptyTable(owner, table, deviceIds).catch((error: { code?: string }) => {
      if (error.code !== DROPPED_MEANWHILE) throw error
      return []
    })
    tables.pop()
    tables.push(...parts)
  }
  return true
}

/**
 * Deletes the rows of a table. Of a partitioned one it only finds the partitions that have any: a day of some devices
 * is a short transaction, three months would be a long one.
 *
 * @returns what is to be emptied instead
 */
async function emptyTable(
  owner: pg.Client,
  { name, isPartitioned }: Table,
  deviceIds: readonly DeviceId[],
): Promise<readonly Table[]> {
  if (!isPartitioned) {
    await transactionOn(owner, async () => {
      if (WORKED_OUT.test(name))
        await owner.query(`select ${lockUntilCommit('rollups')}, ${lockUntilCommit('darkDays')}`)
      if (name === 'incident_part') await owner.query(`select ${lockUntilCommit('incidents')}`)
      await owner.query(`delete from ${name} where device_id = any($1::int[])`, [deviceIds])
    })
    return []
  }
  const { rows } = await owner.query<{ name: string }>(
    `select distinct tableoid::regclass::text as name from ${name} where device_id = any($1::int[])`,
    [deviceIds],
  )
  // A worker of Citus says which part of a partition it has: `rollup_202611_102008`.
  const names = rows.map((row) => row.name.replace(/(_\d{6,8})_\d+$/, '$1'))
  return [...new Set(names)].map((partition) => ({ name: partition, isPartitioned: false }))
}

/** Tables are found by their column, so that no later one is forgotten. */
async function tablesOfDevices(owner: pg.Client): Promise<Table[]> {
  const { rows } = await owner.query<Table>(
    `select c.oid::regclass::text as name, c.relkind = 'p' as "isPartitioned" from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'device_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and c.relname <> all($1)
     order by c.relname desc`,
    [KEPT_TABLES],
  )
  return rows
}

/** @returns devices whose last data has gone for the first time */
async function noteEmpty(owner: pg.Client, deviceIds: readonly DeviceId[]): Promise<DeviceId[]> {
  const { rows } = await owner.query<{ device_id: DeviceId; checks: number }>(
    `update device_deletion
     set checks = checks + 1, emptied_at = coalesce(emptied_at, now()),
       due_at = now() + make_interval(mins => ($2::int[])[checks + 1])
     where device_id = any($1::int[]) returning device_id, checks`,
    [deviceIds, LOOK_AGAIN_AFTER_MINUTES],
  )
  return rows.filter(({ checks }) => checks === 1).map((row) => row.device_id)
}
