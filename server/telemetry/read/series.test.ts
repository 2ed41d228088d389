import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import {
  DISPLAY,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import type { SeriesQuestion } from './series.ts'
import { readSeriesRows } from './seriesRows.ts'

const LOAD = 5104 as FieldId
const TEMP = 5108 as FieldId
const INTAKE_2 = 4202 as FieldId

let fixture: TelemetryFixture
beforeAll(async () => {
  fixture = await telemetryFixture()
})
afterAll(() => fixture.close())

const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - 12 * HOUR_MS
async function refresh() {
  await fixture.mergeState()
  await refreshRollups(fixture.owner, { now: new Date(Date.now() + DAY_MS), isOver: () => false })
}

const read = (deviceId: DeviceId, question: Partial<SeriesQuestion>) =>
  readSeriesRows(fixture.pool, {
    deviceIds: [deviceId],
    fieldIds: [LOAD],
    from: new Date(noon),
    to: new Date(noon + HOUR_MS),
    stepMinutes: 60,
    withRange: false,
    ...question,
  })

async function deviceWith(reports: readonly (readonly [minute: number, load: number])[]) {
  const deviceId = fixture.newDevice()
  await storeReports(
    fixture.writePath(),
    UPS,
    deviceId,
    reports.map(([minute, load]) => ({ atMs: noon + minute * MINUTE_MS, values: { load } })),
  )
  return deviceId
}

test('years of several devices come in parts that join without a gap, a repetition or another order', async () => {
  const devices = await Promise.all([1, 2, 3].map((load) => deviceWith([[5, load]])))
  await refresh()
  const days = 800
  const { rows: partitions } = await fixture.owner.query<{ first: string }>(
    `select to_char(min(to_date(right(relname, 6), 'YYYYMM')), 'YYYY-MM-DD') as first from pg_class
     where relname ~ '^rollup_[0-9]{6}$'`,
  )
  await fixture.owner.query(
    `create table rollup_before partition of rollup for values from (minvalue) to ('${partitions[0]?.first}')`,
  )
  await fixture.owner.query(
    `insert into rollup (device_id, field_id, day, means, minima, maxima, counts)
     select device, $2, day, numbers, numbers, numbers, array_fill(1, array[24])
     from unnest($1::integer[]) as devices (device),
       generate_series($3::timestamp - interval '${days} days', $3::timestamp - interval '1 day', '1 day') as days (day),
       lateral (select array_agg((device + extract(epoch from day) / 3600 % 100000 + hour)::real order by hour) as numbers
                from generate_series(0, 23) as hours (hour)) as hours`,
    [devices, LOAD, new Date(noon - 12 * HOUR_MS).toISOString().slice(0, 10)],
  )
  const from = noon - (days - 3) * DAY_MS + 5 * HOUR_MS
  const rows = await read(devices[0] as DeviceId, { deviceIds: devices, from: new Date(from) })
  const inOrder = devices.toSorted((a = 0, b = 0) => a - b)
  const expected = Array.from({ length: (noon - 12 * HOUR_MS - from) / HOUR_MS }, (_, hour) => from + hour * HOUR_MS)
    .flatMap((atMs) => inOrder.map((deviceId) => [atMs, deviceId, deviceId + ((atMs / HOUR_MS) % 100_000)]))
    .concat(inOrder.map((deviceId) => [noon, deviceId, devices.indexOf(deviceId) + 1]))
  expect(rows.map(({ atMs, deviceId, means }) => [atMs, deviceId, means[0]])).toEqual(expected)
})

test('a stale hour is answered fresh, as a whole, while its mark waits and when it is rolled up', async () => {
  const deviceId = await deviceWith([
    [0, 1],
    [30, 3],
  ])
  const row = (mean: number, low: number, high: number) => [
    { atMs: noon, deviceId, means: [mean], minima: [low], maxima: [high] },
  ]
  expect(await read(deviceId, { withRange: true })).toEqual(row(2, 1, 3))
  await refresh()
  expect(await read(deviceId, { withRange: true })).toEqual(row(2, 1, 3))
  await storeReports(fixture.writePath(), UPS, deviceId, [{ atMs: noon + 1, values: { load: 8 } }])
  expect(await read(deviceId, { withRange: true })).toEqual(row(4, 1, 8))
  // The dirty ranges are gathered, but by this clock the hour still runs and stays due.
  await fixture.mergeState()
  await refreshRollups(fixture.owner, { now: new Date(noon), isOver: () => false })
  expect(await read(deviceId, { withRange: true })).toEqual(row(4, 1, 8))
  await refresh()
  expect(await read(deviceId, { withRange: true })).toEqual(row(4, 1, 8))
})

test('hours that are rolled up need no raw rows', async () => {
  const deviceId = await deviceWith([
    [0, 1.1],
    [61, 60.1],
  ])
  await refresh()
  await fixture.owner.query('delete from reading_look where device_id = $1', [deviceId])
  const rows = await read(deviceId, { from: new Date(noon - HOUR_MS), to: new Date(noon + 3 * HOUR_MS) })
  expect(rows.map(({ atMs, means }) => [atMs, ...means])).toEqual([
    [noon, 1.1],
    [noon + HOUR_MS, 60.1],
  ])
})

test.each([5, 10, 15, 30, 60] as const)(
  'in steps of %i minutes the period is widened to whole buckets, and a bucket without a reading has no row',
  async (stepMinutes) => {
    const stepMs = stepMinutes * MINUTE_MS
    const deviceId = await deviceWith([
      [-stepMinutes - 1, 100],
      [-stepMinutes, 1],
      [-1, 3],
      [stepMinutes, 5],
      [2 * stepMinutes - 0.001, 7],
      [2 * stepMinutes, 100],
    ])
    const rows = await read(deviceId, {
      stepMinutes,
      from: new Date(noon - 1),
      to: new Date(noon + stepMs + 1),
      withRange: true,
    })
    expect(rows).toEqual([
      { atMs: noon - stepMs, deviceId, means: [2], minima: [1], maxima: [3] },
      { atMs: noon + stepMs, deviceId, means: [6], minima: [5], maxima: [7] },
    ])
  },
)

test.each([60, 5] as const)(
  'several devices, components and event types come in one answer by time and device, with nulls for gaps (%i minutes)',
  async (stepMinutes) => {
    const [one, other] = [fixture.newDevice(), fixture.newDevice()]
    const path = fixture.writePath()
    await storeReports(path, UPS, one, [{ atMs: noon, values: { load: 1, temp: 20 } }])
    await storeReports(path, DISPLAY, one, [
      { atMs: noon, number: 2, values: { intake_temp: 32 } },
      { atMs: noon, number: 1, values: { intake_temp: 31 } },
    ])
    await storeReports(path, UPS, other, [
      { atMs: noon, values: { temp: 21 } },
      { atMs: noon + HOUR_MS, values: { temp: 22 } },
    ])
    const question = {
      deviceIds: [other, one],
      fieldIds: [INTAKE_2, TEMP, LOAD],
      to: new Date(noon + 2 * HOUR_MS),
      stepMinutes,
    }
    const expected = [
      [noon, one, 32, 20, 1],
      [noon, other, null, 21, null],
      [noon + HOUR_MS, other, null, 22, null],
    ]
    const told = async () => (await read(one, question)).map(({ atMs, deviceId, means }) => [atMs, deviceId, ...means])
    expect(await told()).toEqual(expected)
    await refresh()
    expect(await told()).toEqual(expected)
  },
)

test('a limit keeps the newest buckets that hold anything, with all their devices', async () => {
  const [one, other] = [
    await deviceWith([
      [0, 1],
      [600, 2],
    ]),
    await deviceWith([
      [300, 3],
      [600, 4],
    ]),
  ]
  const question = { deviceIds: [one, other], to: new Date(noon + 12 * HOUR_MS) }
  const told = async (newestBuckets: number) =>
    (await read(one, { ...question, newestBuckets })).map(({ means }) => means[0])
  expect(await told(1)).toEqual([2, 4])
  expect(await told(2)).toEqual([3, 2, 4])
  expect(await told(9)).toEqual([1, 3, 2, 4])
})

test('what was stored of a clock that is not believed is in no bucket', async () => {
  const deviceId = await deviceWith([[0, 1]])
  await storeReports(fixture.writePath(), UPS, deviceId, [{ atMs: noon + DAY_MS, values: { load: 99 } }], noon)
  for (const stepMinutes of [5, 60] as const) {
    expect((await read(deviceId, { stepMinutes })).map(({ means }) => means)).toEqual([[1]])
  }
})
