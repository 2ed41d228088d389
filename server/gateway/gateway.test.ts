import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCurrentState } from '#server/telemetry/currentState.ts'
import { type GatewayFixture, gatewayFixture } from '#server/testing/gatewayFixture.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture()
})
afterAll(() => fixture.close())

test('a report is acknowledged when it is in the database, and it is the current state', async () => {
  const { device, pool, rows } = fixture
  const client = await fixture.connect(device)
  const at = new Date().toISOString()
  await client.publishAsync(
    `v1/devices/${device.guid}/events/display/2`,
    JSON.stringify({ at, values: { backlight_level: 60.1, source: 'HDMI 1', wobble: true } }),
    { qos: 1 },
  )
  expect(await rows('select number, device_dt, backlight_level, source, extra from reading_display')).toEqual([
    { number: 2, device_dt: new Date(at), backlight_level: 60.1, source: 'HDMI 1', extra: { wobble: true } },
  ])
  const state = await readCurrentState(pool, device.id)
  expect(state.map(({ numbered, value, at }) => [numbered.wireName, value, at])).toEqual([
    ['d2_backlight_level', 60.1, new Date(at)],
    ['d2_source', 'HDMI 1', new Date(at)],
  ])
})
