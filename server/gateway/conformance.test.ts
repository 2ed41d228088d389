import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { generate, type Packet, parser } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Command } from '#contract/mqtt/command.ts'
import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { Entering } from '#server/network/ConnectionQueue.ts'
import {
  closed,
  eventually,
  type GatewayFixture,
  gatewayFixture,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { ControlIngress } from './wire/ControlIngress.ts'
import { newGatewayCounters } from './wire/gatewayCounters.ts'

const COMMAND: Command = {
  name: 'ups.reboot',
  args: {},
  issuedAt: new Date().toISOString(),
  expiresAt: new Date().toISOString(),
}

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ devices: 10 })
})
afterAll(() => fixture.close())

const device = (index: number) => fixture.devices[index] as TestDevice
const root = ({ guid }: TestDevice) => topicRoot(guid)

const connectPacket = ({ guid, key }: TestDevice, more: object = {}): Packet =>
  ({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60, clientId: 'raw' },
    ...{ username: guid, password: Buffer.from(key) },
    ...more,
  }) as Packet
const subscribePacket = (messageId: number, topics: readonly string[], qos: 0 | 1 | 2 = 1): Packet => ({
  cmd: 'subscribe',
  messageId,
  subscriptions: topics.map((topic) => ({ topic, qos })),
})
const reportPacket = (from: TestDevice, messageId: number): Packet => ({
  ...{ cmd: 'publish', qos: 1, messageId, dup: false, retain: false },
  topic: `${root(from)}events/display`,
  payload: JSON.stringify({ at: new Date().toISOString(), values: { contrast: messageId } }),
})

/** Opens a raw connection and collects what the gateway answers on it. */
function open() {
  const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => undefined)
  const answers: Packet[] = []
  const reader = parser({ protocolVersion: 4 })
  reader.on('packet', (packet) => answers.push(packet))
  socket.on('data', (chunk: Buffer) => reader.parse(chunk))
  const answered = (count: number) =>
    eventually(
      async () => answers.length,
      (length) => length >= count,
    )
  return { socket, answers, answered, said: () => answers.map(summary) }
}

const summary = (packet: Packet) => `${packet.cmd} ${'messageId' in packet ? (packet.messageId ?? '') : ''}`.trim()

async function connected(as: TestDevice) {
  const raw = open()
  raw.socket.write(generate(connectPacket(as)))
  await raw.answered(1)
  return raw
}

async function ended(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

test('a whole conversation is answered the same however its bytes arrive', async () => {
  const own = device(0)
  const filters = [timeTopic(own.guid), commandsFilter(own.guid)]
  const conversation = [
    connectPacket(own),
    subscribePacket(1, filters),
    { cmd: 'pingreq' } as Packet,
    reportPacket(own, 2),
    { cmd: 'unsubscribe', messageId: 3, unsubscriptions: filters } as Packet,
    reportPacket(own, 4),
  ]
  const bytes = Buffer.concat(conversation.map((packet) => generate(packet)))
  const chance = seededRandom()
  for (let round = 0; round < 20; round++) {
    const { socket, answered, said } = open()
    const pieces = round === 0 ? 1 : 1 + Math.floor(chance() * 12)
    const cuts = Array.from({ length: pieces - 1 }, () => Math.floor(chance() * bytes.length)).sort((a, b) => a - b)
    for (const [index, cut] of [...cuts, bytes.length].entries()) {
      socket.write(bytes.subarray(cuts[index - 1] ?? 0, cut))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await answered(7)
    // Acknowledgements wait for their commit; everything else is answered in order.
    const [connack, ...others] = said()
    expect(connack).toBe('connack')
    expect(others.filter((answer) => !answer.startsWith('puback'))).toEqual([
      'suback 1',
      'publish',
      'pingresp',
      'unsuback 3',
    ])
    expect(others.filter((answer) => answer.startsWith('puback'))).toEqual(['puback 2', 'puback 4'])
    socket.write(generate({ cmd: 'disconnect' }))
    await ended(socket)
  }
})

test.each([
  ['a CONNECT of MQTT 5', { protocolVersion: 5 }, 1],
  ['MQTT 3.1', { protocolId: 'MQIsdp', protocolVersion: 3 }, 0],
  ['a session that is to be kept, which never is', { clean: false }, 0],
])('%s is answered', async (_what, more, returnCode) => {
  const { socket, answers, answered } = open()
  socket.write(generate(connectPacket(device(1), more)))
  await answered(1)
  expect(answers).toMatchObject([{ cmd: 'connack', returnCode, sessionPresent: false }])
  if (returnCode > 0) await ended(socket)
  socket.destroy()
})

test.each([
  ['with a wrong key', { password: Buffer.from('wrong') }, 4, 8],
  ['of MQTT 5', { protocolVersion: 5 }, 1, 9],
])('nothing is read that comes behind a CONNECT %s', async (_what, more, returnCode, index) => {
  const own = device(index)
  const { socket, answers, answered } = open()
  const behind = [connectPacket(own), reportPacket(own, 1), { cmd: 'pingreq' } as Packet]
  socket.write(Buffer.concat([connectPacket(own, more), ...behind].map((packet) => generate(packet))))
  await answered(1)
  await ended(socket)
  expect(answers).toMatchObject([{ cmd: 'connack', returnCode }])
  // Presence is stored in order, so what the next connection leaves in the history comes first.
  const next = await fixture.connect(own)
  const history = () =>
    fixture.rows<{ reason: string }>('select reason from device_presence_history where device_id = $1', [own.id])
  expect(await eventually(history, ({ length }) => length > 0)).toHaveLength(1)
  expect(next.connected).toBe(true)
})

test.each([
  ['a second CONNECT', () => connectPacket(device(2))],
  ['what only a server says', () => ({ cmd: 'suback', messageId: 1, granted: [0] }) as Packet],
  ['a half of an exchange that nobody began', () => ({ cmd: 'pubrec', messageId: 1 }) as Packet],
])('%s ends the connection', async (_what, packet) => {
  const { socket } = await connected(device(2))
  const before = fixture.gateway.counters.gateway.packetsMalformed
  socket.write(generate(packet()))
  await ended(socket)
  expect(fixture.gateway.counters.gateway.packetsMalformed - before).toBe(1)
})

test('each filter is answered for itself, and more than a hundred of one connection are refused', async () => {
  const own = device(3)
  const { socket, answers, answered } = await connected(own)
  const filters = Array.from({ length: 110 }, (_, number) => `${root(own)}messages/${number}`)
  socket.write(generate(subscribePacket(1, [...filters, filters[0] as string, `${root(own)}messages/new`], 0)))
  await answered(2)
  const granted = [...Array(100).fill(0), ...Array(10).fill(128), 0, 128]
  expect(answers[1]).toMatchObject({ cmd: 'suback', messageId: 1, granted })
  socket.destroy()
})

test('a device is told no better than it asked for, and nothing when it does not ask any more', async () => {
  const own = device(4)
  const client = await fixture.connect(own)
  const told: { topic: string; qos: number }[] = []
  client.on('message', (topic, _payload, { qos }) => told.push({ topic: topic.slice(root(own).length), qos }))
  const { gateway } = fixture
  expect(gateway.takesCommands(own.id)).toBe(false)
  await client.subscribeAsync(`${root(own)}#`, { qos: 0 })
  expect(gateway.sendCommand(own.id, 'a', COMMAND)).toBe(true)
  await client.subscribeAsync(commandsFilter(own.guid), { qos: 2 })
  expect(gateway.sendCommand(own.id, 'b', COMMAND)).toBe(true)
  await client.unsubscribeAsync([`${root(own)}#`, settingsTopic(device(5).guid)])
  expect(gateway.sendCommand(own.id, 'c', COMMAND)).toBe(true)
  await client.unsubscribeAsync(commandsFilter(own.guid))
  expect([gateway.sendCommand(own.id, 'd', COMMAND), gateway.takesCommands(own.id)]).toEqual([false, false])
  const timesTold = (count: number) =>
    eventually(
      async () => told.filter(({ topic }) => topic === 'time').length,
      (times) => times === count,
    )
  await client.subscribeAsync(timeTopic(own.guid))
  await timesTold(2)
  // An existing subscription is answered again, because agents ask for the time that way.
  await client.subscribeAsync(timeTopic(own.guid), { qos: 1 })
  await timesTold(3)
  expect(told.filter(({ topic }) => topic.startsWith('commands'))).toEqual([
    { topic: 'commands/a', qos: 0 },
    { topic: 'commands/b', qos: 1 },
    { topic: 'commands/c', qos: 1 },
  ])
})

test('of a device that does not read what it is told no more than a megabyte is kept', async () => {
  const own = device(6)
  const { socket, answered } = await connected(own)
  socket.write(generate(subscribePacket(1, [commandsFilter(own.guid)])))
  await answered(2)
  socket.pause()
  const long = { ...COMMAND, args: { text: 'x'.repeat(60_000) } }
  let sent = 0
  // The gateway does not hold what fits into the sockets of this machine.
  while (fixture.gateway.sendCommand(own.id, String(sent), long) && sent < 2000) {
    sent++
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent).toBeLessThan(2000)
  expect(fixture.gateway.takesCommands(own.id)).toBe(false)
  socket.destroy()
})

test('who connects and never says who it is is let go after ten seconds, and nobody else', () => {
  const control = new ControlIngress({
    counters: newGatewayCounters(),
    authenticate: async () => undefined,
    onLimited: () => undefined,
    onKnown: () => undefined,
    onSubscribed: () => undefined,
    log: () => undefined,
  })
  const comer = () => ({
    address: '192.0.2.1',
    hasConnect: false,
    isClosed: false,
    begin: () => undefined,
    close() {
      this.isClosed = true
    },
  })
  const [silent, known, later] = [comer(), comer(), comer()]
  for (const [entering, atMs] of [
    [silent, 0],
    [known, 0],
    [later, 5000],
  ] satisfies [Entering, number][]) {
    control.expect(entering, atMs)
  }
  control.forget(known)
  const areClosed = () => [silent, known, later].map(({ isClosed }) => isClosed)
  control.sweep(9999)
  expect(areClosed()).toEqual([false, false, false])
  control.sweep(10_001)
  expect(areClosed()).toEqual([true, false, false])
  control.sweep(15_001)
  expect(areClosed()).toEqual([true, false, true])
})

test('a client that says goodbye has gone', async () => {
  const own = device(7)
  const client = await fixture.connect(own)
  await client.endAsync()
  await closed(client)
  await eventually(
    async () => fixture.gateway.deviceIds().includes(own.id),
    (isThere) => !isThere,
  )
  expect(fixture.gateway.deviceIds()).not.toContain(own.id)
})
