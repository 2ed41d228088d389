import { once } from 'node:events'
import { connect } from 'node:net'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import {
  closed,
  eventually,
  type GatewayFixture,
  gatewayFixture,
  insertDevices,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'
import { shiftClock } from '#server/testing/shiftClock.ts'
import { passTime } from '#testing/passTime.ts'
import { beginProcess, expireDeadProcess, lapsedLeases } from '../wire/presence.store.ts'
import { deadProcessesJob } from './deadProcesses.ts'

const OFFLINE_AFTER_MS = 1500
const changes: DeviceId[] = []
let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ offlineAfterMs: OFFLINE_AFTER_MS, onPresence: (deviceId) => changes.push(deviceId) })
})
afterAll(() => fixture.close())

async function newDevice(): Promise<TestDevice> {
  return (await insertDevices(fixture.owner, 1))[0] as TestDevice
}

function deadProcesses(): [() => Promise<unknown>, DeviceId[]] {
  const expired: DeviceId[] = []
  const job = deadProcessesJob(fixture.pool, (deviceId) => expired.push(deviceId))
  return [() => job.runUnfenced(new AbortController().signal), expired]
}

const history = (device: TestDevice) =>
  fixture.rows<{ is_online: boolean; reason: string }>(
    'select is_online, reason from device_presence_history where device_id = $1 order by at',
    [device.id],
  )
const connections = (device: TestDevice) =>
  fixture.rows<{ is_silent: boolean; connection_id: string }>(
    'select is_silent, connection_id from device_connection where device_id = $1',
    [device.id],
  )
const words = async (device: TestDevice) =>
  (await history(device)).map(({ is_online, reason }) => `${is_online ? 'online' : 'offline'} ${reason}`)

test('a connection makes a device online, its end offline, and each change is told after it is stored', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  await eventually(
    () => history(device),
    (rows) => rows.length === 1,
  )
  expect(await connections(device)).toMatchObject([{ is_silent: false }])
  await client.endAsync()
  await eventually(
    () => history(device),
    (rows) => rows.length === 2,
  )
  expect(await words(device)).toEqual(['online connected', 'offline disconnected'])
  expect(await connections(device)).toEqual([])
  expect(changes.filter((id) => id === device.id)).toHaveLength(2)
})

test('the end of a replaced connection changes nothing', async () => {
  const device = await newDevice()
  const old = await fixture.connect(device, { clientId: 'same' })
  const [before] = await eventually(
    () => connections(device),
    (rows) => rows.length === 1,
  )
  await fixture.connect(device, { clientId: 'same' })
  await closed(old)
  await eventually(
    () => connections(device),
    (rows) => rows.length === 1 && rows[0]?.connection_id !== before?.connection_id,
  )
  expect(await words(device)).toEqual(['online connected'])
  expect(await connections(device)).toHaveLength(1)
})

test('a device that is connected twice is offline only when both connections have ended', async () => {
  const device = await newDevice()
  const one = await fixture.connect(device, { clientId: 'one' })
  const other = await fixture.connect(device, { clientId: 'other', to: await fixture.another() })
  await eventually(
    () => connections(device),
    (rows) => rows.length === 2,
  )
  await one.endAsync()
  await eventually(
    () => connections(device),
    (rows) => rows.length === 1,
  )
  expect(await words(device)).toEqual(['online connected'])
  await other.endAsync()
  await eventually(
    () => history(device),
    (rows) => rows.length === 2,
  )
  expect(await words(device)).toEqual(['online connected', 'offline disconnected'])
})

test('a connected device that says nothing is offline, and online with its next report', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  await eventually(
    () => connections(device),
    (rows) => rows[0]?.is_silent === true,
  )
  expect(await words(device)).toEqual(['online connected', 'offline silent'])
  const report = JSON.stringify({ at: new Date().toISOString(), values: {} })
  await client.publishAsync(`v1/devices/${device.guid}/events/ups`, report, { qos: 1 })
  await eventually(
    () => history(device),
    (rows) => rows.length === 3,
  )
  expect((await words(device)).at(-1)).toBe('online heard_again')
})

test('a device that connects only to report is there until it has said nothing for as long as any other', async () => {
  const device = await newDevice()
  const sayOnce = async () => {
    const client = await fixture.connect(device)
    const report = JSON.stringify({ at: new Date().toISOString(), values: {} })
    await client.publishAsync(`v1/devices/${device.guid}/events/ups`, report, { qos: 1 })
    await client.endAsync()
  }
  for (let times = 0; times < 4; times++) {
    await sayOnce()
    await passTime(OFFLINE_AFTER_MS / 3, 'it says nothing for a while')
  }
  expect(await words(device)).toEqual(['online connected'])
  expect(await connections(device)).toHaveLength(1)
  await eventually(
    () => history(device),
    (rows) => rows.length === 2,
  )
  expect(await words(device)).toEqual(['online connected', 'offline silent'])
  expect(await connections(device)).toEqual([])
  await sayOnce()
  await eventually(
    () => history(device),
    (rows) => rows.length === 3,
  )
  expect((await words(device)).at(-1)).toBe('online connected')
})

test('a device whose keep-alive is overdue is disconnected', async () => {
  const device = await newDevice()
  const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1' })
  const credentials = { clientId: 'k', username: device.guid, password: Buffer.from(device.key) }
  socket.write(
    generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 1, ...credentials }),
  )
  socket.resume()
  await once(socket, 'close')
  await eventually(
    () => connections(device),
    (rows) => rows.length === 0,
  )
  expect((await words(device)).at(-1)).toMatch(/^offline (keep_alive_missed|silent)$/)
})

test('clocks that are set two hours forwards make nobody offline', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device, { keepalive: 60 })
  await eventually(
    () => history(device),
    (rows) => rows.length === 1,
  )
  const [look, expired] = deadProcesses()
  const setBack = shiftClock(2 * 3_600_000)
  try {
    // The leases end as if the database's clock had been set too.
    await fixture.owner.query(`update server_process set lease_until = lease_until - interval '2 hours'`)
    await look()
    const leases = () => lapsedLeases(fixture.pool)
    await eventually(leases, ({ size }) => size === 0)
    await look()
  } finally {
    setBack()
  }
  expect(expired).toEqual([])
  expect(client.connected).toBe(true)
  // Silence may be recorded and does not matter here.
  expect((await words(device)).join()).not.toMatch(/keep_alive_missed|server_lost/)
})

test('what a dead process left open is offline once its lease is over, and a living one keeps its own', async () => {
  const [dead, alive] = [await newDevice(), await newDevice()]
  const client = await fixture.connect(alive)
  const processId = '00000000-0000-4000-8000-000000000001'
  await beginProcess(fixture.pool, processId)
  const at = `insert into device_connection (device_id, connection_id, process_id) values ($1, gen_random_uuid(), $2)`
  await fixture.owner.query(at, [dead.id, processId])
  await fixture.owner.query(
    `insert into device_presence_history (device_id, at, is_online, reason) values ($1, now(), true, 'connected')`,
    [dead.id],
  )
  const [look, expired] = deadProcesses()
  await look()
  await fixture.owner.query(`update server_process set lease_until = now() - interval '1 second' where id = $1`, [
    processId,
  ])
  await look()
  expect(expired).toEqual([])
  await look()
  expect(expired).toEqual([dead.id])
  expect(await words(dead)).toEqual(['online connected', 'offline server_lost'])
  expect(await connections(alive)).toHaveLength(1)
  expect(client.connected).toBe(true)
})

test('a process that was taken for dead while it lived enters its connections again', async () => {
  const other = await fixture.another()
  const device = await newDevice()
  await fixture.connect(device, { to: other })
  await eventually(
    () => connections(device),
    (rows) => rows.length === 1,
  )
  await fixture.owner.query(`update server_process set lease_until = now() - interval '1 second' where id = $1`, [
    other.processId,
  ])
  await expireDeadProcess(fixture.pool, other.processId, () => undefined)
  expect(await connections(device)).toEqual([])
  await eventually(
    () => connections(device),
    (rows) => rows.length === 1,
  )
  expect(await connections(device)).toHaveLength(1)
})

test('a stop acknowledges what it read, takes its own presence back and leaves that of others', async () => {
  const [staying, leaving] = [await newDevice(), await newDevice()]
  const other = await fixture.another()
  await fixture.connect(staying)
  const client = await fixture.connect(leaving, { to: other })
  await eventually(
    () => connections(leaving),
    (rows) => rows.length === 1,
  )
  let acknowledged = 0
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const newestMs = Date.now()
  for (let index = 0; index < 200; index++) {
    const report = JSON.stringify({ at: new Date(newestMs - index).toISOString(), values: { load: index } })
    client.publish(`v1/devices/${leaving.guid}/events/ups`, report, { qos: 1 }, (error) => {
      if (!error) acknowledged++
      begin()
    })
  }
  await begun
  await other.stop()
  await closed(client)
  const stored = await fixture.rows('select from readings_of_ups where device_id = $1', [leaving.id])
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged)
  expect((await words(leaving)).at(-1)).toBe('offline server_stopped')
  expect(await connections(leaving)).toEqual([])
  expect(await connections(staying)).toHaveLength(1)
})
