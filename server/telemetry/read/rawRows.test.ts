import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import {
  DISPLAY,
  storeReports,
  type TelemetryFixture,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'
import type { RawRowKey, StoredReport } from './rawPage.ts'
import { type RawRowsQuestion, readRawRows } from './rawRows.ts'
import { exportRawRowsJson } from './rawRowsJson.ts'

let fixture: TelemetryFixture
beforeAll(async () => {
  fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
})
afterAll(() => fixture.close())

/** The midnight before last: minutes after it are in the past at any time of day. */
const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS

async function pages(question: RawRowsQuestion, limit: number): Promise<StoredReport[]> {
  const all: StoredReport[] = []
  let after: RawRowKey | undefined
  do {
    const page = await readRawRows(fixture.pool, { ...question, after, limit })
    all.push(...page)
    after = page.length < limit ? undefined : page.at(-1)?.key
  } while (after)
  return all
}

const questionOf = (deviceId: DeviceId, eventTypeId: number, fromMs: number, toMs: number): RawRowsQuestion => ({
  deviceId,
  eventTypeId: eventTypeId as EventTypeId,
  from: new Date(fromMs),
  to: new Date(toMs),
})

test('pages of any size tell every report of all components once, newest first, across midnight', async () => {
  const deviceId = fixture.newDevice()
  const path = fixture.writePath()
  const sent = Array.from({ length: 40 }, (_, index) => ({
    atMs: midnight - 20 * 60_000 + Math.floor(index / 2) * 60_000 * 2,
    number: index % 4 === 3 ? 3 : (index % 2) + 1,
    values: { intake_temp: index / 4, source: `HDMI${index}` },
  }))
  await storeReports(path, DISPLAY, deviceId, sent)
  const question = questionOf(deviceId, 4, midnight - DAY_MS, midnight + DAY_MS)
  const expected = [...sent]
    .sort((a, b) => b.atMs - a.atMs || b.number - a.number)
    .map(({ atMs, number, values: { intake_temp, source } }) => [
      ...[atMs, number],
      { d_intake_temp: intake_temp, d_source: source },
    ])
  const told = (rows: readonly StoredReport[]) =>
    rows.map(({ json }) => {
      const { device_dt, inserted: _, number, ...values } = JSON.parse(json)
      return [Date.parse(device_dt), number, values]
    })
  for (const limit of [1, 3, 7, 40, 1000]) expect(told(await pages(question, limit)), `${limit}`).toEqual(expected)
})

test('the end of the period is not in it, another device and another kind never', async () => {
  const deviceId = fixture.newDevice()
  const other = fixture.newDevice()
  const path = fixture.writePath()
  const loads = [0, 1, 2, 3].map((load) => ({ atMs: midnight + load, values: { load } }))
  await storeReports(path, UPS, deviceId, loads)
  await storeReports(path, UPS, other, loads)
  const told = (rows: readonly StoredReport[]) => rows.map(({ json }) => JSON.parse(json).u_load)
  const question = questionOf(deviceId, 5, midnight + 1, midnight + 3)
  expect(told(await readRawRows(fixture.pool, { ...question, limit: 1000 }))).toEqual([2, 1])
  expect(await readRawRows(fixture.pool, { ...questionOf(deviceId, 4, 0, midnight + 9), limit: 9 })).toEqual([])
  expect(await readRawRows(fixture.pool, { ...questionOf(deviceId, 99, 0, midnight + 9), limit: 9 })).toEqual([])
})

test('marked reports of one millisecond stand on pages of their own, with what the clock said and unknown fields', async () => {
  const deviceId = fixture.newDevice()
  const now = Date.now()
  const claimedMs = now + 400 * DAY_MS
  const sent = [1, 2, 3].map((load) => ({ atMs: claimedMs + load, values: { load, odd: load > 1 } }))
  await storeReports(fixture.writePath(1), UPS, deviceId, sent, now)
  const rows = await pages(questionOf(deviceId, 5, now - 1000, now + 1000), 1)
  expect(
    rows.map(({ json }) => {
      const { device_dt, claimed_at, extra, inserted: _, number: _number, ...values } = JSON.parse(json)
      return [Date.parse(device_dt), values, Date.parse(claimed_at), extra]
    }),
  ).toEqual([3, 2, 1].map((load) => [now, { u_load: load }, claimedMs + load, { odd: load > 1 }]))
})

test('an export tells every report once, newest first, however they crowd and however long nothing came', async () => {
  const deviceId = fixture.newDevice()
  const beginMs = midnight - 5 * DAY_MS
  // The crowds are more than a page, one second, a lone row and one over midnight, with empty days between.
  const crowds = [
    { fromMs: beginMs + 3_600_000, count: 9000, stepMs: 10 },
    { fromMs: beginMs + 4 * 3_600_000, count: 4500, stepMs: 0.2 },
    { fromMs: beginMs + DAY_MS - 1500, count: 3000, stepMs: 1 },
    { fromMs: midnight - DAY_MS, count: 2000, stepMs: 43_000 },
    { fromMs: midnight - 1, count: 1, stepMs: 1 },
  ]
  for (const { fromMs, count, stepMs } of crowds) {
    await fixture.owner.query(
      `insert into reading_ups (device_dt, inserted, device_id, number, load)
       select $2::timestamptz + n * $4::float8 * interval '1 millisecond', now(), $1, 1, n % 100
       from generate_series(0, $3::integer - 1) n on conflict do nothing`,
      [deviceId, new Date(fromMs), count, stepMs],
    )
  }
  const { rows } = await fixture.owner.query<{ at: string; load: number }>({
    text: `select to_char(device_dt at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, load
      from reading_ups where device_id = $1 and device_dt < $2 order by device_dt desc, number desc`,
    values: [deviceId, new Date(midnight - 1)],
  })
  const exported: { device_dt: string; u_load: number }[] = []
  for await (const { rowsJson } of exportRawRowsJson(
    fixture.pool,
    questionOf(deviceId, 5, midnight - 80 * DAY_MS, midnight - 1),
  )) {
    exported.push(...JSON.parse(`[${rowsJson}]`))
  }
  expect(rows.length).toBe(18_500)
  expect(exported.map(({ device_dt: at, u_load: load }) => ({ at, load }))).toEqual(rows)
})
