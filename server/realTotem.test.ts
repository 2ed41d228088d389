import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/drivers/deviceDrivers.ts'
import type { DeviceId } from '#domain/ids.ts'
import { eventually } from '#server/testing/gatewayFixture.ts'
import { type ReleasedTotem, startReleasedTotem } from '#server/testing/releasedTotem.ts'
import { type NutServer, nutIsMissing, startNutServer } from '#tools/testing/nutServer.ts'

const SECRET = 'canary of a password'

if (nutIsMissing) console.warn(nutIsMissing)
describe.skipIf(nutIsMissing)("the released client on a totem with Debian's upsd", () => {
  let nut: NutServer
  let totem: ReleasedTotem
  let deviceId: DeviceId

  /** By its name in the flat record of a device, such as `u_status`. */
  const reported = (field: string) => async () => (await totem.state())[field]
  const until = async (read: () => Promise<unknown>, value: unknown) =>
    expect(await eventually(read, (heard) => heard === value, 30_000)).toBe(value)
  const drivers = async (): Promise<DeviceDrivers> =>
    getDeviceDrivers.answer.parse((await totem.ask('Device/GetDeviceDrivers', { query: { deviceId } })).body)

  beforeAll(async () => {
    nut = await startNutServer({ 'ups.status': 'OL', 'battery.charge': '98', 'outlet.1.status': 'on' })
    const components = { ups: { driver: 'nut', ...nut.options } }
    totem = await startReleasedTotem({ components, allowedNetworks: ['127.0.0.1'] })
    deviceId = totem.deviceId
  }, 120_000)
  afterAll(async () => {
    await totem?.stop()
    await nut?.stop()
  })

  test('what the UPS says arrives at the server, and so does that the mains are gone', async () => {
    await until(reported('u_battery_charge'), 98)
    await until(reported('u_status'), 'on line interactive normal')
    await nut.set('ups.status', 'OB DISCHRG')
    await until(reported('u_status'), 'on battery')
  }, 60_000)

  test('a driver that the console chooses is used, tested in words, and keeps its secret', async () => {
    await until(async () => (await drivers()).client?.known[0], 'nut')
    const options = { ...nut.options, username: 'wayside', password: SECRET }
    const saved = await totem.ask('Device/SetDeviceDriver', {
      body: { deviceId, part: 'power-switch', driver: 'nut', options },
    })
    expect(saved.status).toBe(200)
    await until(reported('ps_port1_status'), 1)
    const part = async () => (await drivers()).parts.find((one) => one.part === 'power-switch')
    await until(async () => (await part())?.setBy, 'console')
    const tested = await totem.ask('Device/TestDeviceDriver', { query: { deviceId, part: 'power-switch' } })
    expect(tested.body).toBe(`NUT at 127.0.0.1:${nut.options.port} answers: UPS "cabinet" switchable outlets: 1.`)
    const { rows: kept } = await totem.owner.query(
      `select before, after, details::text from audit_log union all select args, null, text from device_command
       union all select to_jsonb(m), null, null from device_message m`,
    )
    expect(JSON.stringify([saved.body, await drivers(), kept, totem.said()])).not.toContain(SECRET)
  }, 60_000)

  test('where nothing answers, the device says so, and nothing is told as if it were new', async () => {
    const refused = await totem.ask('Device/SetDeviceDriver', {
      body: { deviceId, part: 'power-switch', driver: 'nut', options: { host: '127.0.0.2' } },
    })
    expect(refused.body).toMatchObject({ code: 'invalid_driver', message: expect.stringContaining('allows 127.0.0.1') })
    await nut.stop()
    const lost = () => totem.said().includes(`ups by nut: Nothing listens at 127.0.0.1:${nut.options.port}.`)
    await until(async () => lost(), true)
    const tested = () => totem.ask('Device/TestDeviceDriver', { query: { deviceId, part: 'ups' } })
    const answer = await eventually(tested, ({ status }) => status !== 429, 30_000)
    expect(answer.body).toMatchObject({
      code: 'device_refused',
      message: `Nothing listens at 127.0.0.1:${nut.options.port}.`,
    })
  }, 60_000)
})
