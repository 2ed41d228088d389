import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { type CheckedPayload, checkReports } from '#server/telemetry/ingress/reportCheck.ts'
import { readHourlyMeans } from '#server/telemetry/read/hourlyMeans.ts'
import { readCurrentState, readCurrentStates } from '#server/telemetry/state/currentState.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { storeReports } from '#server/testing/devices/telemetryFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { WritePath } from './WritePath.ts'

const ups = layoutByTypeId(5) as EventLayout

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

let lastDevice = 0
const newDevice = () => ++lastDevice as DeviceId

function writePath(lanes = 2): WritePath {
  return new WritePath({ pool, lanes, retentionDays: 90, onStored: () => undefined, log: () => undefined })
}

type Sent = { readonly atMs: number; readonly values: Record<string, unknown> }

function checked(deviceId: DeviceId, sent: Sent, nowMs = Date.now()): CheckedPayload {
  const door = { deviceId, topic: 'events/ups', nowMs, oldestMs: nowMs - 90 * DAY_MS }
  const payload = JSON.stringify({ at: new Date(sent.atMs).toISOString(), values: sent.values })
  return checkReports(door, ups, 1, Buffer.from(payload))
}

/** Submits one packet for each report and waits for its receipt. */
function store(path: WritePath, deviceId: DeviceId, sent: readonly Sent[], nowMs?: number): Promise<void> {
  let missing = sent.length
  return new Promise((resolve) => {
    if (missing === 0) resolve()
    for (const one of sent) {
      path.submit({
        deviceId,
        ...checked(deviceId, one, nowMs),
        messages: [],
        bytes: 100,
        packetToken: 1,
        arrivedAtMs: performance.now(),
        receipt: {
          stored: () => {
            if (--missing === 0) resolve()
          },
        },
      })
    }
  })
}

async function rowsOf(deviceId: DeviceId) {
  const { rows } = await pool.query(
    `select device_dt, claimed_at, status, load, battery_runtime, temp, extra from readings_of_ups
     where device_id = $1 order by device_dt`,
    [deviceId],
  )
  return rows as Record<string, unknown>[]
}

async function stateOf(deviceId: DeviceId) {
  const readings = await readCurrentState(pool, deviceId)
  return Object.fromEntries(readings.map(({ numbered, value, at }) => [numbered.wireName, [value, at.getTime()]]))
}

test('however reports are shuffled, repeated and split among processes, rows and state are the same', async () => {
  const firstMs = Date.now() - 3_600_000
  const value = fc.record(
    {
      load: fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      battery_runtime: fc.integer({ min: -1000, max: 1000 }),
      status: fc.string({ maxLength: 12 }).filter((text) => text.isWellFormed() && !text.includes('\0')),
      temp: fc.double({ min: -50, max: 90, noNaN: true }).map((number) => Math.round(number * 100) / 100),
      odd: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  // An instant is measured once, and each of its reports carries some of the fields.
  const reports = fc.array(fc.record({ instant: fc.nat(15), values: value }), { minLength: 1, maxLength: 25 })
  const plan = fc.record({ reports, order: fc.infiniteStream(fc.nat()), cuts: fc.array(fc.nat(), { maxLength: 4 }) })
  const ordered = writePath()
  const paths = [writePath(), writePath()]
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(plan, async ({ reports, order, cuts }) => {
      rounds++
      const ofInstant = new Map<number, Record<string, unknown>>()
      for (const { instant, values } of reports) ofInstant.set(instant, { ...values, ...ofInstant.get(instant) })
      const sent: Sent[] = reports.map(({ instant, values }) => ({
        atMs: firstMs + instant,
        values: Object.fromEntries(Object.keys(values).map((name) => [name, ofInstant.get(instant)?.[name]])),
      }))
      const inOrder = newDevice()
      const shuffled = newDevice()
      await store(
        ordered,
        inOrder,
        [...sent].sort((a, b) => a.atMs - b.atMs),
      )
      const mixed = [...sent, ...sent.filter((_, index) => index % 3 === 0)]
        .map((one) => ({ one, key: order.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      const borders = [0, ...cuts.map((cut) => cut % (mixed.length + 1)).sort((a, b) => a - b), mixed.length]
      await Promise.all(
        borders
          .slice(1)
          .map((end, index) => store(paths[index % 2] as WritePath, shuffled, mixed.slice(borders[index], end))),
      )
      expect(await rowsOf(shuffled)).toEqual(await rowsOf(inOrder))
      expect(await stateOf(shuffled)).toEqual(await stateOf(inOrder))
      expect((await rowsOf(inOrder)).length).toBe(ofInstant.size)
    }),
    { numRuns: 150 },
  )
  expect(rounds).toBeGreaterThanOrEqual(150)
})

const LOOKED_AT = [
  { layout: ups, number: 1, values: { load: 30, status: 'OL' } },
  { layout: layoutByTypeId(8) as EventLayout, number: 2, values: { port1_status: 1, odd: 'a' } },
  { layout: layoutByTypeId(10) as EventLayout, number: 1, values: {} },
  { layout: layoutByTypeId(10) as EventLayout, number: 2, values: { frame_rate: 25 } },
]

test('what a device looked at together is one row, however its packets are split, delayed and sent again', async () => {
  const firstMs = Date.now() - 60_000
  const looks = fc.integer({ min: 1, max: 4 })
  const plan = fc.record({ looks, order: fc.infiniteStream(fc.nat()), cuts: fc.array(fc.nat(), { maxLength: 4 }) })
  const paths = [writePath(), writePath()]
  await fc.assert(
    fc.asyncProperty(plan, async ({ looks: count, order, cuts }) => {
      const deviceId = newDevice()
      const sent = Array.from({ length: count }, (_, look) =>
        LOOKED_AT.map((part) => ({ ...part, atMs: firstMs + look * 5000 })),
      ).flat()
      const mixed = [...sent, ...sent.filter((_, index) => index % 3 === 0)]
        .map((one) => ({ one, key: order.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      const borders = [0, ...cuts.map((cut) => cut % (mixed.length + 1)).sort((a, b) => a - b), mixed.length]
      for (const [index, end] of borders.slice(1).entries()) {
        const path = paths[index % 2] as WritePath
        const packets = mixed.slice(borders[index], end)
        await Promise.all(
          packets.map(({ layout, number, ...one }) => storeReports(path, layout, deviceId, [{ ...one, number }])),
        )
      }
      const rowsIn = async (from: string) =>
        (await pool.query(`select * from ${from} where device_id = $1 order by device_dt`, [deviceId])).rows
      expect(await rowsIn('reading_look')).toHaveLength(count)
      for (const { layout, number, values } of LOOKED_AT) {
        const { odd, ...known } = values as Record<string, unknown>
        const rows = (await rowsIn(layout.table)).filter((row) => row.number === number)
        expect(rows.map(({ device_dt }) => +device_dt)).toEqual(
          Array.from({ length: count }, (_, look) => firstMs + look * 5000),
        )
        for (const row of rows) expect(row).toMatchObject({ ...known, extra: odd === undefined ? null : { odd } })
      }
      expect(Object.keys(await stateOf(deviceId)).sort()).toEqual([
        'c2_frame_rate',
        'r2_port1_status',
        'u_load',
        'u_status',
      ])
    }),
    { numRuns: 40 },
  )
})

test('each field of the state moves forwards alone, and a late report fills only what nothing newer has said', async () => {
  const deviceId = newDevice()
  const path = writePath()
  const t = Date.now() - 10_000
  await store(path, deviceId, [{ atMs: t, values: { load: 1, temp: 1 } }])
  await store(path, deviceId, [{ atMs: t + 2, values: { load: 3 } }])
  await store(path, deviceId, [{ atMs: t + 1, values: { load: 2, temp: 2, status: 'late' } }])
  expect(await stateOf(deviceId)).toEqual({ u_load: [3, t + 2], u_temp: [2, t + 1], u_status: ['late', t + 1] })
})

test('a number is kept as a real and read back as it was said', async () => {
  const deviceId = newDevice()
  const t = Date.now()
  const path = writePath()
  const said = [60.1, 0.1, -12.345678, 1e-30, 16_777_217, 3.4e38, 229.99, 100_000.25]
  for (const [index, load] of said.entries()) {
    await store(path, deviceId, [{ atMs: t + index, values: { load } }])
    const state = await stateOf(deviceId)
    const read = state.u_load?.[0] as number
    expect(Math.fround(read), String(load)).toBe(Math.fround(load))
  }
  const { rows } = await pool.query('select from readings_of_ups where device_id = $1 and load = 60.1::real', [
    deviceId,
  ])
  expect(rows).toHaveLength(1)
})

test('two marked reports of one millisecond are both kept, and neither meets a report of that millisecond', async () => {
  const deviceId = newDevice()
  const path = writePath()
  const now = Date.now()
  const future = now + 400 * DAY_MS
  await store(
    path,
    deviceId,
    [
      { atMs: future, values: { load: 1 } },
      { atMs: now, values: { load: 2 } },
      { atMs: future + 5, values: { load: 3 } },
    ],
    now,
  )
  const rows = await rowsOf(deviceId)
  expect(rows.map(({ load }) => load).sort()).toEqual([1, 2, 3])
  expect(rows.filter(({ claimed_at }) => claimed_at !== null)).toHaveLength(2)
  expect(await stateOf(deviceId)).toEqual({ u_load: [2, now] })
})

test('a report that the database refuses ends among the rejected ones, and its whole batch is stored', async () => {
  const good = newDevice()
  const bad = newDevice()
  const path = writePath(1)
  const t = Date.now() - 1000
  // No partition exists for this day, although retention reaches that far back.
  const unstorable = { atMs: Date.now() - 80 * DAY_MS, values: { load: 7 } }
  const goodOnes = Array.from({ length: 40 }, (_, index) => ({ atMs: t + index, values: { load: index } }))
  await Promise.all([
    store(path, good, goodOnes.slice(0, 20)),
    store(path, bad, [unstorable, { atMs: t, values: { load: 8 } }]),
    store(path, good, goodOnes.slice(20)),
  ])
  expect(await rowsOf(good)).toHaveLength(40)
  expect(await rowsOf(bad)).toMatchObject([{ load: 8 }])
  const { rows } = await pool.query('select device_id, reason, detail from rejected_report')
  expect(rows).toEqual([{ device_id: bad, reason: 'not_stored', detail: expect.stringContaining('no partition') }])
  expect(path.counters.rejected.not_stored).toBe(1)
  expect(await stateOf(bad)).toEqual({ u_load: [8, t] })
})

test('with the database away receipts wait, and when it is back everything is stored once', async () => {
  const deviceId = newDevice()
  const path = writePath()
  const t = Date.now() - 1000
  await store(path, deviceId, [{ atMs: t, values: { load: 0 } }])
  const { pathname } = new URL(database.ownerUrl)
  const name = pathname.slice(1)
  const elsewhere = new URL(database.ownerUrl)
  elsewhere.pathname = '/postgres'
  const admin = new pg.Client({ connectionString: elsewhere.href })
  await admin.connect()
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name])
  let isStored = false
  const later = Array.from({ length: 100 }, (_, index) => ({ atMs: t + 1 + index, values: { load: index } }))
  const stored = store(path, deviceId, later).then(() => {
    isStored = true
  })
  await vi.waitUntil(() => path.counters.batchesFailed > 1, { timeout: 30_000 })
  expect(isStored).toBe(false)
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()
  await stored
  expect(await rowsOf(deviceId)).toHaveLength(101)
})

test('connections that break in the middle of batches lose nothing and store nothing twice', async () => {
  const deviceId = newDevice()
  const path = writePath(1)
  // A clock that stays further away for five seconds would count as wrong, and its times would be corrected.
  const t = Date.now() - 5_000
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const chance = seededRandom()
  let sent = 0
  // Some killed connections are in no batch, so the test repeats until three were.
  for (let round = 0; round < 20 || (path.counters.batchesFailed < 3 && round < 500); round++) {
    const reports = Array.from({ length: 200 }, () => ({ atMs: t + sent, values: { load: sent++ } }))
    const stored = store(path, deviceId, reports)
    await passTime(chance() * 8, 'the blow falls anywhere')
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
                       where datname = current_database() and pid <> pg_backend_pid()`)
    await stored
  }
  await owner.end()
  // A pooled connection may not have noticed yet that it was ended.
  await vi.waitFor(() => pool.query('select 1'), { timeout: 30_000 })
  expect(path.counters.batchesFailed).toBeGreaterThanOrEqual(3)
  const rows = await rowsOf(deviceId)
  expect(rows.map(({ load }) => load)).toEqual(Array.from({ length: sent }, (_, index) => index))
  expect(await stateOf(deviceId)).toEqual({ u_load: [sent - 1, t + sent - 1] })
})

test('while the database is away no more is taken in than memory allows, and room is told when it is back', async () => {
  const path = writePath(1)
  const deviceId = newDevice()
  const t = Date.now() - 1000
  const connections = await Promise.all(Array.from({ length: 4 }, () => pool.connect()))
  let index = 0
  while (!path.isFull) {
    path.submit({
      deviceId,
      ...checked(deviceId, { atMs: t + (index % 50), values: { load: index++ } }),
      messages: [],
      bytes: 60_000,
      packetToken: 1,
      arrivedAtMs: performance.now(),
      receipt: undefined,
    })
  }
  expect(index).toBeLessThan(1000)
  const room = new Promise<void>((resolve) => path.whenRoom(resolve))
  for (const connection of connections) connection.release()
  await room
  expect(path.isFull).toBe(false)
  await path.stop(5000)
  expect(await rowsOf(deviceId)).toHaveLength(50)
})

test('the current states of many devices come in one read, and of a silent one there is none', async () => {
  const [one, other, silent] = [newDevice(), newDevice(), newDevice()]
  const path = writePath()
  const t = Date.now()
  await store(path, one, [{ atMs: t, values: { load: 1 } }])
  await store(path, other, [{ atMs: t, values: { load: 2, status: 'OL' } }])
  const states = await readCurrentStates(pool, { kind: 'everything' }, [one, other, silent])
  expect([...states].map(([id, readings]) => [id, readings.map(({ value }) => value)])).toEqual([
    [one, [1]],
    [other, ['OL', 2]],
  ])
  expect(await readCurrentState(pool, silent)).toEqual([])
})

test('hourly means cover the last 24 hours, leave out marked readings, and know no hour without a reading', async () => {
  const deviceId = newDevice()
  const path = writePath()
  const now = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + 1_800_000)
  const hourMs = now.getTime() - 1_800_000
  const receivedAt = hourMs - 3 * 3_600_000 + 10
  await store(path, deviceId, [
    { atMs: hourMs - 23 * 3_600_000, values: { load: 5 } },
    { atMs: hourMs - 23 * 3_600_000 - 1, values: { load: 500 } },
    { atMs: hourMs - 60_000, values: { load: 60.1, status: 'OL' } },
    { atMs: hourMs - 30_000, values: { load: 60.3 } },
  ])
  await store(path, deviceId, [{ atMs: receivedAt + DAY_MS, values: { load: 1000 } }], receivedAt)
  const means = await readHourlyMeans(pool, deviceId, now)
  const load = 5104 as FieldId
  expect([...means.keys()]).toEqual([load])
  expect(means.get(load)?.map((mean) => (mean === null ? null : Math.round(mean * 100) / 100))).toEqual([
    5,
    ...Array(21).fill(null),
    60.2,
    null,
  ])
})
