import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import type { MqttClient } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Device } from '#contract/http/devices/devices.ts'
import { eventsTopic, timeTopic } from '#contract/mqtt/topics.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { IdentityConflicts } from '#server/gateway/sessions/IdentityConflicts.ts'
import { connectDevice, eventually, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture } from '#server/testing/wholeServer/commandFixture.ts'
import { passTime } from '#testing/passTime.ts'

const LOAD_FIELD = 5104

let fixture: CommandFixture
let next = 0
const clients: MqttClient[] = []
const sockets: Socket[] = []
beforeAll(async () => {
  fixture = await commandFixture({ devices: 11 })
  await fixture.owner.query('update device set status_id = 2')
}, 120_000)
afterAll(async () => {
  for (const client of clients) client.end(true)
  for (const socket of sockets) socket.destroy()
  await fixture.close()
})

const newDevice = () => (fixture.devices[next++] as CommandFixture['devices'][number]).device

async function connect(device: TestDevice, clientId: string, server = fixture.here): Promise<MqttClient> {
  const port = Number(new URL(server.localAddresses.mqttUrl).port)
  const client = await connectDevice(port, device, { clientId })
  client.on('error', () => undefined)
  clients.push(client)
  return client
}
/** Connects and then loses its network: it sends nothing more and does not even answer when the connection is ended. */
async function connectAndLose({ guid, key }: TestDevice, clientId: string): Promise<void> {
  const port = Number(new URL(fixture.here.localAddresses.mqttUrl).port)
  const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  const connack = once(socket, 'data')
  socket.write(
    generate({ cmd: 'connect', clientId, username: guid, password: Buffer.from(key), clean: true, keepalive: 60 }),
  )
  await connack
}

const report = (client: MqttClient, { guid }: TestDevice, load: number) =>
  client.publishAsync(eventsTopic(guid, 'ups'), JSON.stringify({ at: new Date().toISOString(), values: { load } }), {
    qos: 1,
  })

/** Lets both machines report different values, one after the other. */
async function quarrel(device: TestDevice, [one, other]: readonly MqttClient[], seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await report(one as MqttClient, device, 80)
    await passTime(SECOND_MS / 2, 'the other machine has its turn')
    await report(other as MqttClient, device, 10)
    await passTime(SECOND_MS / 2, 'the first machine has its turn')
  }
}

const deviceOf = async ({ guid }: TestDevice) =>
  (await fixture.ask('Device/GetDevice', { query: { guid } })).body as Device
const conflictOf = (device: TestDevice) =>
  eventually(
    () => deviceOf(device),
    ({ identityConflictSince }) => identityConflictSince !== null,
  )
const stretches = ({ id }: TestDevice) => fixture.rows('select from identity_conflict where device_id = $1', [id])
const alertOf = async ({ id }: TestDevice) =>
  (
    await fixture.rows<{ active_count: number; condition_state_id: number }>(
      'select active_count, condition_state_id from alert where device_id = $1',
      [id],
    )
  )[0]

test('two machines with one configuration are told, and an alert does not follow their quarrel', async () => {
  const device = newDevice()
  await fixture.owner.query(
    `insert into alert_condition (device_id, field_id, operator_code, value_dec) values ($1, $2, 'GT', 50)`,
    [device.id, LOAD_FIELD],
  )
  const machines = [await connect(device, 'agent-one'), await connect(device, 'agent-two')]
  await quarrel(device, machines, 12)
  await eventually(
    async () => (await stretches(device)).length,
    (count) => count === 1,
  )
  const told = await conflictOf(device)
  expect(told.identityConflictSince).toMatch(/Z$/)
  const list = await fixture.ask('Device/GetDeviceList', { query: { filter: 'identityConflict' } })
  expect((list.body as Device[]).map(({ guid }) => guid)).toContain(device.guid)
  const messages = await fixture.rows<{ msg: string }>('select msg from device_message where device_id = $1', [
    device.id,
  ])
  expect(messages.filter(({ msg }) => msg.startsWith('Two machines report as this device'))).toHaveLength(1)

  const before = await alertOf(device)
  await quarrel(device, machines, 6)
  const after = await alertOf(device)
  expect(after).toMatchObject({ condition_state_id: 1 })
  expect((after?.active_count ?? 0) - (before?.active_count ?? 0)).toBeLessThanOrEqual(1)
}, 120_000)

test('they are told as well when each is connected to another process', async () => {
  const device = newDevice()
  const machines = [await connect(device, 'agent-one'), await connect(device, 'agent-two', fixture.there)]
  await quarrel(device, machines, 16)
  expect(await stretches(device)).toHaveLength(1)
}, 120_000)

test('machines that take the connection from each other are told', async () => {
  const device = newDevice()
  for (let turn = 0; turn < 7; turn++) {
    await report(await connect(device, 'the-same-id'), device, turn)
    await passTime(SECOND_MS / 2, 'the other machine comes back')
  }
  await eventually(
    async () => (await stretches(device)).length,
    (count) => count === 1,
  )
  expect(await stretches(device)).toHaveLength(1)
}, 60_000)

/** Connects only to report, like a program on a computer that has been up for that long. */
async function reportAndLeave(device: TestDevice, uptime: number, subscribes = false): Promise<void> {
  const client = await connect(device, '')
  if (subscribes) await client.subscribeAsync(timeTopic(device.guid))
  const values = { uptime, cpu_temp: 41 }
  const report = JSON.stringify({ at: new Date().toISOString(), values })
  await client.publishAsync(eventsTopic(device.guid, 'device'), report, { qos: 1 })
  await client.endAsync()
}

test.each([false, true])(
  'machines that connect only for a report, and are never there at once, are told by their uptime (subscribes: %s)',
  async (subscribes) => {
    const device = newDevice()
    for (let turn = 0; turn < 4; turn++) {
      await reportAndLeave(device, 90_000 + turn, subscribes)
      await reportAndLeave(device, 4_000 + turn, subscribes)
    }
    expect(await stretches(device)).toEqual([])
    for (let turn = 4; turn < 8; turn++) {
      await reportAndLeave(device, 90_000 + turn, subscribes)
      await reportAndLeave(device, 4_000 + turn, subscribes)
    }
    await conflictOf(device)
    expect(await stretches(device)).toHaveLength(1)
  },
  60_000,
)

test('one machine that connects only for a report, and is started anew again and again, is no second one', async () => {
  const device = newDevice()
  for (let start = 0; start < 12; start++) {
    await reportAndLeave(device, 90_000 - 5_000 * start)
    await reportAndLeave(device, 90_001 - 5_000 * start)
  }
  await passTime(SECOND_MS, 'a second machine would have been noted')
  expect(await stretches(device)).toEqual([])
}, 60_000)

test('a client that starts anew, or leaves a dead connection behind, is no second machine', async () => {
  const device = newDevice()
  for (let start = 0; start < 7; start++) {
    const client = await connect(device, `agent-${start}`)
    await report(client, device, start)
    await client.endAsync()
  }
  // This connection is never heard again, and is not closed either.
  await report(await connect(device, 'agent-dead'), device, 1)
  const alive = await connect(device, 'agent-alive')
  for (let second = 0; second < 10; second++) {
    await report(alive, device, second)
    await passTime(SECOND_MS, 'it goes on to report')
  }
  expect(await stretches(device)).toEqual([])
  expect(await deviceOf(device)).toMatchObject({ identityConflictSince: null })
}, 60_000)

test('one machine that comes back every few seconds, on a network that loses its connections, is no second one', async () => {
  const device = newDevice()
  for (let turn = 0; turn < 8; turn++) {
    await connectAndLose(device, 'the-same-id')
    await passTime(SECOND_MS / 2, 'its network comes back')
  }
  await passTime(3 * SECOND_MS, 'nobody answers the end of its last connection')
  expect(await stretches(device)).toEqual([])
}, 60_000)

test('machines that take the connection from each other once a minute are told', async () => {
  const device = newDevice()
  const unused = () => undefined
  const deps = {
    pool: fixture.owner,
    processId: 'here',
    keptDays: 30,
    onChanged: unused,
    onBegun: unused,
    log: unused,
  }
  const conflicts = new IdentityConflicts(deps)
  for (let minute = 0; minute < 4; minute++) conflicts.noteSign(device.id, minute * MINUTE_MS)
  expect(await stretches(device)).toEqual([])
  conflicts.noteSign(device.id, 4 * MINUTE_MS)
  await eventually(
    async () => (await stretches(device)).length,
    (count) => count === 1,
  )
  // Clients that seldom reconnect before they have left are no conflict.
  const other = newDevice()
  for (let turn = 0; turn < 8; turn++) conflicts.noteSign(other.id, turn * 5 * MINUTE_MS)
  expect(await stretches(other)).toEqual([])
})
