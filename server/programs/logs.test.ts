import { once } from 'node:events'
import { connect } from 'node:net'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import type { RunningServer } from '../app/server.ts'
import { openPool } from '../db/connect/pool.ts'
import { DatabaseGate } from '../testing/database/DatabaseGate.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/freshDatabase.ts'
import { connectDevice, eventually, insertDevices, type TestDevice } from '../testing/devices/gatewayFixture.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import { createLog } from './log.ts'

const DEVICES = 40
/** Pino's number for lines that tell of no trouble. */
const INFO_LEVEL = 30

let database: FreshDatabase
let gate: DatabaseGate
let server: RunningServer
let devices: TestDevice[]
let lines: string[] = []
// Seals of the audit log follow every change, and these tests are about other lines.
const write = (line: string) => {
  if (!line.includes('the audit log is sealed')) lines.push(line)
}
const { log, end } = createLog({ level: 'info', write })

beforeAll(async () => {
  database = await freshDatabase()
  gate = await DatabaseGate.start(database.applicationUrl)
  const owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  devices = await insertDevices(owner, DEVICES)
  await owner.end()
  const { ownerUrl, applicationUrl } = database
  server = await startWholeServer(
    { ownerUrl: gate.through(ownerUrl), applicationUrl: gate.through(applicationUrl) },
    { log },
  )
})
afterAll(async () => {
  gate.open()
  await server.stop()
  end()
  await gate.stop()
  await database.drop()
})

const mqttPort = () => Number(new URL(server.localAddresses.mqttUrl).port)

/** Opens a connection with raw bytes, until the server has answered or closed it. */
async function knock(...packets: Buffer[]): Promise<void> {
  const socket = connect(mqttPort(), '127.0.0.1')
  socket.on('error', () => undefined)
  for (const packet of packets) socket.write(packet)
  socket.resume()
  await once(socket, 'close')
}

const connectPacket = (username: string, password: string) =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: 'x',
    keepalive: 0,
    username,
    password: Buffer.from(password),
  })

test('60 strangers who knock with wrong keys, again and again, are one line and a count', async () => {
  lines = []
  const guid = devices[0]?.guid ?? ''
  // This stays below the limit of one address, so that the devices of the other tests are admitted.
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 60 }, (_, n) => knock(connectPacket(guid, `wrong ${n}`))))
  }
  // A slow machine takes longer for all of it than the log waits before it says a count.
  const told = lines.filter((line) => line.includes('wrong guid or key'))
  expect(told.length).toBeGreaterThan(0)
  expect(told.length).toBeLessThanOrEqual(5)
})

test('neither a denied topic nor a name tells a secret, and both are short', async () => {
  lines = []
  const [device] = devices
  if (device === undefined) throw new Error('There is no device.')
  await knock(connectPacket(device.key, device.key))
  const topics = [`v1/devices/${device.key}/events/display`, `keys/${device.key}/${'x'.repeat(900)}`]
  for (const topic of topics) {
    const publish = generate({ cmd: 'publish', topic, payload: '', qos: 0, dup: false, retain: false })
    await knock(connectPacket(device.guid, device.key), publish)
  }
  const client = await connectDevice(mqttPort(), device)
  await client.subscribeAsync(topics).catch(() => undefined)
  client.end(true)
  const text = lines.join('')
  expect(text).toContain('foreign topic')
  expect(text).not.toContain(device.key.slice(0, 8))
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1000)
})

test('an upload that is broken off is no error of the server', async () => {
  lines = []
  const port = Number(new URL(server.localAddresses.httpUrl).port)
  for (let n = 0; n < 20; n++) {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /api/App/Login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"username":',
    )
    await passTime(5, 'the half of it arrives')
    socket.destroy()
  }
  const refused = () => server.db.selectFrom('audit_log').select('outcome').where('call', '=', 'App/Login').execute()
  const rows = await eventually(refused, ({ length }) => length === 20)
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['invalid_request']))
  // Jobs tell of their work at any moment, and counts of the tests before may still be logged.
  const isTrouble = (line: string) => JSON.parse(line).level > INFO_LEVEL && !line.includes('"repeats"')
  expect(lines.filter(isTrouble)).toEqual([])
})

test('with the database away for seconds a few lines say so, however many devices report', async () => {
  const clients = await Promise.all(devices.map((device) => connectDevice(mqttPort(), device)))
  lines = []
  gate.shut()
  const waiting = clients.map((client, n) =>
    client.publishAsync(
      `v1/devices/${devices[n]?.guid}/events/ups`,
      JSON.stringify({ at: new Date().toISOString(), values: { load: n } }),
      { qos: 1 },
    ),
  )
  // Half of them leave and strangers connect, because presence and keys need the database too.
  const leaving = devices.slice(DEVICES / 2).map((device) => connectDevice(mqttPort(), device).catch(() => undefined))
  await Promise.all(leaving)
  for (let n = 0; n < 50; n++)
    await fetch(`${server.localAddresses.httpUrl}/api/App/GetClientAuthData`, {
      headers: { authorization: `Bearer ${'a'.repeat(43)}` },
    })
  await passTime(2000, 'what fails again and again would say so')
  const said = lines.length
  gate.open()
  await Promise.all(waiting)
  for (const client of clients) client.end(true)
  expect(said).toBeGreaterThan(0)
  expect(said).toBeLessThan(DEVICES)
})
