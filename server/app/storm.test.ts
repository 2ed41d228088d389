import { randomUUID } from 'node:crypto'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClientProgress } from '#contract/mqtt/client.ts'
import { clientProgressId } from '#contract/mqtt/client.ts'
import { eventsTopic, replyTopic } from '#contract/mqtt/topics.ts'
import { openPool } from '../db/connect/pool.ts'
import { freshDatabase } from '../testing/database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices, type TestDevice } from '../testing/devices/gatewayFixture.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import type { RunningServer } from './server.ts'

/** The gateway has fewer connections for what devices need beside their reports. */
const BUSY_DEVICES = 12

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: ReturnType<typeof openPool>
let server: RunningServer
let devices: TestDevice[]
let clients: MqttClient[]
beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 3, name: 'test owner' })
  devices = await insertDevices(owner, BUSY_DEVICES + 1)
  server = await startWholeServer(database)
  const port = Number(new URL(server.localAddresses.mqttUrl).port)
  clients = await Promise.all(devices.map((device) => connectDevice(port, device)))
})
afterAll(async () => {
  for (const client of clients) client.end(true)
  await server.stop()
  await owner.end()
  await database.drop()
})

test('reports are acknowledged while everything else that devices want waits for the database', async () => {
  const [quiet, ...busy] = devices as [TestDevice, ...TestDevice[]]
  const locking = await owner.connect()
  await locking.query('begin')
  await locking.query('select from device where id = any($1) for update', [busy.map(({ id }) => id)])
  const answers = busy.map((device, index) => {
    const updateId = randomUUID()
    const progress: ClientProgress = { updateId, step: 'done', version: '1.0.0', receivedBytes: null, reason: null }
    const topic = replyTopic(device.guid, clientProgressId(updateId))
    return clients[index + 1]?.publishAsync(topic, JSON.stringify(progress), { qos: 1 })
  })
  const waiting = () =>
    owner.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
  await eventually(waiting, ({ rowCount }) => (rowCount ?? 0) >= 6)
  const report = JSON.stringify({ at: new Date().toISOString(), values: { contrast: 40 } })
  await clients[0]?.publishAsync(eventsTopic(quiet.guid, 'display'), report, { qos: 1 })
  const stored = await owner.query('select from reading_display where device_id = $1', [quiet.id])
  expect(stored.rowCount).toBe(1)
  expect((await waiting()).rowCount).toBeGreaterThanOrEqual(6)
  await locking.query('rollback')
  locking.release()
  await Promise.all(answers)
}, 30_000)
