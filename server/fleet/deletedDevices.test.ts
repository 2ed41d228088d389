import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { settleDevices } from '#server/darkness/sums/darkSums.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { makeClosedMonth, partitionName } from '#server/db/partitions/partitions.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { fillTables } from '#server/testing/database/fillTables.ts'
import {
  DISPLAY,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import { deletedDevicesJob } from './deletedDevices.ts'

const running = new AbortController().signal

let fixture: TelemetryFixture
let told: object[]
beforeEach(async () => {
  fixture = await telemetryFixture()
  told = []
})
afterEach(() => fixture.close())

const newJob = () => deletedDevicesJob({ log: { info: (details) => told.push(details) }, takeOut: settleDevices })

/** Runs until nothing is due, which takes many runs on a busy machine. */
async function run(job = newJob()) {
  for (let runs = 0; runs < 50; runs++) {
    await job.run(fixture.owner, new Date(), running)
    const { rows } = await fixture.owner.query('select from device_deletion where due_at <= now()')
    if (rows.length === 0) return
  }
  throw new Error('The job did not come to its end.')
}

async function deletedDevices(count: number): Promise<DeviceId[]> {
  const ids = Array.from({ length: count }, () => fixture.newDevice())
  await fixture.owner.query('insert into device_deletion (device_id) select unnest($1::int[])', [ids])
  return ids
}

/** Stores a day of reports, each hour into its own place. */
async function report(deviceId: DeviceId) {
  const firstMs = Date.now() - 30 * HOUR_MS
  const reports = Array.from({ length: 30 }, (_, index) => ({
    atMs: firstMs + index * HOUR_MS,
    values: { load: index },
  }))
  const merging = fixture.writePath()
  await storeReports(merging, UPS, deviceId, reports)
  await merging.stop(10_000)
  // A later reading leaves a dirty range, as its process ends before it merges.
  const ending = fixture.writePath()
  await storeReports(ending, DISPLAY, deviceId, [{ atMs: firstMs, number: 3, values: { humidity: 900 } }])
  await ending.stop(0)
}

const TABLES = ['reading_look', 'reading_display', 'device_state', 'device_now', 'state_mark', 'rollup_mark']
async function rowsOf(deviceId: DeviceId): Promise<number[]> {
  const counts: number[] = []
  for (const table of TABLES) {
    const { rows } = await fixture.owner.query(`select count(*)::int from ${table} where device_id = $1`, [deviceId])
    counts.push(rows[0].count)
  }
  return counts
}
const deletion = async (deviceId: DeviceId) =>
  (await fixture.owner.query('select * from device_deletion where device_id = $1', [deviceId])).rows[0]
const makeDue = (deviceId: DeviceId) =>
  fixture.owner.query('update device_deletion set due_at = now() where device_id = $1 and due_at is not null', [
    deviceId,
  ])

test('everything of deleted devices goes, nothing of others, and the job says so once', async () => {
  const gone = await deletedDevices(3)
  const stays = fixture.newDevice()
  for (const deviceId of [...gone, stays]) await report(deviceId)
  const ofOther = await rowsOf(stays)
  expect(ofOther.every((count) => count > 0)).toBe(true)
  await run()
  for (const deviceId of gone) expect(await rowsOf(deviceId)).toEqual(TABLES.map(() => 0))
  expect(await rowsOf(stays)).toEqual(ofOther)
  expect(told).toEqual([{ deviceIds: gone }])
  await run()
  expect(told).toHaveLength(1)
})

/** Only its number is left: of what was deleted, in incidents until they are worked out anew, in what people planned. */
const STILL_NAMED = [
  'device_deletion.device_id',
  'incident_due.device_id',
  'incident_share.cause_device_id',
  'maintenance_window.target_device_id',
]

/** These may be empty, and are in rows that are made of types alone. */
const UNFILLED = ['alert_condition.device_id', 'maintenance_window.target_device_ids', 'unproved_change.device_ids']

test('no table knows a deleted device any longer, whatever it calls it', async () => {
  const day = new Date()
  await makeClosedMonth(fixture.owner, day)
  await transactionOn(fixture.owner, () => fillTables(fixture.owner, 1, day))
  const columns = await deviceColumns()
  const ids = new Set<number>()
  const unfilled = []
  for (const column of columns) {
    const named = await devicesIn(column)
    if (named.length === 0) unfilled.push(nameOf(column))
    for (const id of named) ids.add(id)
  }
  expect(unfilled).toEqual(UNFILLED)
  await fixture.owner.query(
    `insert into device_deletion (device_id) select unnest($1::int[])
     on conflict (device_id) do update set due_at = now(), checks = 0, emptied_at = null`,
    [[...ids]],
  )
  await run()
  const left = []
  for (const column of columns) if ((await devicesIn(column)).length > 0) left.push(nameOf(column))
  expect(left).toEqual(STILL_NAMED)
})

const nameOf = ({ table, name }: DeviceColumn) => `${table}.${name}`

interface DeviceColumn {
  readonly table: string
  readonly name: string
}

async function deviceColumns(): Promise<readonly DeviceColumn[]> {
  const { rows } = await fixture.owner.query<DeviceColumn>(
    `select c.relname as table, a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
       and a.attname ~ '(^|_)device_ids?$' and a.atttypid in ('integer'::regtype, 'integer[]'::regtype) order by 1, 2`,
  )
  return rows
}

async function devicesIn({ table, name }: DeviceColumn): Promise<number[]> {
  const { rows } = await fixture.owner.query<{ ids: number[] }>(
    `select coalesce(array_agg(device), '{}') as ids from ${table},
       unnest(string_to_array(trim(both '{}' from ${name}::text), ',')::integer[]) device`,
  )
  return rows[0]?.ids ?? []
}

test('what a late batch stores after that goes at one of the next looks, which end after a day', async () => {
  const [deviceId] = (await deletedDevices(1)) as [DeviceId]
  const waits: number[] = []
  for (let look = 0; look < 6; look++) {
    await report(deviceId)
    await run()
    expect(await rowsOf(deviceId)).toEqual(TABLES.map(() => 0))
    const { due_at, checks } = await deletion(deviceId)
    expect(checks).toBe(look + 1)
    if (due_at) waits.push(Math.round((due_at.getTime() - Date.now()) / 60_000))
    await makeDue(deviceId)
  }
  expect(waits).toEqual([1, 10, 60, 360, 1020])
  expect((await deletion(deviceId)).due_at).toBeNull()
  expect(told).toHaveLength(1)
})

test('a job that is stopped on its way says nothing, and goes on where it was', async () => {
  const [deviceId] = (await deletedDevices(1)) as [DeviceId]
  await report(deviceId)
  const job = newJob()
  const query = fixture.owner.query.bind(fixture.owner)
  const looked: string[] = []
  const runFor = async (most: number) => {
    const stopping = new AbortController()
    let deletes = 0
    fixture.owner.query = ((...parameters: Parameters<typeof query>) => {
      const [, table] = /^delete from (\w+)/.exec(String(parameters[0])) ?? []
      if (table) looked.push(table)
      if (table && ++deletes === most) stopping.abort()
      return query(...parameters)
    }) as typeof query
    await job.run(fixture.owner, new Date(), stopping.signal)
    fixture.owner.query = query
  }
  for (let part = 0; part < 3; part++) await runFor(3)
  expect(looked).toHaveLength(9)
  expect(await deletion(deviceId)).toMatchObject({ checks: 0, emptied_at: null })
  expect(told).toEqual([])
  while (told.length === 0) await runFor(100)
  expect(new Set(looked).size).toBe(looked.length)
  expect(await rowsOf(deviceId)).toEqual(TABLES.map(() => 0))
  expect(told).toEqual([{ deviceIds: [deviceId] }])
})

test('a day that is dropped on the way keeps nothing from going', async () => {
  const [deviceId] = (await deletedDevices(1)) as [DeviceId]
  await report(deviceId)
  const job = newJob()
  const query = fixture.owner.query.bind(fixture.owner)
  // The partition is dropped between the listing of tables and the reading of it.
  fixture.owner.query = (async (...parameters: Parameters<typeof query>) => {
    const answer = await (query as (...all: unknown[]) => Promise<unknown>)(...parameters)
    if (/tableoid.* from reading_look/.test(String(parameters[0]))) {
      await query(`drop table ${partitionName('reading_look', Math.floor(Date.now() / DAY_MS) * DAY_MS)}`)
    }
    return answer
  }) as typeof query
  await job.run(fixture.owner, new Date(), running)
  fixture.owner.query = query
  await run(job)
  expect(await rowsOf(deviceId)).toEqual(TABLES.map(() => 0))
})

test('rows that roll-ups work on go after them', async () => {
  const [deviceId] = (await deletedDevices(1)) as [DeviceId]
  await report(deviceId)
  const rollups = await fixture.connectOwner()
  await rollups.query(`begin; select ${lockUntilCommit('rollups')}`)
  const running = run()
  const waits = `select from pg_locks where not granted and locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`
  await vi.waitUntil(async () => (await rollups.query(waits)).rowCount === 1, { timeout: 20_000, interval: 10 })
  await rollups.query('commit')
  await running
  expect(await rowsOf(deviceId)).toEqual(TABLES.map(() => 0))
  await rollups.end()
})

test('more devices than go at once all go', async () => {
  const gone = await deletedDevices(120)
  const last = gone.at(-1) as DeviceId
  await report(last)
  await run()
  expect(await rowsOf(last)).toEqual(TABLES.map(() => 0))
  expect(told.flatMap((one) => (one as { deviceIds: DeviceId[] }).deviceIds).sort((a, b) => a - b)).toEqual(gone)
})
