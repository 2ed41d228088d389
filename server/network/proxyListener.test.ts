import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { connectAsync } from 'mqtt'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { createClients } from '#server/network/clients.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { insertDevices, type TestDevice } from '#server/testing/devices/gatewayFixture.ts'
import { headerV1, headerV2, LOCAL_V2, startBalancer } from '#server/testing/proxies.ts'
import { startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'
import { passTime } from '#testing/passTime.ts'
import { expectProxyHeaders } from './proxyListener.ts'

const HERE = ['127.0.0.1']
let database: FreshDatabase
let server: RunningServer
let httpPort: number
let mqttPort: number
let owner: ReturnType<typeof openPool>
let device: TestDevice

beforeAll(async () => {
  database = await freshDatabase()
  owner = openPool(database.ownerUrl, { maximumConnections: 2, name: 'test owner' })
  device = (await insertDevices(owner, 1))[0] as TestDevice
  const config = { trustedProxies: HERE, proxyProtocol: ['http', 'mqtt'] as const }
  server = await startWholeServer(database, { config })
  httpPort = Number(new URL(server.localAddresses.httpUrl).port)
  mqttPort = Number(new URL(server.localAddresses.mqttUrl).port)
})
afterAll(async () => {
  await server.stop()
  await owner.end()
  await database.drop()
})

interface Echo {
  readonly port: number
  readonly heardFrom: string[]
  readonly endWaiting: () => void
  readonly stop: () => Promise<void>
}

/** Starts a server that sends back what it gets behind the header. */
async function startEcho(options: { trusted?: readonly string[]; headerWithinMs?: number } = {}): Promise<Echo> {
  const clients = createClients(options.trusted ?? HERE)
  const heardFrom: string[] = []
  const echo: Server = createServer((socket: Socket) => {
    heardFrom.push(clients.ofConnection(socket))
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => socket.write(chunk))
    socket.on('end', () => socket.end())
  })
  const endWaiting = expectProxyHeaders(echo, { clients, headerWithinMs: options.headerWithinMs ?? 60_000 })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  return {
    port: (echo.address() as AddressInfo).port,
    heardFrom,
    endWaiting,
    stop: async () => {
      echo.close()
      await once(echo, 'close')
    },
  }
}

/** @returns everything that came back until the other side closed */
async function answerTo(port: number, pieces: readonly Uint8Array[], { ends = true } = {}): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answer = buffer(socket).catch(() => Buffer.alloc(0))
  for (const piece of pieces) {
    socket.write(piece)
    await turn()
  }
  if (ends) socket.end()
  return answer
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  let rest = bytes
  for (const length of lengths) {
    pieces.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return [...pieces, rest].filter((piece) => piece.length > 0)
}

test('every byte behind a header goes on unharmed, in whatever pieces both come', async () => {
  const echo = await startEcho()
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 })
  const headers = fc.constantFrom(headerV1('198.51.100.7'), headerV2('198.51.100.7', Buffer.alloc(30, 1)))
  await fc.assert(
    fc.asyncProperty(headers, fc.uint8Array({ maxLength: 200 }), lengths, async (header, sent, pieces) => {
      const whole = Buffer.concat([header, sent])
      expect(await answerTo(echo.port, cut(whole, pieces))).toEqual(Buffer.from(sent))
    }),
    { numRuns: 60 },
  )
  expect(new Set(echo.heardFrom)).toEqual(new Set(['198.51.100.7']))
  const long = Buffer.alloc(3_000_000, 'long ')
  expect((await answerTo(echo.port, [Buffer.concat([headerV1('198.51.100.7'), long])])).equals(long)).toBe(true)
  await echo.stop()
})

test('a balancer that speaks for itself is heard under its own address', async () => {
  const echo = await startEcho()
  expect(String(await answerTo(echo.port, [LOCAL_V2, Buffer.from('look')]))).toBe('look')
  expect(String(await answerTo(echo.port, [Buffer.from('PROXY UNKNOWN\r\nlook')]))).toBe('look')
  expect(echo.heardFrom).toEqual(['127.0.0.1', '127.0.0.1'])
  await echo.stop()
})

test('who is no trusted proxy is closed at once, whatever it says', async () => {
  const echo = await startEcho({ trusted: ['10.0.0.0/8'] })
  expect(await answerTo(echo.port, [headerV1('198.51.100.7'), Buffer.from('x')], { ends: false })).toHaveLength(0)
  expect(echo.heardFrom).toEqual([])
  await echo.stop()
})

test.each([
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a header without its end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(200)}`)],
  ['a header beyond 4 kB', Buffer.concat([headerV2('198.51.100.7').subarray(0, 14), Buffer.from([0xff, 0xff])])],
])('%s is closed at once', async (_, bytes) => {
  const echo = await startEcho()
  expect(await answerTo(echo.port, [bytes], { ends: false })).toHaveLength(0)
  expect(echo.heardFrom).toEqual([])
  await echo.stop()
})

test('a connection without a header in time is closed, and so is one that ends or breaks before', async () => {
  const echo = await startEcho({ headerWithinMs: 50 })
  expect(await answerTo(echo.port, [], { ends: false })).toHaveLength(0)
  expect(await answerTo(echo.port, [headerV1('198.51.100.7').subarray(0, 20)], { ends: false })).toHaveLength(0)
  expect(await answerTo(echo.port, [headerV1('198.51.100.7').subarray(0, 20)])).toHaveLength(0)
  const broken = connect(echo.port, '127.0.0.1')
  await once(broken, 'connect')
  broken.resetAndDestroy()
  expect(echo.heardFrom).toEqual([])
  await echo.stop()
})

test('who still owes a header keeps no server from stopping', async () => {
  const echo = await startEcho()
  const waiting = connect(echo.port, '127.0.0.1')
  await once(waiting, 'connect')
  const closed = once(waiting, 'close')
  await passTime(20, 'the server has it by then, and nobody is told')
  echo.endWaiting()
  await closed
  await echo.stop()
})

const post = (path: string, body: object) => {
  const json = JSON.stringify(body)
  return `POST /api/${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`
}
const lastSignIn = async () =>
  (await owner.query(`select username, address from audit_log where call = 'App/Login' order by id desc limit 1`))
    .rows[0]

test('the API behind a balancer knows its clients, in whatever pieces header and request come', async () => {
  for (const [header, client] of [
    [headerV1('198.51.100.7'), '198.51.100.7'],
    [headerV2('2001:db8::7'), '2001:db8::7'],
  ] as const) {
    const request = Buffer.from(post('App/Login', { username: `via ${client}`, password: 'wrong' }))
    const last = Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const whole = Buffer.concat([header, request, last])
    for (const pieces of [
      [],
      [1, 1, 1, 30, 5, 100],
      [header.length],
      [header.length + 9],
      whole.subarray(1).map(() => 1),
    ]) {
      const answer = String(await answerTo(httpPort, cut(whole, [...pieces]), { ends: false }))
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
      expect(await lastSignIn()).toEqual({ username: `via ${client}`, address: client })
    }
  }
})

test('behind a balancer the header X-Forwarded-For of a stranger is nobody, that of a trusted proxy is believed', async () => {
  const asked = (name: string) =>
    post('App/Login', { username: name, password: 'wrong' }).replace(
      'host: x',
      'host: x\r\nconnection: close\r\nx-forwarded-for: 203.0.113.5',
    )
  await answerTo(httpPort, [headerV1('198.51.100.7'), Buffer.from(asked('stranger'))], { ends: false })
  expect(await lastSignIn()).toEqual({ username: 'stranger', address: '198.51.100.7' })
  await answerTo(httpPort, [headerV1('127.0.0.1'), Buffer.from(asked('proxied'))], { ends: false })
  expect(await lastSignIn()).toEqual({ username: 'proxied', address: '203.0.113.5' })
})

test('a device connects through a balancer, by TCP and by WebSocket, and reports', async () => {
  for (const [port, scheme, path] of [
    [mqttPort, 'mqtt', ''],
    [httpPort, 'ws', '/mqtt'],
  ] as const) {
    for (const header of [headerV1('198.51.100.7'), headerV2('2001:db8::7', Buffer.alloc(50, 1))]) {
      const balancer = await startBalancer(port, () => header)
      const options = { username: device.guid, password: device.key, reconnectPeriod: 0 }
      const client = await connectAsync(`${scheme}://127.0.0.1:${balancer.port}${path}`, options)
      const report = JSON.stringify({ at: new Date().toISOString(), values: { load: 1 } })
      await client.publishAsync(`v1/devices/${device.guid}/events/ups`, report, { qos: 1 })
      client.end(true)
      await balancer.stop()
    }
  }
})

test('what a limit refuses of devices is in the audit log, under the address of the client', async () => {
  const balancer = await startBalancer(mqttPort, () => headerV1('198.51.100.99'))
  const password = Buffer.from('wrong')
  const tries = generate({ cmd: 'connect', clientId: 'x', username: device.guid, password })
  const refusals = async () =>
    (await owner.query(`select address, call from audit_log where outcome = 'too_many_requests'`)).rows
  for (let n = 0; n < 400 && (await refusals()).length === 0; n += 1) {
    await Promise.all(Array.from({ length: 20 }, () => answerTo(balancer.port, [tries], { ends: false })))
  }
  expect(await refusals()).toEqual([{ address: '198.51.100.99', call: 'MQTT sign-in' }])
  await balancer.stop()
})

test('where the PROXY protocol is on, nobody is served without it', async () => {
  const connectPacket = generate({
    cmd: 'connect',
    clientId: 'x',
    username: device.guid,
    password: Buffer.from(device.key),
  })
  expect(await answerTo(mqttPort, [connectPacket], { ends: false })).toHaveLength(0)
  await expect(fetch(`http://127.0.0.1:${httpPort}/healthz`)).rejects.toThrow()
  const silent = [httpPort, mqttPort].map((port) => answerTo(port, [], { ends: false }))
  expect((await Promise.all(silent)).map(({ length }) => length)).toEqual([0, 0])
})
