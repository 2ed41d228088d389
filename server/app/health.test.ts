import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { openPool } from '../db/connect/pool.ts'
import { addUser, openSession } from '../testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/freshDatabase.ts'
import { SwallowingProxy } from '../testing/database/SwallowingProxy.ts'
import { connectDevice, eventually, insertDevices } from '../testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '../testing/impatience.ts'
import { askServer, startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

const WITHIN_MS = 60_000

const METRICS_TOKEN = 'a token for the numbers'

let database: FreshDatabase
let proxy: SwallowingProxy
let server: RunningServer
let token: string
let owner: ReturnType<typeof openPool>
beforeAll(async () => {
  database = await freshDatabase()
  proxy = await SwallowingProxy.start(database.ownerUrl)
  server = await startWholeServer(
    { ownerUrl: proxy.through(database.ownerUrl), applicationUrl: proxy.through(database.applicationUrl) },
    { config: { dataFolder: '/tmp', metricsToken: METRICS_TOKEN }, patience: IMPATIENCE },
  )
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  token = await openSession(owner, await addUser(owner, { username: 'manager@staff.example', functions: [2] }))
}, 120_000)
afterAll(async () => {
  await server.stop()
  await proxy.stop()
  await owner.end()
  await database.drop()
}, 60_000)

async function get(path: string): Promise<{ status: number; body: { reason?: string; troubles?: string[] } }> {
  const answer = await fetch(`${server.localAddresses.httpUrl}${path}`)
  return { status: answer.status, body: (await answer.json()) as { reason?: string; troubles?: string[] } }
}
/** Waits until health tells of a trouble; on a busy machine another one may come first. */
const healthTelling = (trouble: string) =>
  eventually(
    () => get('/healthz'),
    ({ status, body }) => status === 503 && (body.troubles?.join() ?? '').includes(trouble),
    WITHIN_MS,
  )
const healthy = () =>
  eventually(
    () => get('/healthz'),
    ({ status }) => status === 200,
    WITHIN_MS,
  )

test('a frozen database is told by health and readiness, and calls are told to come again', async () => {
  expect(await healthy()).toEqual({ status: 200, body: { healthy: true, troubles: [] } })
  expect((await get('/readyz')).status).toBe(200)
  proxy.freeze()
  expect(await get('/livez')).toEqual({ status: 200, body: { alive: true } })
  const { status, body } = await get('/healthz')
  expect(status).toBe(503)
  expect(body.troubles).toContain('The database does not answer.')
  expect((await get('/readyz')).status).toBe(503)
  const call = await askServer(server.localAddresses.httpUrl, 'Device/GetDeviceList', { token })
  expect(call).toMatchObject({ status: 503, body: { code: 'not_ready' } })
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const numbers = await fetch(`${server.localAddresses.httpUrl}/metrics`, { headers })
  expect(await numbers.text()).toMatch(/^wayside_health_troubles [1-9]$/m)
  expect(Number(call.headers.get('retry-after'))).toBeGreaterThan(0)
  proxy.thaw()
  expect(await healthy()).toEqual({ status: 200, body: { healthy: true, troubles: [] } })
}, 150_000)

test('half-open connections are told by health although the database would answer others', async () => {
  await healthy()
  proxy.swallow((name) => name === 'wayside calls')
  const { status, body } = await get('/healthz')
  expect(status).toBe(503)
  expect(body.troubles?.join()).toContain('The database does not answer calls')
  expect(body.troubles).not.toContain('The database does not answer.')
  expect((await healthy()).status).toBe(200)
}, 150_000)

test('without a leader health says so, and the process is ready all the same', async () => {
  await healthy()
  proxy.freeze((name) => name === 'wayside lead')
  const told = await healthTelling('No process has led for')
  expect(told.body.troubles?.join()).toContain('No process has led for')
  expect(told.status).toBe(503)
  expect((await get('/readyz')).status).toBe(200)
  proxy.thaw()
  expect((await healthy()).status).toBe(200)
}, 150_000)

test('reports that the database does not take are told by health', async () => {
  await healthy()
  const [device] = await insertDevices(owner, 1)
  if (!device) throw new Error('There is no device.')
  const client = await connectDevice(Number(new URL(server.localAddresses.mqttUrl).port), device)
  await owner.query('alter table reading_display rename to reading_display_away')
  const payload = JSON.stringify({ at: new Date().toISOString(), values: { backlight_level: 20 } })
  const acknowledged = client.publishAsync(eventsTopic(device.guid, 'display', 1), payload, { qos: 1 })
  const told = await healthTelling('Reports of devices have not been stored for')
  expect(told.body.troubles?.join()).toContain('Reports of devices have not been stored for')
  await owner.query('alter table reading_display_away rename to reading_display')
  await acknowledged
  expect((await healthy()).status).toBe(200)
  await client.endAsync()
}, 150_000)
