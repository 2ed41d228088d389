import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type GatewayFixture, gatewayFixture } from '#server/testing/devices/gatewayFixture.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ devices: 2 })
})
afterAll(() => fixture.close())

async function open(count: number, localAddress: string, say?: Buffer): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: fixture.gateway.port, host: '127.0.0.1', localAddress }),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  // A socket that does not read never notices its end.
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  if (say) for (const socket of sockets) socket.write(say)
  return sockets
}

test('connections that say nothing keep no device waiting', async () => {
  const silent = await open(250, '127.0.0.1')
  const client = await fixture.connect(fixture.device)
  expect(client.connected).toBe(true)
  expect(silent.filter(({ closed }) => closed)).toEqual([])
})

test('a device signs in while hundreds from another address say nothing, or only begin to', async () => {
  // Connections that only begin a packet are closed soon after that anyway.
  const connecting = { connectTimeout: 9000 }
  await open(400, '127.0.0.2')
  expect((await fixture.connect(fixture.device, connecting)).connected).toBe(true)
  await open(400, '127.0.0.3', Buffer.from([0x10]))
  expect((await fixture.connect(fixture.device, connecting)).connected).toBe(true)
}, 30_000)

test('a device signs in from the address from which hundreds say nothing', async () => {
  await open(400, '127.0.0.1')
  const client = await fixture.connect(fixture.device)
  expect(client.connected).toBe(true)
}, 30_000)

test('a connection that ends without a word is closed and counted as one that has gone', async () => {
  const { gateway } = fixture.gateway.counters
  const openCount = () => gateway.connectionsOpened - gateway.connectionsClosed
  await expect.poll(openCount).toBeLessThan(10)
  const before = openCount()
  const [socket] = await open(1, '127.0.0.7')
  await expect.poll(openCount).toBe(before + 1)
  socket?.end()
  await expect.poll(openCount).toBe(before)
})

test('of one address a thousand are kept that say nothing, and those of others stay', async () => {
  const others = await open(10, '127.0.0.5')
  const many = await open(1100, '127.0.0.6')
  await expect.poll(() => many.filter(({ closed }) => closed).length, { timeout: 20_000 }).toBe(100)
  expect(others.filter(({ closed }) => closed)).toEqual([])
}, 30_000)
