import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayFixture, gatewayFixture } from '#server/testing/gatewayFixture.ts'
import { BURST_MESSAGES, TokenBucket } from './TokenBucket.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ deviceMessagesPerSecond: 200, devices: 2 })
})
afterAll(() => fixture.close())

test('a burst passes, then a device is in debt until the time for its messages has passed', () => {
  const bucket = new TokenBucket(20, 0)
  expect(bucket.take(BURST_MESSAGES, 0)).toBe(0)
  expect(bucket.take(1, 0)).toBe(1)
  expect(bucket.debt(50)).toBe(0)
  expect(bucket.take(40, 1050)).toBe(20)
  expect(bucket.debt(1550)).toBe(10)
  expect(bucket.isFull(200_000)).toBe(false)
  expect(bucket.isFull(203_000)).toBe(true)
  expect(new TokenBucket(0, 0).take(1_000_000, 0)).toBe(0)
})

test('over its rate a device is acknowledged late, loses nothing, and delays nobody else', async () => {
  const [flooding, quiet] = fixture.devices
  if (flooding === undefined || quiet === undefined) throw new Error('two devices')
  const count = BURST_MESSAGES + 300
  const client = await fixture.connect(flooding)
  const other = await fixture.connect(quiet)
  const from = Date.now() - 60_000
  const report = (index: number) => JSON.stringify({ at: new Date(from + index).toISOString(), values: { load: 1 } })
  const begin = Date.now()
  const flood = Promise.all(
    Array.from({ length: count }, (_, index) =>
      client.publishAsync(`v1/devices/${flooding.guid}/events/ups`, report(index), { qos: 1 }),
    ),
  )
  for (let index = 0; index < 20; index++) {
    await other.publishAsync(`v1/devices/${quiet.guid}/events/ups`, report(index), { qos: 1 })
  }
  await flood
  // 300 beyond the burst are 1.5 s at 200 a second, less what the bucket regains while the burst is sent.
  expect(Date.now() - begin).toBeGreaterThan(500)
  expect(fixture.gateway.counters.gateway.devicesSlowedDown).toBeGreaterThan(0)
  const stored = await fixture.rows('select count(*)::int as count from reading_ups where device_id = $1', [
    flooding.id,
  ])
  expect(stored).toEqual([{ count }])
})
