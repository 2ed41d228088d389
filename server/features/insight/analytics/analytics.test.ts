import { expect, test } from 'vitest'
import type { AnalyticsRow } from '#contract/http/insight/analytics.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { makePartitions } from '#server/db/partitions/partitions.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { apiTestWithDevices } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import type { TestDevice } from '#server/testing/devices/gatewayFixture.ts'

/** These are the internal temperatures of displays 1 and 2, and the backlight of display 1. */
const TEMPERATURE = 4101
const TEMPERATURE_2 = 4201

interface Sent {
  readonly device: TestDevice
  readonly number: number
  readonly atMs: number
  readonly celsius: number
}

/** Finds one o'clock UTC on the last Sunday of a month, when Europe changes its clocks. */
function clockChange(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return Date.UTC(year, month, lastDay.getUTCDate() - lastDay.getUTCDay(), 1)
}
const latest = (month: number) => {
  const now = new Date()
  const thisYear = clockChange(now.getUTCFullYear(), month)
  return thisYear < now.getTime() - 2 * DAY_MS ? thisYear : clockChange(now.getUTCFullYear() - 1, month)
}
const CHANGES = [
  ['spring', latest(2), 23],
  ['autumn', latest(9), 25],
] as const

const sent: Sent[] = []

const api = await apiTestWithDevices({ devices: 3, retentionDays: 450 })
const { gateway: fixture } = api
const owner = await fixture.owner.connect()
for (const [, changeMs] of CHANGES) await makePartitions(owner, new Date(changeMs), 2)
owner.release()
const token = await api.signedIn({ username: 'analyst@a.example', functions: [5] })
for (const [, changeMs] of CHANGES) await publishAround(changeMs)

/** Publishes two days of two devices, every seven and eleven minutes, with a gap of three hours. */
async function publishAround(changeMs: number) {
  for (const [index, device] of fixture.devices.slice(0, 2).entries()) {
    const client = await fixture.connect(device)
    const everyMs = [7, 11][index] as number
    for (const number of [1, 2]) {
      const reports: Sent[] = []
      for (let atMs = changeMs - DAY_MS; atMs < changeMs + DAY_MS; atMs += everyMs * MINUTE_MS) {
        if (atMs >= changeMs + 5 * HOUR_MS && atMs < changeMs + 8 * HOUR_MS) continue
        const celsius = Math.round((20 + 15 * Math.sin(atMs / 9e6 + index + number)) * 100) / 100
        reports.push({ device, number, atMs: atMs + index * 1234, celsius })
      }
      sent.push(...reports)
      for (let from = 0; from < reports.length; from += 50) {
        const payload = reports
          .slice(from, from + 50)
          .map(({ atMs, celsius }) => ({ at: new Date(atMs).toISOString(), values: { internal_temp: celsius } }))
        await client.publishAsync(`v1/devices/${device.guid}/events/display/${number}`, JSON.stringify(payload), {
          qos: 1,
        })
      }
    }
  }
}

interface Bucket {
  readonly atMs: number
  readonly deviceId: number
  readonly number: number
  readonly celsius: readonly number[]
}

/** Aggregates what was sent into buckets, without the database. */
function bucketsOf(fromMs: number, toMs: number, stepMinutes: number): Bucket[] {
  const stepMs = stepMinutes * MINUTE_MS
  const within = sent.filter(
    ({ atMs }) => atMs >= Math.floor(fromMs / stepMs) * stepMs && atMs < Math.ceil(toMs / stepMs) * stepMs,
  )
  const groups = Map.groupBy(
    within,
    ({ device, number, atMs }) => `${Math.floor(atMs / stepMs) * stepMs} ${device.id} ${number}`,
  )
  return [...groups].map(([key, reports]) => {
    const [atMs = 0, deviceId = 0, number = 0] = key.split(' ').map(Number)
    return { atMs, deviceId, number, celsius: reports.map(({ celsius }) => celsius) }
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function expectedRows(buckets: readonly Bucket[]) {
  const byRow = Map.groupBy(buckets, ({ atMs, deviceId }) => `${atMs} ${deviceId}`)
  return [...byRow.values()]
    .map((ofRow) => {
      const of = (number: number) => ofRow.find((bucket) => bucket.number === number)
      const first = ofRow[0] as Bucket
      const value = (number: number) => {
        const bucket = of(number)
        return bucket ? mean(bucket.celsius) : null
      }
      return { atMs: first.atMs, deviceId: first.deviceId, first: value(1), second: value(2) }
    })
    .sort((a, b) => a.atMs - b.atMs || a.deviceId - b.deviceId)
}

const read = (row: AnalyticsRow) => ({
  atMs: Date.parse(row.time),
  deviceId: row.deviceId as number,
  first: row[`m_${TEMPERATURE}`] as number | null,
  second: row[`m_${TEMPERATURE_2}`] as number | null,
})

type Query = Record<string, string | number | boolean>
const both = () => fixture.devices.slice(0, 2).map(({ id }) => id)
const asked = (query: Query) =>
  ask(api, 'Analytics/GetAnalyticsDataTable', {
    token,
    query: { devices: both().join(), measurements: `${TEMPERATURE},${TEMPERATURE_2}`, ...query },
  })

async function table(query: Query): Promise<AnalyticsRow[]> {
  const answer = await asked(query)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}
const period = (fromMs: number, toMs: number) => ({
  dateFrom: new Date(fromMs).toISOString(),
  dateTo: new Date(toMs).toISOString(),
})

function expectNear(found: ReturnType<typeof read>[], wanted: ReturnType<typeof expectedRows>) {
  expect(found.map(({ atMs, deviceId }) => [atMs, deviceId])).toEqual(
    wanted.map(({ atMs, deviceId }) => [atMs, deviceId]),
  )
  found.forEach((row, index) => {
    for (const column of ['first', 'second'] as const) {
      const value = wanted[index]?.[column]
      if (value === null || value === undefined) expect(row[column]).toBeNull()
      else expect(Math.abs((row[column] as number) - value)).toBeLessThan(0.0001)
    }
  })
}

test.each(CHANGES)(
  'a chart over the %s change of clocks holds the means of what was published',
  async (_, changeMs) => {
    const [fromMs, toMs] = [changeMs - DAY_MS, changeMs + DAY_MS]
    for (const minutesRound of [5, 10, 15, 30, 60]) {
      const rows = await table({ ...period(fromMs, toMs), minutesRound })
      expectNear(rows.map(read), expectedRows(bucketsOf(fromMs, toMs, minutesRound)))
    }
  },
)

test.each(CHANGES)('the day of the %s change has as many hours as the local day', async (_, changeMs, hours) => {
  // Midnight in Berlin is one hour before midnight UTC in winter, and two in summer.
  const midnightUtcMs = changeMs - HOUR_MS
  const offset = (isBefore: boolean) => (isBefore === (hours === 23) ? 1 : 2) * HOUR_MS
  const [fromMs, toMs] = [midnightUtcMs - offset(true), midnightUtcMs + DAY_MS - offset(false)]
  expect((toMs - fromMs) / HOUR_MS).toBe(hours)
  const rows = await table({ ...period(fromMs, toMs), devices: both()[0] as number })
  // Three hours are the gap; the others stand at whole hours, none twice.
  expect(new Set(rows.map(({ time }) => time)).size).toBe(hours - 3)
})

test('roll-ups answer what raw rows answered before they were made', async () => {
  const [, changeMs] = CHANGES[1]
  const query = { ...period(changeMs - DAY_MS, changeMs + DAY_MS), withRange: true }
  const before = await table(query)
  const owner = await fixture.owner.connect()
  await fixture.gateway.mergeState()
  expect(await refreshRollups(owner as never, { now: new Date(), isOver: () => false })).toBe(true)
  owner.release()
  expect((await fixture.rows('select count(*)::int as count from rollup'))[0]?.count).toBeGreaterThan(0)
  expect(await table(query)).toEqual(before)
})

test('an hour without a report has no row, and a device that did not report has none either', async () => {
  const [, changeMs] = CHANGES[0]
  expect(await table(period(changeMs + 5 * HOUR_MS, changeMs + 8 * HOUR_MS))).toEqual([])
  const silent = fixture.devices[2]?.id as number
  expect(await table({ ...period(changeMs - DAY_MS, changeMs), devices: silent })).toEqual([])
  const [row] = await table({ ...period(changeMs, changeMs + HOUR_MS), measurements: `${TEMPERATURE},4301` })
  expect(Object.keys(row as object)).toEqual(['time', 'deviceId', `m_${TEMPERATURE}`, 'm_4301'])
  expect(row?.m_4301).toBeNull()
})

test('grouped devices are one row for each bucket: every device counts the same', async () => {
  const [, changeMs] = CHANGES[1]
  const [fromMs, toMs] = [changeMs - 6 * HOUR_MS, changeMs + 6 * HOUR_MS]
  const rows = await table({ ...period(fromMs, toMs), groupDevices: true, withRange: true })
  const byHour = Map.groupBy(
    bucketsOf(fromMs, toMs, 60).filter(({ number }) => number === 1),
    ({ atMs }) => atMs,
  )
  expect(rows).toHaveLength(byHour.size)
  for (const row of rows) {
    expect(row).not.toHaveProperty('deviceId')
    const ofHour = byHour.get(Date.parse(row.time)) ?? []
    const wanted = mean(ofHour.map(({ celsius }) => mean(celsius)))
    expect(Math.abs((row[`m_${TEMPERATURE}`] as number) - wanted)).toBeLessThan(0.0001)
    const all = ofHour.flatMap(({ celsius }) => celsius)
    expect(row[`m_${TEMPERATURE}_min`]).toBe(Math.min(...all))
    expect(row[`m_${TEMPERATURE}_max`]).toBe(Math.max(...all))
    expect(shortestReal(row[`m_${TEMPERATURE}`] as number)).toBe(row[`m_${TEMPERATURE}`])
  }
})

test('a limit answers the newest buckets, of all devices each', async () => {
  const [, changeMs] = CHANGES[0]
  const query = period(changeMs - DAY_MS, changeMs + DAY_MS)
  const all = await table(query)
  const newest = [...new Set(all.map(({ time }) => time))].slice(-4)
  expect(await table({ ...query, limit: 4 })).toEqual(all.filter(({ time }) => newest.includes(time)))
  expect(await table({ ...query, limit: 'null', eventTypeId: 'null', minutesRound: 'null' })).toEqual(all)
})

test('a period is widened to the borders of its buckets, and a whole hour ends before the next', async () => {
  const [, changeMs] = CHANGES[0]
  const times = async (fromMs: number, toMs: number) =>
    (await table({ ...period(fromMs, toMs), devices: both()[0] as number })).map(({ time }) => Date.parse(time))
  expect(await times(changeMs, changeMs + HOUR_MS)).toEqual([changeMs])
  expect(await times(changeMs + 1, changeMs + HOUR_MS + 1)).toEqual([changeMs, changeMs + HOUR_MS])
  expect(await times(changeMs + 1, changeMs + 1)).toEqual([changeMs])
})

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-02' }
test.each([
  [{ measurements: '4101,999999' }, 'invalid_request', '999999'],
  [{ measurements: '4101', eventTypeId: 3 }, 'invalid_request', '4101'],
  [{ measurements: '3101' }, 'invalid_request', '3101'],
  [{ measurements: '' }, 'invalid_request', 'measurements'],
  [{ devices: 'null' }, 'invalid_request', 'devices'],
  [{ devices: '-1' }, 'invalid_request', 'devices'],
  [{ minutesRound: 7 }, 'invalid_request', 'minutesRound'],
  [{ minutesRound: 0 }, 'invalid_request', 'minutesRound'],
  [{ dateFrom: '2026-11-03' }, 'invalid_request', 'dateFrom'],
  [{ dateFrom: '2026-02-30' }, 'invalid_request', 'dateFrom'],
  [{ dateTo: '2026-11-04T00:00:00.001Z', minutesRound: 30 }, 'step_too_fine', 'one hour'],
  [{ limit: 0 }, 'invalid_request', 'limit'],
  [{ dateFrom: '2000-01-01', dateTo: '2999-12-31' }, 'too_many_points', 'shorter'],
] as const)('%j is refused with %s and says why', async (query, code, word) => {
  const answer = await asked({ ...NOVEMBER, ...query })
  expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 400, code })
  expect(answer.json().message).toContain(word)
})

test('the measurements of a device follow from its model, each with its group and event type', async () => {
  const answer = await ask(api, 'Analytics/GetDeviceMeasurementList', {
    token,
    query: { deviceId: fixture.device.id },
  })
  const list = answer.json() as { mea_id: number; mea_group: string }[]
  expect(list).toContainEqual(expect.objectContaining({ mea_id: TEMPERATURE, mea_group: 'Display', event_type_id: 4 }))
  expect(list.map(({ mea_group }) => mea_group)).not.toContain('Ups')
})
