import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { MqttClient } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  closed,
  eventually,
  type GatewayFixture,
  gatewayFixture,
  insertDevices,
  insertKey,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'

const CONSOLE_ORIGIN = 'https://signs.example'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ consoleOrigin: () => CONSOLE_ORIGIN })
})
afterAll(() => fixture.close())

/** Each test has its own device, so that none sees another's rows. */
async function newDevice(): Promise<TestDevice> {
  return (await insertDevices(fixture.owner, 1))[0] as TestDevice
}

const root = ({ guid }: TestDevice) => `v1/devices/${guid}/`
const reportOf = (values: object, atMs = Date.now()) => JSON.stringify({ at: new Date(atMs).toISOString(), values })
const send = (client: MqttClient, device: TestDevice, topic: string, payload: string | Buffer, qos: 0 | 1 | 2 = 1) =>
  client.publishAsync(root(device) + topic, payload, { qos })

const displayRows = (device: TestDevice) =>
  fixture.rows(
    `select number, device_dt, claimed_at, backlight_level, contrast, source, extra from reading_display
     where device_id = $1 order by device_dt`,
    [device.id],
  )
test('a wrong key, a foreign guid, a missing key and a deleted device are refused with a reason', async () => {
  const device = await newDevice()
  const other = await newDevice()
  const refused = (username: string, key: string | undefined) =>
    fixture.connect({ ...device, guid: username as TestDevice['guid'], key: key as string })
  await expect(refused(device.guid, 'wrong')).rejects.toMatchObject({ code: 4 })
  await expect(refused(device.guid, other.key)).rejects.toMatchObject({ code: 4 })
  await expect(refused("' or 1=1 --", device.key)).rejects.toMatchObject({ code: 4 })
  await expect(refused(device.guid, undefined)).rejects.toMatchObject({ code: 4 })
  await fixture.owner.query('update device set deleted_at = now() where id = $1', [device.id])
  await expect(refused(device.guid, device.key)).rejects.toMatchObject({ code: 4 })
})

test('the first use of a newer key ends the older one and its connections', async () => {
  const device = await newDevice()
  const old = await fixture.connect(device)
  const key = randomBytes(32).toString('base64url')
  await insertKey(fixture.owner, device.id, key)
  const stillOld = await fixture.connect(device)
  const renewed = await fixture.connect({ ...device, key })
  await Promise.all([closed(old), closed(stillOld)])
  expect(renewed.connected).toBe(true)
  await expect(fixture.connect(device)).rejects.toMatchObject({ code: 4 })
})

test('the late first use of an older key leaves a newer one as it is', async () => {
  const device = await newDevice()
  const newer = randomBytes(32).toString('base64url')
  await insertKey(fixture.owner, device.id, newer)
  await fixture.connect(device)
  expect((await fixture.connect({ ...device, key: newer })).connected).toBe(true)
})

test('a revoked key ends the connection', async () => {
  const device = await newDevice()
  const client = await fixture.connect(device)
  await fixture.owner.query('delete from device_credential where device_id = $1', [device.id])
  await fixture.gateway.closeRevoked()
  await closed(client)
  expect(client.connected).toBe(false)
})

/** These topics look like another device's or the broker's. None of them lies below the root of `own`. */
function foreignTopics(own: TestDevice, other: TestDevice): string[] {
  const roots = [
    ...[other.guid, own.guid.toUpperCase(), own.guid.slice(1), `${own.guid}x`, `x${own.guid}`, ` ${own.guid}`],
    ...[
      own.guid.replaceAll('-', ''),
      `{${own.guid}}`,
      `${own.guid}%2f`,
      `${own.guid}\u200b`,
      '',
      '.',
      '..',
      `../${other.guid}`,
    ],
    ...['null', '0', 'constructor', '__proto__', "' or 1=1 --", '😀'],
  ].map((guid) => `v1/devices/${guid}`)
  const others = [
    '',
    '/',
    'V1',
    'v1',
    'v2',
    '$SYS',
    '$SYS/broker',
    '$share/g',
    'v1/device',
    'v1//devices',
    '/v1/devices',
  ]
  const prefixes = [...roots, ...others.map((begin) => `${begin}/${own.guid}`)]
  const ends = ['/events/display', '/events/display/2', '/messages', '/settings', '/commands/1', '/replies/1', '/time']
  return [`v1/devices/${own.guid}`, ...prefixes.flatMap((begin) => ends.map((end) => begin + end))]
}

test('a publish to a foreign topic closes the connection, is counted and reaches nobody', async () => {
  const [own, other] = [await newDevice(), await newDevice()]
  const victim = await fixture.connect(other)
  const received: string[] = []
  victim.on('message', (topic) => received.push(topic))
  await victim.subscribeAsync(`${root(other)}events/#`, { qos: 1 })
  const before = fixture.gateway.counters.gateway.topicsDenied
  const topics = foreignTopics(own, other)
  for (const topic of topics) {
    const client = await fixture.connect(own)
    client.publish(topic, reportOf({ contrast: 66 }), { qos: 1, retain: true })
    await closed(client)
  }
  expect(fixture.gateway.counters.gateway.topicsDenied - before).toBe(topics.length)
  expect(await displayRows(other)).toEqual([])
  expect(await displayRows(own)).toEqual([])
  expect(received).toEqual([])
})

test('a subscription to a foreign topic or beyond the own subtree closes the connection', async () => {
  const [own, other] = [await newDevice(), await newDevice()]
  const filters = [...foreignTopics(own, other), '#', '+/#', 'v1/devices/+/settings', 'v1/devices/#', '$SYS/#']
  for (const filter of filters) {
    const client = await fixture.connect(own)
    client.subscribe(filter)
    await closed(client)
    expect(client.connected, filter).toBe(false)
  }
})

test('a will for a foreign topic is refused, and one for the own subtree is never delivered', async () => {
  const [own, other] = [await newDevice(), await newDevice()]
  const will = (topic: string) => ({
    will: { topic, payload: Buffer.from(reportOf({ contrast: 6 })), qos: 1 as const, retain: true },
  })
  for (const topic of foreignTopics(own, other)) {
    await expect(fixture.connect(own, will(topic)), topic).rejects.toMatchObject({ code: 5 })
  }
  const watcher = await fixture.connect(own)
  const received: string[] = []
  watcher.on('message', (topic) => received.push(topic))
  await watcher.subscribeAsync(`${root(own)}events/#`)
  const client = await fixture.connect(own, will(`${root(own)}events/display`))
  client.stream.destroy()
  await closed(client)
  await watcher.subscribeAsync(`${root(own)}commands/+`)
  expect(received).toEqual([])
  expect(await displayRows(own)).toEqual([])
})

test('a device that subscribes is told the time and its present settings, marked as retained', async () => {
  const device = await newDevice()
  await fixture.owner.query(
    `insert into device_component (device_id, component_model_id, category_id, number, label)
     values ($1, 7, 6, 2, 'Back'), ($1, 5, 4, 1, ''), ($1, 7, 6, 1, 'Front')`,
    [device.id],
  )
  await fixture.owner.query('insert into device_settings (device_id, version) values ($1, 7)', [device.id])
  const client = await fixture.connect(device)
  const received = new Map<string, { body: unknown; retain: boolean; qos: number }>()
  client.on('message', (topic, payload, { retain, qos }) => {
    received.set(topic.slice(root(device).length), { body: JSON.parse(payload.toString()), retain, qos })
  })
  await client.subscribeAsync([`${root(device)}settings`, `${root(device)}commands/+`, `${root(device)}time`], {
    qos: 1,
  })
  await eventually(
    async () => received.size,
    (size) => size === 2,
  )
  expect(received.get('settings')).toEqual({
    retain: true,
    qos: 1,
    body: {
      version: 7,
      modelId: 15,
      timeZone: 'UTC',
      components: [
        { componentModelId: 5, number: 1, label: '', als: null, buttonRules: null },
        { componentModelId: 7, number: 1, label: 'Front', als: null, buttonRules: null },
        { componentModelId: 7, number: 2, label: 'Back', als: null, buttonRules: null },
      ],
      sections: [],
      holidays: [],
      client: null,
      drivers: [],
      laterSections: [],
      position: null,
    },
  })
  expect(received.get('time')).toMatchObject({ retain: false, body: { now: expect.stringMatching(/Z$/) } })
  received.clear()
  await fixture.owner.query('update device_settings set version = 8 where device_id = $1', [device.id])
  await fixture.gateway.sendSettings(device.id)
  await eventually(
    async () => received.size,
    (size) => size === 1,
  )
  expect(received.get('settings')).toMatchObject({ body: { version: 8 } })
})

test('of three connections of a device the oldest ends, and one with the same client id takes the place of the other', async () => {
  const device = await newDevice()
  const first = await fixture.connect(device, { clientId: 'one' })
  const second = await fixture.connect(device, { clientId: 'two' })
  const third = await fixture.connect(device, { clientId: 'three' })
  await closed(first)
  expect([first, second, third].map(({ connected }) => connected)).toEqual([false, true, true])
  const again = await fixture.connect(device, { clientId: 'two' })
  await closed(second)
  expect([second, third, again].map(({ connected }) => connected)).toEqual([false, true, true])
})

test('two devices may choose the same client id', async () => {
  const [one, other] = [await newDevice(), await newDevice()]
  const first = await fixture.connect(one, { clientId: 'same' })
  const second = await fixture.connect(other, { clientId: 'same' })
  await send(second, other, 'events/display', reportOf({ contrast: 1 }))
  await send(first, one, 'events/display', reportOf({ contrast: 2 }))
  expect(await displayRows(one)).toMatchObject([{ contrast: 2 }])
})

async function webSocketServer() {
  const http = createServer()
  http.on('upgrade', (request, socket, head) => fixture.gateway.handleUpgrade(request, socket, head))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return { http, port: (http.address() as AddressInfo).port }
}

test('a device connects by WebSocket as it does by TCP', async () => {
  const device = await newDevice()
  const { http, port } = await webSocketServer()
  const { connectAsync } = await import('mqtt')
  const client = await connectAsync(`ws://127.0.0.1:${port}/mqtt`, {
    username: device.guid,
    password: device.key,
    reconnectPeriod: 0,
  })
  await send(client, device, 'events/display', reportOf({ contrast: 8 }))
  await client.endAsync()
  http.close()
  expect(await displayRows(device)).toMatchObject([{ contrast: 8 }])
})

test.each([
  ['the path of devices, and no page', '/mqtt', 'mqtt', undefined, 101],
  ['the older name of the protocol', '/mqtt?client=old', 'mqttv3.1', undefined, 101],
  ['a page of the console', '/mqtt', 'mqtt', CONSOLE_ORIGIN, 101],
  ['another path', '/', 'mqtt', undefined, 404],
  ['a longer path', '/mqtt/more', 'mqtt', undefined, 404],
  ['a call of the API', '/api/Live/Watch', 'mqtt', undefined, 404],
  ['another protocol', '/mqtt', 'chat', undefined, 400],
  ['no protocol', '/mqtt', undefined, undefined, 400],
  ['a page of somebody else', '/mqtt', 'mqtt', 'https://evil.example', 403],
  ['a page on another port', '/mqtt', 'mqtt', `${CONSOLE_ORIGIN}:8443`, 403],
  ['a page without an origin', '/mqtt', 'mqtt', 'null', 403],
])('a WebSocket is opened only for MQTT, on its path, by a device or our own page: %s', async (...asked) => {
  const [, path, protocol, origin, status] = asked
  const { http, port } = await webSocketServer()
  const answer = new Promise<number | undefined>((resolve, reject) => {
    const request = get({
      port,
      host: '127.0.0.1',
      path,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        ...(protocol !== undefined && { 'sec-websocket-protocol': protocol }),
        ...(origin !== undefined && { origin }),
      },
    })
    request.on('upgrade', ({ statusCode }, socket) => [socket.destroy(), resolve(statusCode)])
    request.on('response', ({ statusCode }) => resolve(statusCode))
    request.on('error', reject)
  })
  expect(await answer).toBe(status)
  http.close()
})

test('bytes that are no MQTT, and packets before CONNECT, end the connection and nothing else', async () => {
  const { port, counters } = fixture.gateway
  const before = counters.gateway.packetsMalformed
  const hostile = [
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    generate({ cmd: 'pingreq' }),
    generate({ cmd: 'publish', topic: 'a', payload: 'b', qos: 0, dup: false, retain: false }),
    Buffer.from([0x10, 0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x10, 0x04, 0xff, 0xff, 0x00, 0x00]),
  ]
  for (const bytes of hostile) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(bytes)
    await once(socket, 'close')
  }
  expect(counters.gateway.packetsMalformed - before).toBe(hostile.length)
})

test('random bytes behind a good CONNECT never end the process', async () => {
  const device = await newDevice()
  for (let round = 0; round < 50; round++) {
    const socket = connect({ port: fixture.gateway.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const credentials = { clientId: `r${round}`, username: device.guid, password: Buffer.from(device.key) }
    socket.write(
      generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0, ...credentials }),
    )
    await once(socket, 'data')
    socket.end(randomBytes(2000))
    socket.resume()
    await once(socket, 'close')
  }
  const client = await fixture.connect(device)
  await send(client, device, 'events/display', reportOf({ contrast: 1 }))
  expect(await displayRows(device)).toHaveLength(1)
})
