import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import {
  addApiToken,
  addCustomer,
  addDevice,
  addUser,
  ask,
  openSession,
  type StartedApi,
  startApi,
} from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { SlowDatabase } from '#server/testing/database/SlowDatabase.ts'

/** As many as calls have in the server: a read that asks for several answers at once has a connection for each. */
const CONNECTIONS = 12

let database: FreshDatabase
let slow: SlowDatabase
let api: StartedApi
let token: string
let deviceId: number
beforeAll(async () => {
  database = await freshDatabase()
  slow = await SlowDatabase.start(database.applicationUrl)
  const on = { ...database, applicationUrl: slow.through(database.applicationUrl) }
  api = await startApi({ on, maximumConnections: CONNECTIONS })
  const customerId = await addCustomer(api.pool, 'Waits')
  deviceId = (await addDevice(api.pool, { name: 'Slow', customerId })).id
  token = await openSession(
    api.pool,
    await addUser(api.pool, { username: 'hurry@customer.example', functions: [1, 2, 5], customerId }),
  )
  // A connection that is only made now would count as well.
  const open = await Promise.all(Array.from({ length: CONNECTIONS }, () => api.pool.connect()))
  for (const connection of open) connection.release()
})
afterAll(async () => {
  await api.stop()
  await slow.stop()
  await database.drop()
})

/** The fewest of three counts: a busy machine and a connection that is made only now can add to one, and nothing takes away. */
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

// Its reports are looked for in the newest hours first, and in those before only where these hold too few.
test('a page of reports asks at most once more where the newest hours are empty', async () => {
  const query = { deviceId, evTypeId: 4, ...lately }
  const made = () => ask(api, 'Device/GetDeviceEvTypeRawDataV2', { token, query })
  expect((await made()).statusCode).toBe(200)
  expect(await fewestRoundTripsOf(made)).toBeLessThanOrEqual(3)
})

// Its page is chosen first, beside whether there is such a customer, and its columns are read then.
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
