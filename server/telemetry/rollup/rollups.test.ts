import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { makePartitions } from '#server/db/partitions/partitions.ts'
import { EVENT_LAYOUTS } from '#server/telemetry/ingress/eventLayout.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import { readCurrentState } from '#server/telemetry/state/currentState.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import {
  DISPLAY,
  type SentReport,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import { refreshRollups } from './rollups.ts'

const TOMORROW = new Date(Date.now() + DAY_MS)

let fixture: TelemetryFixture
beforeAll(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
})
afterAll(() => fixture.close())

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS
async function refresh(owner = fixture.owner, now = TOMORROW) {
  await fixture.mergeState()
  await refreshRollups(owner, { now, isOver: () => false })
}

interface HourStats {
  readonly mean: number
  readonly least: number
  readonly greatest: number
  readonly count: number
}

/** Reads what is rolled up for a device: `fieldId hour` → its numbers. */
async function rolledUp(deviceId: DeviceId): Promise<Record<string, HourStats>> {
  const { rows } = await fixture.owner.query<{ key: string; stats: HourStats }>(
    `select field_id || ' ' || to_char(day + make_interval(hours => slot::integer - 1), 'YYYY-MM-DD"T"HH24') as key,
       json_build_object('mean', mean, 'least', least, 'greatest', greatest, 'count', amount) as stats
     from rollup cross join lateral unnest(means, minima, maxima, counts)
       with ordinality as hours (mean, least, greatest, amount, slot)
     where device_id = $1 and amount is not null order by 1`,
    [deviceId],
  )
  return Object.fromEntries(rows.map(({ key, stats }) => [key, stats]))
}

const hourName = (atMs: number) => new Date(atMs).toISOString().slice(0, 13)

/** Works out the same by hand, from UPS reports with distinct instants. */
function byHand(reports: readonly SentReport[], fieldIds: Readonly<Record<string, number>>): Record<string, HourStats> {
  const values = new Map<string, number[]>()
  for (const { atMs, values: reported } of reports) {
    for (const [name, value] of Object.entries(reported)) {
      const key = `${fieldIds[name]} ${hourName(atMs)}`
      values.set(key, [...(values.get(key) ?? []), Math.fround(value as number)])
    }
  }
  return Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, all]) => [key, statsOf(all)]))
}

const shortReal = (value: number) => Number(Math.fround(value).toPrecision(6))

function statsOf(all: readonly number[]): HourStats {
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length
  return { mean: shortReal(mean), least: Math.min(...all), greatest: Math.max(...all), count: all.length }
}

const comparable = (stats: Record<string, HourStats>) =>
  Object.fromEntries(Object.entries(stats).map(([key, one]) => [key, { ...one, mean: shortReal(one.mean) }]))

test('every measured field of the catalogue is rolled up, of every component', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath()
  const atMs = today() - 5 * HOUR_MS
  for (const layout of EVENT_LAYOUTS) {
    const sent = layout.type.prefixes.map((_, index) => ({
      atMs,
      number: index + 1,
      values: Object.fromEntries(layout.fields.filter((f) => f.storage !== 'text').map((f) => [f.name, f.ordinal])),
    }))
    await storeReports(path, layout, deviceId, sent)
  }
  await refresh()
  const expected = NUMBERED_FIELDS.filter(({ field }) => field.isMeasurement).map(({ id, field }) => [
    `${id} ${hourName(atMs)}`,
    { mean: field.ordinal, least: field.ordinal, greatest: field.ordinal, count: 1 },
  ])
  expect(expected.length).toBeGreaterThan(100)
  expect(await rolledUp(deviceId)).toEqual(Object.fromEntries(expected))
})

test('however readings are shuffled, repeated and late, roll-ups and state are those worked out by hand', async () => {
  const names = { load: 5104, temp: 5108, battery_runtime: 5103 }
  const values = fc.record(
    {
      load: fc.integer({ min: -400, max: 400 }).map((n) => n / 4),
      temp: fc.integer({ min: -40, max: 90 }),
      battery_runtime: fc.integer({ min: 0, max: 10_000 }),
    },
    { requiredKeys: [] },
  )
  // The instants lie around the hours and midnights of four days.
  const minute = fc.integer({ min: 0, max: 4 * 24 * 4 })
  const reports = fc.uniqueArray(fc.record({ minute, values }), {
    minLength: 1,
    maxLength: 40,
    selector: (report) => report.minute,
  })
  const plan = fc.record({ reports, order: fc.infiniteStream(fc.nat()), cuts: fc.array(fc.nat(), { maxLength: 4 }) })
  const firstMs = today() - 5 * DAY_MS - 1
  const ordered = fixture.writePath()
  const paths = [fixture.writePath(), fixture.writePath()] as const
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(plan, async ({ reports, order, cuts }) => {
      rounds++
      const sent = reports.map(({ minute, values }) => ({ atMs: firstMs + minute * 15 * 60_000, values }))
      const inOrder = fixture.newDevice()
      const shuffled = fixture.newDevice()
      const ascending = [...sent].sort((a, b) => a.atMs - b.atMs)
      await storeReports(ordered, UPS, inOrder, ascending)
      const mixed = [...sent, ...sent.filter((_, index) => index % 3 === 0)]
        .map((one) => ({ one, key: order.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }) => one)
      const borders = [0, ...cuts.map((cut) => cut % (mixed.length + 1)).sort((a, b) => a - b), mixed.length]
      for (const [index, end] of borders.slice(1).entries()) {
        await storeReports(paths[index % 2 === 0 ? 0 : 1], UPS, shuffled, mixed.slice(borders[index], end))
        // Hours that were rolled up before the late readings came must be corrected.
        if (index % 2 === 0) await refresh()
      }
      await refresh()
      expect(comparable(await rolledUp(shuffled))).toEqual(byHand(ascending, names))
      expect(await rolledUp(shuffled)).toEqual(await rolledUp(inOrder))
      expect(await readCurrentState(fixture.pool, shuffled)).toEqual(await readCurrentState(fixture.pool, inOrder))
    }),
    { numRuns: 60 },
  )
  expect(rounds).toBeGreaterThanOrEqual(60)
})

test('readings whose clock is not believed are in no roll-up and leave no mark', async () => {
  const deviceId = fixture.newDevice()
  const nowMs = today() - HOUR_MS
  await storeReports(fixture.writePath(), UPS, deviceId, [{ atMs: nowMs + DAY_MS, values: { load: 5 } }], nowMs)
  const { rows } = await fixture.owner.query('select from rollup_mark where device_id = $1', [deviceId])
  expect(rows).toHaveLength(0)
  await storeReports(fixture.writePath(), UPS, deviceId, [{ atMs: nowMs + 1, values: { load: 7 } }])
  await refresh()
  expect(Object.values(await rolledUp(deviceId))).toEqual([{ mean: 7, least: 7, greatest: 7, count: 1 }])
})

test('UTC hours go on evenly over both changes of the clocks, whatever zone the database is in', async () => {
  const elsewhere = await fixture.connectOwner()
  await elsewhere.query(`set time zone 'Europe/Zagreb'`)
  for (const change of ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z']) {
    const deviceId = fixture.newDevice()
    const changeMs = Date.parse(change)
    const now = new Date(changeMs + 2 * DAY_MS)
    await makePartitions(fixture.owner, now, 4)
    const hours = Array.from({ length: 72 }, (_, index) => changeMs + (index - 36) * HOUR_MS)
    const sent = hours.map((atMs, index) => ({ atMs: atMs + 1_800_000, values: { load: index } }))
    await storeReports(fixture.writePath(), UPS, deviceId, sent, now.getTime())
    await refresh(elsewhere)
    const stats = (index: number) => ({ mean: index, least: index, greatest: index, count: 1 })
    const expected = hours.map((atMs, index) => [`5104 ${hourName(atMs)}`, stats(index)])
    expect(await rolledUp(deviceId)).toEqual(Object.fromEntries(expected))
    const series = await readSeriesRows(elsewhere, {
      deviceIds: [deviceId],
      fieldIds: [5104 as FieldId],
      from: new Date(changeMs - 36 * HOUR_MS),
      to: new Date(changeMs + 36 * HOUR_MS),
      stepMinutes: 60,
      withRange: false,
    })
    expect(series.map(({ atMs, means }) => [atMs, means[0]])).toEqual(hours.map((atMs, index) => [atMs, index]))
  }
  await elsewhere.end()
})

test('an hour that still runs stays due, and one that is over is worked out once', async () => {
  const deviceId = fixture.newDevice()
  const hourMs = today() - 10 * HOUR_MS
  await storeReports(fixture.writePath(), UPS, deviceId, [
    { atMs: hourMs - 1, values: { load: 1 } },
    { atMs: hourMs, values: { load: 2 } },
  ])
  await refresh(fixture.owner, new Date(hourMs + 1000))
  expect(Object.keys(await rolledUp(deviceId))).toEqual([`5104 ${hourName(hourMs - 1)}`])
  // A late reading comes for another hour of the day, while the first hour still waits.
  await storeReports(fixture.writePath(), UPS, deviceId, [{ atMs: hourMs - 2, values: { load: 3 } }])
  await refresh(fixture.owner, new Date(hourMs + 2000))
  expect(Object.values(await rolledUp(deviceId))).toEqual([{ mean: 2, least: 1, greatest: 3, count: 2 }])
  await refresh(fixture.owner, new Date(hourMs + HOUR_MS))
  expect(Object.keys(await rolledUp(deviceId))).toHaveLength(2)
  const { rows } = await fixture.owner.query('select from rollup_due where device_id = $1', [deviceId])
  expect(rows).toHaveLength(0)
})

test('the display has several components, each with hours of its own', async () => {
  const deviceId = fixture.newDevice()
  const atMs = today() - 3 * HOUR_MS
  await storeReports(fixture.writePath(), DISPLAY, deviceId, [
    { atMs, number: 1, values: { intake_temp: 1 } },
    { atMs, number: 3, values: { intake_temp: 3 } },
  ])
  await refresh()
  expect(Object.keys(await rolledUp(deviceId))).toEqual([`4102 ${hourName(atMs)}`, `4302 ${hourName(atMs)}`])
})
