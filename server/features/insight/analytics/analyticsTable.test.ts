import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/call/call.ts'
import type { AnalyticsRow, getAnalyticsColumns } from '#contract/http/insight/analytics.ts'
import { STEPS_MINUTES } from '#domain/analytics/step.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import {
  DISPLAY,
  type SentReport,
  storeReports,
  telemetryFixture,
  UPS,
} from '#server/testing/devices/telemetryFixture.ts'

const DAYS = 5
const BEGIN_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS

/** The answers' columns come from load and temperature of the UPS, and the intake temperatures of displays 1 and 3. */
const COLUMNS = [
  { id: 5104, table: 'readings_of_ups', number: 1, column: 'load' },
  { id: 5108, table: 'readings_of_ups', number: 1, column: 'temp' },
  { id: 4102, table: 'reading_display', number: 1, column: 'intake_temp' },
  { id: 4302, table: 'reading_display', number: 3, column: 'intake_temp' },
] as const

interface Reading {
  readonly deviceId: number
  readonly fieldId: number
  readonly atMs: number
  readonly value: number
}

const fixture = await telemetryFixture({ keptDays: WEEK_DAYS })
afterAll(() => fixture.close())
const api = await apiTest({ on: fixture.database })
const token = await api.signedIn({ username: 'analyst@a.example', functions: [5] })
const customerId = await addCustomer(api.pool, 'Customer')
const devices: DeviceId[] = []
for (const name of ['one', 'two', 'three']) devices.push((await addDevice(api.pool, { name, customerId })).id)
// One half is rolled up; the other comes late, into the same hours, and is not rolled up yet.
await storeSome(1)
await fixture.mergeState()
await refreshRollups(fixture.owner, { now: new Date(), isOver: () => false })
await storeSome(2)
const readings = await rawReadings()

async function storeSome(seed: number) {
  const minute = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: DAYS * 1440 - 1 }))
  const value = fc.integer({ min: -500, max: 9000 }).map((tenths) => tenths / 10)
  const report = fc.record({ minute, value, other: fc.option(value), number: fc.constantFrom(1, 3) })
  for (const [index, deviceId] of devices.entries()) {
    const path = fixture.writePath()
    const some = fc.sample(report, { seed: seed * 10 + index, numRuns: 150 })
    const sent = (values: (one: (typeof some)[number]) => SentReport['values'], shiftMs: number) =>
      some.map((one) => ({ atMs: BEGIN_MS + one.minute * MINUTE_MS + shiftMs + seed, values: values(one) }))
    const ups = sent(({ value: load, other }) => ({ load, ...(other === null ? {} : { temp: other }) }), 0)
    const displays = sent(({ value: intake }) => ({ intake_temp: intake }), 30_000)
    await storeReports(path, UPS, deviceId, ups)
    await storeReports(
      path,
      DISPLAY,
      deviceId,
      displays.map((one, at) => ({ ...one, number: some[at]?.number ?? 1 })),
    )
  }
}

async function rawReadings(): Promise<Reading[]> {
  const found = await Promise.all(
    COLUMNS.map(async ({ id, table, number, column }) => {
      const { rows } = await fixture.owner.query<{ device_id: number; device_dt: Date; value: number }>(
        `select device_id, device_dt, ${column} as value from ${table} where number = $1 and ${column} is not null`,
        [number],
      )
      return rows.map((row) => ({
        deviceId: row.device_id,
        fieldId: id,
        atMs: row.device_dt.getTime(),
        value: row.value,
      }))
    }),
  )
  return found.flat()
}

interface Request {
  readonly devices: readonly number[]
  readonly measurements: readonly number[]
  readonly fromMs: number
  readonly toMs: number
  readonly minutesRound: number
  readonly limit: number | undefined
  readonly groupDevices: boolean
  readonly withRange: boolean
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Computes the answer from its description alone (rules/analytics 9), reading by reading. */
function recomputed(asked: Request): Record<string, string | number | null>[] {
  const stepMs = asked.minutesRound * MINUTE_MS
  const beginMs = Math.floor(asked.fromMs / stepMs) * stepMs
  const endMs = Math.max(Math.ceil(asked.toMs / stepMs) * stepMs, beginMs + stepMs)
  const bucketOf = ({ atMs }: Reading) => Math.floor(atMs / stepMs) * stepMs
  const within = readings.filter(
    (reading) =>
      asked.devices.includes(reading.deviceId) &&
      asked.measurements.includes(reading.fieldId) &&
      reading.atMs >= beginMs &&
      reading.atMs < endMs,
  )
  const buckets = [...new Set(within.map(bucketOf))].sort((a, b) => a - b).slice(-(asked.limit ?? within.length + 1))
  return buckets.flatMap((atMs) => {
    const ofBucket = within.filter((reading) => bucketOf(reading) === atMs)
    const present = [...new Set(ofBucket.map(({ deviceId }) => deviceId))].sort((a, b) => a - b)
    return (asked.groupDevices ? [present] : present.map((id) => [id])).map((ids) => {
      const row: Record<string, string | number | null> = { time: new Date(atMs).toISOString() }
      if (!asked.groupDevices) row.deviceId = ids[0] ?? 0
      for (const fieldId of asked.measurements) {
        const ofDevices = ids
          .map((id) =>
            ofBucket.filter((one) => one.deviceId === id && one.fieldId === fieldId).map(({ value }) => value),
          )
          .filter((values) => values.length > 0)
        const all = ofDevices.flat()
        row[`m_${fieldId}`] = all.length === 0 ? null : mean(ofDevices.map(mean))
        if (!asked.withRange) continue
        row[`m_${fieldId}_min`] = all.length === 0 ? null : Math.min(...all)
        row[`m_${fieldId}_max`] = all.length === 0 ? null : Math.max(...all)
      }
      return row
    })
  })
}

/** Means are sent as `real`, which keeps about seven digits, so they are compared with a tolerance. */
function expectSame(found: readonly AnalyticsRow[], wanted: ReturnType<typeof recomputed>) {
  const shape = (row: object) =>
    Object.entries(row).map(([name, value]) =>
      typeof value === 'number' && name !== 'deviceId' ? name : [name, value],
    )
  expect(found.map(shape)).toEqual(wanted.map(shape))
  found.forEach((row, index) => {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value !== 'number') continue
      const expected = wanted[index]?.[name] as number
      expect(Math.abs(value - expected), `${row.time} ${name}`).toBeLessThanOrEqual(Math.abs(expected) * 1e-6 + 1e-5)
    }
  })
}

function rowsOf({ stepMinutes, devices: answered }: AnswerOf<typeof getAnalyticsColumns>): AnalyticsRow[] {
  const rows = answered.flatMap(({ deviceId, from, columns }) =>
    Array.from({ length: columns[0]?.means.length ?? 0 }, (_, index) => {
      const row: Record<string, unknown> = { time: at(Date.parse(from) + index * stepMinutes * MINUTE_MS), deviceId }
      for (const { id, means, minima, maxima } of columns) {
        row[`m_${id}`] = means[index]
        if (minima) row[`m_${id}_min`] = minima[index]
        if (maxima) row[`m_${id}_max`] = maxima[index]
      }
      return row as AnalyticsRow
    }),
  )
  return rows
    .filter(({ time: _, deviceId: __, ...values }) => Object.values(values).some((value) => value !== null))
    .sort((a, b) => a.time.localeCompare(b.time) || Number(a.deviceId) - Number(b.deviceId))
}
const at = (ms: number) => new Date(ms).toISOString()

const period = fc
  .record({
    fromMs: fc.oneof(fc.integer({ min: -60, max: 240 }), fc.integer({ min: -60, max: DAYS * 1440 })),
    minutes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 3 * 1440 - 1 })),
    shiftMs: fc.integer({ min: 0, max: MINUTE_MS - 1 }),
  })
  .map(({ fromMs, minutes, shiftMs }) => {
    const beginMs = BEGIN_MS + fromMs * MINUTE_MS + shiftMs
    return { fromMs: beginMs, toMs: beginMs + minutes * MINUTE_MS }
  })

test('whatever is asked, the answer is what the stored reports say when they are read one by one', async () => {
  let answered = 0
  const asked = fc.record({
    devices: fc.subarray([0, 1, 2], { minLength: 1 }),
    measurements: fc.shuffledSubarray(
      COLUMNS.map(({ id }) => id),
      { minLength: 1 },
    ),
    period,
    minutesRound: fc.constantFrom(...STEPS_MINUTES),
    limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    groupDevices: fc.boolean(),
    withRange: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(asked, async ({ devices: indexes, period: { fromMs, toMs }, ...rest }) => {
      const question: Request = { ...rest, devices: indexes.map((index) => devices[index] as number), fromMs, toMs }
      const { limit, groupDevices, withRange, minutesRound } = question
      const query = {
        devices: question.devices.join(),
        measurements: question.measurements.join(),
        dateFrom: new Date(fromMs).toISOString(),
        dateTo: new Date(toMs).toISOString(),
        minutesRound,
        withRange,
      }
      const answer = await ask(api, 'Analytics/GetAnalyticsDataTable', {
        token,
        query: { ...query, groupDevices, ...(limit === undefined ? {} : { limit }) },
      })
      expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200)
      const rows: AnalyticsRow[] = answer.json()
      expectSame(rows, recomputed(question))
      answered += rows.length
      if (groupDevices || limit !== undefined) return
      const columns = await ask(api, 'Analytics/GetAnalyticsColumns', { token, query })
      expect(columns.statusCode, columns.body.slice(0, 200)).toBe(200)
      expect(rowsOf(columns.json())).toEqual(rows)
    }),
    { numRuns: 200 },
  )
  // Questions that find nothing would prove nothing.
  expect(answered).toBeGreaterThan(500)
}, 120_000)
