import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  eventually,
  type GatewayFixture,
  gatewayFixture,
  type TestDevice,
} from '#server/testing/devices/gatewayFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { BURST_MESSAGES, TokenBucket } from './wire/TokenBucket.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture({ deviceMessagesPerSecond: 200, devices: 6 })
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
  const count = BURST_MESSAGES + 1000
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
  // The 1000 messages beyond the burst take 5 s at 200 a second, less what the bucket regains while the burst is sent.
  expect(Date.now() - begin).toBeGreaterThan(500)
  expect(fixture.gateway.counters.gateway.devicesSlowedDown).toBeGreaterThan(0)
  const stored = await fixture.rows('select count(*)::int as count from readings_of_ups where device_id = $1', [
    flooding.id,
  ])
  expect(stored).toEqual([{ count }])
})

async function publishArrays(client: MqttClient, device: TestDevice, sizes: readonly number[]): Promise<void> {
  let atMs = Date.now() - 60_000
  const arrayOf = (size: number) =>
    JSON.stringify(
      Array.from({ length: size }, (_, index) => ({
        at: new Date(atMs++).toISOString(),
        values: { load: index % 100 },
      })),
    )
  const topic = `v1/devices/${device.guid}/events/ups`
  await Promise.all(sizes.map((size) => client.publishAsync(topic, arrayOf(size), { qos: 1 })))
}

test('reports in arrays count one by one, and the array beyond the burst is acknowledged when its time has passed', async () => {
  const device = fixture.devices[2] as TestDevice
  const { gateway } = fixture.gateway.counters
  const before = gateway.devicesSlowedDown
  const begin = Date.now()
  await publishArrays(await fixture.connect(device), device, [1000, 1000, 1000, 1000, 900])
  expect(gateway.devicesSlowedDown).toBe(before + 1)
  // The 900 reports beyond the burst take 4.5 s at 200 a second, less what the bucket regains meanwhile.
  expect(Date.now() - begin).toBeGreaterThan(500)
  const stored = await fixture.rows('select count(*)::int as count from readings_of_ups where device_id = $1', [
    device.id,
  ])
  expect(stored).toEqual([{ count: 4900 }])
})

test('what is rejected counts as much as what is stored', async () => {
  const device = fixture.devices[3] as TestDevice
  const { gateway } = fixture.gateway.counters
  const before = gateway.devicesSlowedDown
  const client = await fixture.connect(device)
  const nonsense = JSON.stringify(Array.from({ length: 1000 }, () => 0))
  await Promise.all(
    Array.from({ length: 5 }, () => client.publishAsync(`v1/devices/${device.guid}/events/ups`, nonsense, { qos: 1 })),
  )
  expect(gateway.devicesSlowedDown).toBe(before + 1)
})

test('a device that waits for its acknowledgements goes on being heard meanwhile', async () => {
  const device = fixture.devices[4] as TestDevice
  // The wait is longer than the gateway lets a device be silent.
  const client = await fixture.connect(device, { keepalive: 4 })
  let isAlive = true
  client.once('close', () => {
    isAlive = false
  })
  await publishArrays(client, device, [1000, 1000, 1000, 1000, 1000, 900])
  expect([isAlive, client.connected]).toEqual([true, true])
})

test('a device that does not wait is read no further than two arrays and a half ahead', async () => {
  const device = fixture.devices[5] as TestDevice
  const client = await fixture.connect(device)
  const begin = Date.now()
  void publishArrays(
    client,
    device,
    Array.from({ length: 12 }, () => 1000),
  ).catch(() => undefined)
  const stored = async () => {
    const sql = 'select count(*)::int as count from readings_of_ups where device_id = $1'
    return (await fixture.rows<{ count: number }>(sql, [device.id]))[0]?.count ?? 0
  }
  await eventually(stored, (count) => count >= BURST_MESSAGES + 2500)
  await passTime(300, 'more than is allowed would come in meanwhile')
  // Allowed is the burst, what one read of the socket brought beyond it, and what the time has paid for.
  const allowed = BURST_MESSAGES + 2500 + 2000 + ((Date.now() - begin) * 200) / 1000
  expect(await stored()).toBeLessThanOrEqual(allowed)
  client.end(true)
})
