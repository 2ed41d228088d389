import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { openPools } from '#server/app/pools.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { KEPT_DAYS } from '#server/testing/database/keptDays.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import {
  DISPLAY,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { WritePath } from '../write/WritePath.ts'
import { readCurrentState, readNewestReports } from './currentState.ts'
import { orphanedStateJob } from './orphanedState.ts'

let fixture: TelemetryFixture
/** This connection runs nothing of the product, and no test ends it. */
let reader: pg.Client
beforeAll(async () => {
  fixture = await telemetryFixture()
  reader = await fixture.connectOwner()
})
const pools: pg.Pool[] = []
afterAll(async () => {
  await Promise.all([reader.end(), ...pools.map((pool) => pool.end())])
  await fixture.close()
})

/** Makes the write path of another process, with few connections and long-trusted dirty ranges. */
function processPath() {
  return pathAndPool().path
}

function pathAndPool() {
  const pool = openPool(fixture.database.applicationUrl, { maximumConnections: 2, name: 'test' })
  pools.push(pool)
  const silent = { onStored: () => undefined, log: () => undefined }
  return { pool, path: new WritePath({ pool, lanes: 1, retentionDays: KEPT_DAYS, ...silent }) }
}

const FIELDS = ['load', 'temp', 'status', 'battery_runtime']

async function foldOf(deviceId: DeviceId) {
  const { rows } = await fixture.owner.query<Record<string, unknown> & { device_dt: Date }>(
    `select device_dt, ${FIELDS.join(', ')} from readings_of_ups
     where device_id = $1 and claimed_at is null order by device_dt`,
    [deviceId],
  )
  const state: Record<string, unknown> = {}
  for (const row of rows) {
    for (const name of FIELDS) if (row[name] !== null) state[`u_${name}`] = [row[name], row.device_dt.getTime()]
  }
  return state
}

async function stateOf(deviceId: DeviceId) {
  const readings = await readCurrentState(reader, deviceId)
  return Object.fromEntries(readings.map(({ numbered, value, at }) => [numbered.wireName, [value, at.getTime()]]))
}

async function storedStateOf(deviceId: DeviceId) {
  const { rows } = await fixture.owner.query<{ fields: Record<string, unknown> }>(
    'select fields from device_state where device_id = $1',
    [deviceId],
  )
  return Object.fromEntries(Object.entries(rows[0]?.fields ?? {}).map(([name, value]) => [`u_${name}`, value]))
}

const marksOf = async (deviceId: DeviceId) =>
  (await fixture.owner.query('select from state_mark where device_id = $1', [deviceId])).rowCount

const mergeOrphans = () => orphanedStateJob.run(fixture.owner, new Date(), new AbortController().signal)

async function loseConnections() {
  await fixture.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'wayside test'`,
  )
}

async function allMerged() {
  const left = async () => {
    await mergeOrphans()
    return (await fixture.owner.query('select from state_session')).rowCount
  }
  await eventually(left, (count) => count === 0)
}

test('whatever is merged when, and whichever connection is lost, the state is the fold of the readings', async () => {
  const chance = seededRandom()
  const upTo = (limit: number) => Math.floor(chance() * limit)
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS
  const randomReport = (round: number) => {
    const values: Record<string, unknown> = {}
    for (const name of FIELDS) {
      if (chance() < 0.5) values[name] = name === 'status' ? `word ${upTo(9)}` : upTo(1000)
    }
    // Times move forward, and some reports are late.
    return { atMs: startMs + (round * 150 + upTo(200) - (chance() < 0.2 ? 5_000 : 0)) * 1000, values }
  }
  const devices = Array.from({ length: 6 }, () => fixture.newDevice())
  let paths = [processPath(), processPath()]
  const merges: Promise<unknown>[] = []
  for (let round = 0; round < 60; round++) {
    const stored = devices.map((deviceId) => {
      const path = paths[upTo(2)] as WritePath
      return storeReports(
        path,
        UPS,
        deviceId,
        Array.from({ length: upTo(4) }, () => randomReport(round)),
      )
    })
    // Merges run beside the batches, not after them.
    if (chance() < 0.4) merges.push(...paths.map((path) => path.mergeState().catch(() => undefined)))
    if (chance() < 0.1) await loseConnections()
    if (chance() < 0.3) merges.push(mergeOrphans().catch(() => undefined))
    // A killed process merges nothing any more.
    if (chance() < 0.1) paths = [processPath(), paths[0] as WritePath]
    await Promise.all(stored)
    for (const deviceId of devices.slice(0, 2)) expect(await stateOf(deviceId)).toEqual(await foldOf(deviceId))
    await Promise.all(merges.splice(0))
  }
  await loseConnections()
  await allMerged()
  for (const deviceId of devices) {
    expect(await marksOf(deviceId)).toBe(0)
    expect(await storedStateOf(deviceId)).toEqual(await foldOf(deviceId))
  }
}, 120_000)

test('a reading after the loss of its connection is known, although what that one left was merged', async () => {
  const deviceId = fixture.newDevice()
  const path = processPath()
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  await storeReports(path, UPS, deviceId, [{ atMs: startMs, values: { load: 1 } }])
  await loseConnections()
  await allMerged()
  await storeReports(path, UPS, deviceId, [{ atMs: startMs + 1, values: { load: 2 } }])
  expect(await stateOf(deviceId)).toEqual({ u_load: [2, startMs + 1] })
})

test('what comes late is merged with what is newer, and takes nothing back', async () => {
  const deviceId = fixture.newDevice()
  const path = processPath()
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  await storeReports(path, UPS, deviceId, [{ atMs: startMs + 2, values: { load: 2, temp: 2 } }])
  await path.mergeState()
  await storeReports(path, UPS, deviceId, [{ atMs: startMs - 1, values: { temp: 1, status: 'late' } }])
  await storeReports(path, UPS, deviceId, [{ atMs: startMs + 3, values: { load: 3 } }])
  await path.mergeState()
  const merged = { u_load: [3, startMs + 3], u_temp: [2, startMs + 2], u_status: ['late', startMs - 1] }
  expect(await storedStateOf(deviceId)).toEqual(merged)
})

test('what comes late is merged soon, what comes in time is not', async () => {
  const deviceId = fixture.newDevice()
  const other = fixture.newDevice()
  const path = processPath()
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  await storeReports(path, UPS, other, [{ atMs: Date.now(), values: { load: 1 } }])
  await storeReports(path, UPS, deviceId, [{ atMs: startMs - 1, values: { load: 2 } }])
  await eventually(
    () => marksOf(deviceId),
    (count) => count === 0,
  )
  expect(await storedStateOf(deviceId)).toEqual(await foldOf(deviceId))
  expect(await marksOf(other)).toBe(1)
})

test('reports of the same fields leave one mark, however many they are', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath(1)
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  for (let second = 0; second < 30; second++) {
    await storeReports(path, UPS, deviceId, [{ atMs: startMs + second * 1000, values: { load: second, temp: 1 } }])
  }
  expect(await marksOf(deviceId)).toBe(1)
  await storeReports(path, UPS, deviceId, [{ atMs: startMs + 60_000, values: { status: 'OL' } }])
  await storeReports(path, UPS, deviceId, [{ atMs: startMs - 60_000, values: { load: 5 } }])
  expect(await marksOf(deviceId)).toBe(3)
  await path.mergeState()
  expect(await marksOf(deviceId)).toBe(0)
  expect(await storedStateOf(deviceId)).toEqual(await foldOf(deviceId))
})

test('a mark of each connection is enough, in whichever order lanes are lent them', async () => {
  const deviceId = fixture.newDevice()
  const { pool, path } = pathAndPool()
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  for (let second = 0; second < 10; second += 2) {
    await storeReports(path, UPS, deviceId, [{ atMs: startMs + second * 1000, values: { load: second } }])
    // Another shard is using the connection of just now.
    const lent = await pool.connect()
    await storeReports(path, UPS, deviceId, [{ atMs: startMs + (second + 1) * 1000, values: { load: second + 1 } }])
    lent.release()
  }
  expect(await marksOf(deviceId)).toBe(2)
  expect(await stateOf(deviceId)).toEqual(await foldOf(deviceId))
  await path.mergeState()
  expect(await marksOf(deviceId)).toBe(0)
  expect(await storedStateOf(deviceId)).toEqual(await foldOf(deviceId))
})

test('a lane leaves one mark of a component, whatever else its process asks of the database', async () => {
  const deviceId = fixture.newDevice()
  const own = openPools(fixture.database)
  const { reports } = own
  const silent = { onStored: () => undefined, log: () => undefined }
  const path = new WritePath({ pool: reports.beside, lanePools: reports.lanes, retentionDays: KEPT_DAYS, ...silent })
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  for (let second = 0; second < 10; second += 2) {
    await storeReports(path, UPS, deviceId, [{ atMs: startMs + second * 1000, values: { load: second } }])
    const lent = await reports.beside.connect()
    await storeReports(path, UPS, deviceId, [{ atMs: startMs + (second + 1) * 1000, values: { load: second + 1 } }])
    lent.release()
  }
  expect(await marksOf(deviceId)).toBe(1)
  await path.stop(10_000)
  await own.end()
})

test('the newest report counts although it says nothing of any field', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath(1)
  const nowMs = Date.now()
  await storeReports(path, DISPLAY, deviceId, [{ atMs: nowMs - 5000, number: 2, values: { humidity: 40 } }])
  await storeReports(path, UPS, deviceId, [{ atMs: nowMs - 1000, values: {} }])
  expect((await readNewestReports(fixture.pool, [deviceId])).get(deviceId)).toEqual(new Date(nowMs - 1000))
})

test('lists know of a device what its process had no time to write', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath(1)
  const atMs = Date.now() - 1000
  await storeReports(path, DISPLAY, deviceId, [
    { atMs, values: { internal_temp: 41.5 } },
    { atMs, number: 3, values: { internal_temp: 48.5 } },
  ])
  await loseConnections()
  await allMerged()
  const { rows } = await fixture.owner.query(
    'select newest_at, internal_temp, display2_internal_temp, display3_internal_temp from device_now where device_id = $1',
    [deviceId],
  )
  expect(rows).toEqual([
    { newest_at: new Date(atMs), internal_temp: 41.5, display2_internal_temp: null, display3_internal_temp: 48.5 },
  ])
})

test('lists know a new value at once, and of values that hardly move only now and then that the device was heard', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath(1)
  const startMs = Date.now() - 10_000
  const report = async (second: number, internalTemp: number) => {
    const atMs = startMs + second * 1000
    await storeReports(path, DISPLAY, deviceId, [{ atMs, values: { internal_temp: internalTemp } }])
  }
  const listed = async () => {
    const { rows } = await fixture.owner.query<{ newest_at: Date | null; internal_temp: number | null }>(
      'select newest_at, internal_temp from device_now where device_id = $1',
      [deviceId],
    )
    return [(rows[0]?.newest_at?.getTime() ?? Number.NaN) - startMs, rows[0]?.internal_temp]
  }
  await report(0, 41.5)
  await path.listNow()
  await report(1, 41.9)
  await path.listNow()
  expect(await listed()).toEqual([0, 41.5])
  await report(2, 42.5)
  await path.listNow()
  expect(await listed()).toEqual([2000, 42.5])
  await report(3, 42.6)
  await path.stop(10_000)
  expect(await listed()).toEqual([3000, expect.closeTo(42.6)])
})

test('a process that stops leaves nothing to be merged', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath()
  await storeReports(path, UPS, deviceId, [{ atMs: Date.now(), values: { load: 3 } }])
  await path.stop(10_000)
  expect(await marksOf(deviceId)).toBe(0)
  expect(await storedStateOf(deviceId)).toEqual(await foldOf(deviceId))
})
