import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceStateAt } from '#contract/http/devices/status.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { shiftClock } from '#server/testing/shiftClock.ts'
import { type CommandFixture, commandFixture } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 1 })
}, 120_000)
afterAll(() => fixture.close())

test.each([-365, 365])(
  'a process whose clock is %i days off tells the same of a moment, and knows the future',
  async (days) => {
    const deviceId = fixture.devices[0]?.device.id ?? 0
    const at = new Date(Date.now() - HOUR_MS)
    await fixture.rows(
      `insert into reading_display (device_id, number, device_dt, inserted, backlight_level)
     values ($1, 1, $2, now(), 80) on conflict do nothing`,
      [deviceId, at],
    )
    const told = async (moment: Date) => {
      const query = { deviceId, at: moment.toISOString() }
      const { status, body } = await fixture.ask('Device/GetDeviceStateAt', { query })
      return { status, body }
    }
    const asIs = await told(at)
    const future = new Date(Date.now() + HOUR_MS)
    const setRight = shiftClock(days * DAY_MS)
    try {
      expect(await told(at)).toEqual(asIs)
      expect((await told(future)).status).toBe(400)
    } finally {
      setRight()
    }
    const level = (asIs.body as DeviceStateAt).tiles.find(({ field_db_name: name }) => name === 'd_backlight_level')
    expect(level?.field_value).toBe(80)
  },
)
