import { afterAll, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/call/call.ts'
import { type getPresentValues, type getReadings, MOST_READINGS } from '#contract/http/insight/analytics.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { refreshRollups } from '#server/telemetry/rollup/rollups.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { DISPLAY, storeReports, telemetryFixture, UPS } from '#server/testing/devices/telemetryFixture.ts'

const LOAD = 5104
const STATUS = 5101
const INTAKE = 4102

const fixture = await telemetryFixture()
afterAll(() => fixture.close())
const api = await apiTest({ on: fixture.database })
const token = await api.signedIn({ username: 'analyst@a.example', functions: [5] })
const customerId = await addCustomer(api.pool, 'Customer')
const [one, two, silent] = await Promise.all(
  ['one', 'two', 'silent'].map((name) => addDevice(api.pool, { name, customerId })),
)
const ids = [one?.id ?? 0, two?.id ?? 0, silent?.id ?? 0] as const
const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const path = fixture.writePath()
await storeReports(path, UPS, ids[0] as never, [
  { atMs: hourMs - 2 * HOUR_MS, values: { load: 40 } },
  { atMs: hourMs - 2 * HOUR_MS + MINUTE_MS, values: { load: 60.1 } },
])
await fixture.mergeState()
await refreshRollups(fixture.owner, { now: new Date(), isOver: () => false })
// These reports are neither merged nor rolled up yet.
await storeReports(path, UPS, ids[0] as never, [{ atMs: hourMs - HOUR_MS, values: { load: 61, status: 'on battery' } }])
await storeReports(path, DISPLAY, ids[1] as never, [{ atMs: hourMs - HOUR_MS, values: { intake_temp: 21 } }])

const iso = (ms: number) => new Date(ms).toISOString()
const readings = async (query: Readonly<Record<string, string | number>>) =>
  (await ask(api, 'Analytics/GetReadings', { token, query: { deviceId: ids[0], measurementId: LOAD, ...query } })).json<
    AnswerOf<typeof getReadings>
  >()
const present = async (devices: string, fields: string) =>
  ask(api, 'Device/GetPresentValues', { token, query: { devices, fields } })

test('readings come as they were reported, oldest first, both ends included', async () => {
  const found = await readings({ dateFrom: iso(hourMs - 2 * HOUR_MS), dateTo: iso(hourMs - HOUR_MS) })
  expect(found).toEqual({
    timesMs: [hourMs - 2 * HOUR_MS, hourMs - 2 * HOUR_MS + MINUTE_MS, hourMs - HOUR_MS],
    values: [40, 60.1, 61],
    isWhole: true,
  })
  const none = await readings({ dateFrom: iso(hourMs - 24 * HOUR_MS), dateTo: iso(hourMs - 23 * HOUR_MS) })
  expect(none).toEqual({ timesMs: [], values: [], isWhole: true })
})

test('of more than can be drawn come the newest, which says so', async () => {
  const device = await addDevice(api.pool, { name: 'chatty', customerId })
  await api.pool.query(
    `insert into reading_ups (device_id, number, device_dt, inserted, load)
     select $1, 1, to_timestamp($2::float8 / 1000) + n * interval '50 milliseconds', now(), n % 100
     from generate_series(0, $3) as n`,
    [device.id, hourMs - HOUR_MS, MOST_READINGS],
  )
  const period = { dateFrom: iso(hourMs - HOUR_MS), dateTo: iso(hourMs) }
  const { timesMs, values, isWhole } = await readings({ deviceId: device.id, ...period })
  expect([timesMs.length, values.length, isWhole]).toEqual([MOST_READINGS, MOST_READINGS, false])
  expect([timesMs[0], timesMs.at(-1)]).toEqual([hourMs - HOUR_MS + 50, hourMs - HOUR_MS + 50 * MOST_READINGS])
})

test('a text is no measurement, and a foreign device is nobody', async () => {
  const period = { dateFrom: iso(hourMs - HOUR_MS), dateTo: iso(hourMs) }
  const text = await ask(api, 'Analytics/GetReadings', {
    token,
    query: { deviceId: ids[0], measurementId: STATUS, ...period },
  })
  expect(text.statusCode).toBe(400)
  expect((await present('2000000000', String(LOAD))).statusCode).toBe(404)
  expect((await present(`${ids[0]},${ids[1]}`, String(LOAD))).statusCode).toBe(400)
})

test('one device that is not there, or one field that nothing reports, takes nothing from the others', async () => {
  const deleted = await addDevice(api.pool, { name: 'gone', customerId })
  await api.pool.query('update device set deleted_at = now() where id = $1', [deleted.id])
  const SILENCE = 1
  const answer = await present(
    [ids[0], deleted.id, ids[0], 2_000_000_000].join(','),
    [LOAD, LOAD, SILENCE, LOAD].join(','),
  )
  expect(answer.statusCode, answer.body).toBe(200)
  const { values, unknown } = answer.json<AnswerOf<typeof getPresentValues>>()
  expect(values.map(({ deviceId, fieldId, value }) => [deviceId, fieldId, value])).toEqual([[ids[0], LOAD, 61]])
  // Deleted devices are answered like devices that never existed.
  expect(unknown).toEqual([
    { deviceId: deleted.id, fieldId: LOAD },
    { deviceId: ids[0], fieldId: SILENCE },
    { deviceId: 2_000_000_000, fieldId: LOAD },
  ])
})

test('each device answers for its own field: its newest reading, and the hours from roll-ups and raw readings', async () => {
  const answer = await present(`${ids[0]},${ids[1]},${ids[0]},${ids[2]}`, [LOAD, INTAKE, STATUS, LOAD].join(','))
  const { values: found } = answer.json<AnswerOf<typeof getPresentValues>>()
  expect(found).toEqual([
    { deviceId: ids[0], fieldId: LOAD, value: 61, at: iso(hourMs - HOUR_MS), means24h: expect.any(Array) },
    { deviceId: ids[1], fieldId: INTAKE, value: 21, at: iso(hourMs - HOUR_MS), means24h: expect.any(Array) },
    { deviceId: ids[0], fieldId: STATUS, value: 'on battery', at: iso(hourMs - HOUR_MS), means24h: null },
  ])
  expect(found[0]?.means24h?.slice(-4)).toEqual([null, 50.05, 61, null])
  expect(found[1]?.means24h?.slice(-4)).toEqual([null, null, 21, null])
})
