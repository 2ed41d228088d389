import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import {
  addApiToken,
  addCustomer,
  addDevice,
  addUser,
  ask,
  openSession,
  PASSWORD,
  type StartedApi,
  startApi,
} from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { SlowDatabase } from '#server/testing/database/SlowDatabase.ts'

let database: FreshDatabase
let slow: SlowDatabase
let api: StartedApi
let token: string
let deviceId: number
beforeAll(async () => {
  database = await freshDatabase()
  slow = await SlowDatabase.start(database.applicationUrl)
  api = await startApi({ on: { ...database, applicationUrl: slow.through(database.applicationUrl) } })
  const customerId = await addCustomer(api.pool, 'Waits')
  deviceId = (await addDevice(api.pool, { name: 'Slow', customerId })).id
  token = await openSession(
    api.pool,
    await addUser(api.pool, { username: 'hurry@customer.example', functions: [1, 2, 5], customerId }),
  )
  // A connection that is opened only during a count would be counted as well.
  const open = await Promise.all(Array.from({ length: 5 }, () => api.pool.connect()))
  for (const connection of open) connection.release()
})
afterAll(async () => {
  await api.stop()
  await slow.stop()
  await database.drop()
})

/**
 * Takes the fewest of three counts: a busy machine or a new connection can add to a count, and nothing can lower it.
 */
async function fewestRoundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let count = 0; count < 3; count++) counts.push(await slow.roundTripsOf(work))
  return Math.min(...counts)
}

const lately = { dateFrom: new Date(Date.now() - DAY_MS).toISOString(), dateTo: new Date().toISOString() }

test.for<readonly [string, (id: number) => Readonly<Record<string, string | number>>]>([
  ['Device/GetDeviceById', (id) => ({ id })],
  ['Device/GetDeviceList', () => ({})],
  ['Device/GetDeviceDashboardData', (deviceId) => ({ deviceId })],
  ['Device/GetDeviceHealth', (deviceId) => ({ deviceId })],
  ['Device/GetReadingLimits', (deviceId) => ({ deviceId })],
  ['Device/GetDeviceTimeline', (deviceId) => ({ deviceId, ...lately })],
  ['Device/GetUnusualFields', (deviceId) => ({ deviceId, ...lately })],
  ['Device/GetDeviceStateAt', (deviceId) => ({ deviceId, at: lately.dateTo })],
  ['Device/GetDeviceEvTypeState', (deviceId) => ({ deviceId })],
  ['Alert/GetAlertList', () => ({})],
  ['App/GetClientAuthData', () => ({})],
  ['Dashboard/GetDashboardValues', () => ({})],
  ['Dashboard/GetDashboardTable', () => ({ table: 'LAST_ALERTS' })],
  ['Analytics/GetAnalyticsDataTable', (devices) => ({ devices, measurements: 4101, ...lately, minutesRound: 60 })],
  ['Analytics/GetReadings', (deviceId) => ({ deviceId, measurementId: 4101, ...lately })],
  ['Device/GetPresentValues', (devices) => ({ devices, fields: 4101 })],
])('%s asks the database at most twice in a row', async ([path, query]) => {
  const made = () => ask(api, path, { token, query: query(deviceId) })
  const first = await made()
  expect(first.json()).toBeDefined()
  expect(first.statusCode, first.body).toBe(200)
  expect(await fewestRoundTripsOf(made)).toBeLessThanOrEqual(2)
})

// The newest hours are searched first, and earlier ones only when these hold too few reports.
test('a page of reports asks at most once more where the newest hours are empty', async () => {
  const query = { deviceId, evTypeId: 4, ...lately }
  const made = () => ask(api, 'Device/GetDeviceEvTypeRawDataV2', { token, query })
  expect((await made()).statusCode).toBe(200)
  expect(await fewestRoundTripsOf(made)).toBeLessThanOrEqual(3)
})

// One statement chooses the page and checks the customer; the next reads the columns.
test('the devices of one customer are listed in one more, to whoever sees all of them', async () => {
  const userId = await addUser(api.pool, { username: 'all@staff.example', functions: [1] })
  const staff = await openSession(api.pool, userId)
  const of = (id: number) => ask(api, 'Device/GetDeviceList', { token: staff, query: { customerId: id, rowNum: 1 } })
  const customerId = await addCustomer(api.pool, 'Looked at')
  await addDevice(api.pool, { name: 'Theirs', customerId })
  expect((await of(customerId)).json()).toMatchObject({ rows: [{ name: 'Theirs' }], total: 1 })
  expect(await fewestRoundTripsOf(() => of(customerId))).toBeLessThanOrEqual(3)
  expect((await of(customerId + 1)).statusCode).toBe(404)
})

test('a program that comes by an API token waits no longer than a person', async () => {
  const userId = await addUser(api.pool, { username: 'program@staff.example', functions: [1] })
  const program = await addApiToken(api.pool, userId)
  const made = () => ask(api, 'Device/GetDeviceById', { token: program.token, query: { id: deviceId } })
  expect((await made()).statusCode).toBe(200)
  expect(await fewestRoundTripsOf(made)).toBeLessThanOrEqual(2)
})

let condition = 0
async function openAlert(): Promise<number> {
  const { rows } = await api.pool.query<{ id: number }>(
    `insert into alert (device_id, condition_id, condition_state_id, created_at, found_at, field_id, operator_code,
       period_id, action_type_id, condition_text, state_since)
     values ($1, $2, 1, now(), now(), 4101, '>', 1, 1, 'warm', now()) returning id`,
    [deviceId, ++condition],
  )
  return rows[0]?.id ?? 0
}

test.for<readonly [string, number, () => Promise<object>]>([
  ['Alert/AcknowledgeAlert', 5, async () => ({ id: await openAlert(), note: 'On the way' })],
  ['Alert/CloseAlerts', 5, async () => ({ idList: [await openAlert()], resolutionId: 1 })],
  ['Device/SetDeviceStatus', 5, async () => ({ id: deviceId, statusId: 3 })],
  ['Device/ApplyDisplaySettings', 6, async () => ({ deviceId, displayNumber: 1, dBrightness: 40 })],
  ['App/SetTimeZone', 4, async () => ({ timeZone: 'Europe/Oslo' })],
])('%s asks the database at most %i times in a row, with the answer of its commit', async ([path, most, body]) => {
  const change = async () => {
    const answer = await ask(api, path, { token, method: 'POST', body: given })
    expect(answer.statusCode, answer.body).toBe(200)
  }
  let given = await body()
  await change()
  given = await body()
  expect(await slow.roundTripsOf(change)).toBeLessThanOrEqual(most)
})

test('signing in asks the database at most three times in a row, in a known browser too', async () => {
  let cookie = ''
  const signIn = async () => {
    const body = { username: 'hurry@customer.example', password: PASSWORD }
    const answer = await ask(api, 'App/Login', { method: 'POST', body, headers: cookie === '' ? {} : { cookie } })
    expect(answer.statusCode, answer.body).toBe(200)
    cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
  }
  expect(await slow.roundTripsOf(signIn)).toBeLessThanOrEqual(3)
  expect(await slow.roundTripsOf(signIn)).toBeLessThanOrEqual(3)
})
