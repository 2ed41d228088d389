import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClients } from '#server/network/clients.ts'
import {
  eventually,
  type GatewayFixture,
  gatewayFixture,
  insertDevices,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'
import { headerV1, startBalancer } from '#server/testing/proxies.ts'
import { SignInLimit } from './SignInLimit.ts'

const limited: string[] = []
let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({
    devices: 2,
    clients: createClients(['127.0.0.1']),
    expectsProxyHeader: true,
    onLimited: (address) => limited.push(address),
  })
})
afterAll(() => fixture.close())

test('three hundred wrong keys are judged at once, then ten a second', () => {
  const limit = new SignInLimit()
  const judged = (times: number, nowMs: number) =>
    Array.from({ length: times }, () => limit.take('198.51.100.7', randomUUID(), nowMs)).filter(Boolean).length
  expect([judged(400, 0), judged(10, 50), judged(50, 1050), judged(1000, 3_600_000)]).toEqual([300, 0, 10, 300])
})

test('whoever has signed in from an address before is judged there, whatever strangers do, and nowhere else', () => {
  const limit = new SignInLimit()
  const guid = randomUUID()
  limit.take('198.51.100.7', guid, 0)
  limit.forgive('198.51.100.7', guid, 0)
  for (let n = 0; n < 400; n += 1) limit.take('198.51.100.7', 'x', 0)
  for (let n = 0; n < 400; n += 1) limit.take('2001:db8::7', 'x', 0)
  expect(limit.take('198.51.100.7', guid.toUpperCase(), 0)).toBe(true)
  expect([limit.take('198.51.100.7', 'x', 0), limit.take('2001:db8::8', guid, 0)]).toEqual([false, false])
  expect(limit.take('2001:db8:0:1::7', 'x', 0)).toBe(true)
})

test('right keys, and those that nobody could judge, use nothing up', () => {
  const limit = new SignInLimit()
  for (let n = 0; n < 2000; n += 1) {
    const guid = randomUUID()
    expect(limit.take('198.51.100.7', guid, 0)).toBe(true)
    if (n % 2) limit.forgive('198.51.100.7', guid, 0)
    else limit.giveBack('198.51.100.7', 0)
  }
})

/** @returns the return code of the CONNACK */
async function tryKey(port: number, { guid, key }: Pick<TestDevice, 'guid' | 'key'>): Promise<number | undefined> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(generate({ cmd: 'connect', clientId: 'x', username: guid, password: Buffer.from(key) }))
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
  socket.destroy()
  return Buffer.isBuffer(answer) ? answer[3] : undefined
}

test('wrong keys from one client are limited, and neither its known devices nor other clients are', async () => {
  const [near, far] = fixture.devices
  if (!near || !far) throw new Error('two devices')
  const here = await startBalancer(fixture.gateway.port, () => headerV1('198.51.100.7'))
  const elsewhere = await startBalancer(fixture.gateway.port, () => headerV1('198.51.100.8'))
  expect(await tryKey(here.port, near)).toBe(0)
  const codes = new Map<number | undefined, number>()
  const wrong = async () => {
    const code = await tryKey(here.port, { guid: far.guid, key: randomBytes(32).toString('base64url') })
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  // The loop ends at the first refusal, because a slow machine may try more keys meanwhile.
  for (let n = 0; n < 400 && !codes.has(3); n += 1) await Promise.all(Array.from({ length: 10 }, wrong))
  expect([...codes.keys()].sort()).toEqual([3, 4])
  expect(codes.get(4)).toBeGreaterThanOrEqual(300)
  expect(limited).toHaveLength(codes.get(3) ?? 0)
  expect(new Set(limited)).toEqual(new Set(['198.51.100.7']))
  expect([await tryKey(here.port, near), await tryKey(elsewhere.port, far)]).toEqual([0, 0])
  await here.stop()
  await elsewhere.stop()
})

test('more right keys than wrong ones are still allowed, all at once from one client, are all let in', async () => {
  const devices = await insertDevices(fixture.owner, 330)
  const router = await startBalancer(fixture.gateway.port, () => headerV1('198.51.100.9'))
  const stranger = { guid: randomUUID() as TestDevice['guid'], key: 'wrong' }
  const wrong = await Promise.all(Array.from({ length: 200 }, () => tryKey(router.port, stranger)))
  expect(new Set(wrong)).toEqual(new Set([4]))
  const before = fixture.gateway.counters.gateway.connectionsOpened
  const locking = await fixture.owner.connect()
  await locking.query('begin; lock table device_credential')
  const codes = Promise.allSettled(devices.map((device) => tryKey(router.port, device)))
  // All connections are open before the first is judged.
  const { counters } = fixture.gateway
  await eventually(
    async () => counters.gateway.connectionsOpened - before,
    (opened) => opened >= devices.length,
  )
  await locking.query('rollback')
  locking.release()
  const found = (await codes).map((code) => (code.status === 'fulfilled' ? code.value : 'none'))
  expect(new Set(found)).toEqual(new Set([0]))
  await router.stop()
})
