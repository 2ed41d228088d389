import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DeviceDrivers, getDeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import { type DarknessWalk, getDarkness } from '#contract/http/insight/darkness.ts'
import type { LinkKind, LinkState } from '#domain/darkness/links.ts'
import type { DeviceId } from '#domain/ids.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type ReleasedTotem, startReleasedTotem } from '#server/testing/wholeServer/releasedTotem.ts'
import { nutIsMissing } from '#testing/nutServer.ts'
import { type BenchTotem, startBenchTotem } from '#testing/totem/benchTotem.ts'
import { snmpdIsMissing } from '#testing/totem/snmpd.ts'

if (snmpdIsMissing) console.warn(snmpdIsMissing)
if (nutIsMissing) console.warn(`${nutIsMissing} The UPS of the bench is a card that speaks SNMP.`)
describe.skipIf(snmpdIsMissing)(
  'the released client, started by the launcher, on a totem of real protocols, wired as one chain of power',
  () => {
    let bench: BenchTotem
    let totem: ReleasedTotem
    let deviceId: DeviceId

    const walkNow = async (): Promise<DarknessWalk | undefined> =>
      getDarkness.answer.parse((await totem.ask('Device/GetDarkness', { query: { deviceId } })).body).walks[0]
    /** Two report periods pass, and a change is reported with the next sample. */
    const until = async (is: (walk: DarknessWalk) => boolean) => {
      const walk = await eventually(walkNow, (one) => one !== undefined && is(one), 120_000)
      return walk as DarknessWalk
    }
    const link = ({ links }: DarknessWalk, kind: LinkKind) => links.find((one) => one.kind === kind)
    const hasState = (walk: DarknessWalk, kind: LinkKind, wanted: LinkState) => link(walk, kind)?.state === wanted

    beforeAll(async () => {
      bench = await startBenchTotem()
      totem = await startReleasedTotem({ components: bench.components, allowedNetworks: ['127.0.0.1'] })
      deviceId = totem.deviceId
    }, 120_000)
    afterAll(async () => {
      await totem?.stop()
      await bench?.stop()
    })

    const drivers = async (): Promise<DeviceDrivers> =>
      getDeviceDrivers.answer.parse((await totem.ask('Device/GetDeviceDrivers', { query: { deviceId } })).body)

    test('a driver that the console chooses is used, tested in words, and keeps its secrets', async () => {
      await eventually(drivers, ({ client }) => client?.known[0] === 'nut', 120_000)
      const choose = (options: object) =>
        totem.ask('Device/SetDeviceDriver', {
          body: { deviceId, part: 'router', driver: bench.networkSwitch.driver, options },
        })
      const refused = await choose({ ...bench.networkSwitch.options, host: '127.0.0.2' })
      expect(refused.body).toMatchObject({
        code: 'invalid_driver',
        message: expect.stringContaining('allows 127.0.0.1'),
      })
      const saved = await choose(bench.networkSwitch.options)
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
      const part = async () => (await drivers()).parts.find((one) => one.part === 'router')
      await eventually(part, (one) => one?.setBy === 'console', 30_000)
      const tested = await totem.ask('Device/TestDeviceDriver', { query: { deviceId, part: 'router' } })
      expect(tested.body).toMatch(/^SNMP at 127\.0\.0\.1:\d+ answers: port1_status 1, /)
      const { rows: kept } = await totem.owner.query(
        `select before, after, details::text from audit_log union all select args, null, text from device_command
       union all select to_jsonb(m), null, null from device_message m`,
      )
      const everything = JSON.stringify([saved.body, await drivers(), kept, totem.said()])
      for (const secret of ['authPassword', 'privPassword'])
        expect(everything).not.toContain(bench.networkSwitch.options[secret])
    })

    test('every part is read by its protocol, and the light is measured at the panel', async () => {
      const isAllKnown = ({ links }: DarknessWalk) => links.every((one) => one.state === 'ok')
      const walk = await until((one) => isAllKnown(one) && one.verdict.sentence.includes('measured'))
      expect(walk.verdict.sentence, totem.said()).toBe('Display is lit, measured at the panel.')
      expect(await totem.state()).toMatchObject({
        ...{ d_backlight_level: 80, d_panel_light: 80, d_internal_temp: 41, d_source: 'HDMI 1' },
        ...{ u_battery_charge: 97, ps_port1_status: 1, ro_port4_status: 1, e_energy: 1234.5, e_active_power: 412.5 },
      })
    })

    test('a lamp that is dead while its display reports light, the mains and a port of the switch are named', async () => {
      await Promise.all([bench.pull('lamp'), bench.pull('mains'), bench.pull('networkPort')])
      const walk = await until(
        (one) =>
          hasState(one, 'backlight', 'broken') &&
          hasState(one, 'mains', 'warning') &&
          hasState(one, 'networkSwitch', 'warning'),
      )
      expect(walk.verdict).toMatchObject({ kind: 'broken', finding: 'backlightDead' })
      expect(walk.verdict.sentence).toContain(
        'Display is dark: the panel gives no light, measured at the panel, although it reports a backlight of 80 %.',
      )
      expect(link(walk, 'mains')?.finding).toBe('onBattery')
      expect(link(walk, 'networkSwitch')?.finding).toBe('networkDown')
      await Promise.all([bench.plugIn('lamp'), bench.plugIn('mains'), bench.plugIn('networkPort')])
    })

    test('an outlet that is off silences what hangs on it, and is named; once on, there is light again', async () => {
      await bench.pull('outlet')
      const walk = await until(({ verdict }) => verdict.finding === 'outletOff' && verdict.kind === 'broken')
      expect(walk.verdict.sentence).toBe('Display is dark: Power switch 1, which feeds the display, is off.')
      const answer = await totem.ask('Device/PowerSwitch1TurnOn', { body: { deviceId } })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      expect(bench.bus.writes).toEqual(['050000ff00'])
      await until(({ verdict }) => verdict.kind === 'lit')
    })

    test('a display without its plug is known to be dark', async () => {
      await bench.pull('panel')
      const walk = await until(({ verdict }) => verdict.kind === 'broken')
      expect(walk.verdict.sentence).toContain('measured at the panel')
    })

    test('a hub and a bus without their plugs are named to operators', async () => {
      const day = 24 * 3_600_000
      const period = {
        dateFrom: new Date(Date.now() - day).toISOString(),
        dateTo: new Date(Date.now() + day).toISOString(),
      }
      const messages = async () =>
        JSON.stringify((await totem.ask('EventType/GetDeviceEvTypeMsgData', { query: { deviceId, ...period } })).body)
      await Promise.all([bench.pull('hub'), bench.pull('bus')])
      const at = (port: number) => `Nothing listens at 127.0.0.1:${port}.`
      const named = [
        `display by yoctopuce-light does not answer: ${at(bench.hub.port)}`,
        `power-switch by modbus does not answer: ${at(bench.bus.port)}`,
        `ecu by modbus does not answer: ${at(bench.bus.port)}`,
      ]
      const told = await eventually(messages, (said) => named.every((one) => said.includes(one)), 120_000)
      for (const one of named) expect(told).toContain(one)
      const tested = await totem.ask('Device/TestDeviceDriver', { query: { deviceId, part: 'ecu' } })
      expect(tested.body).toMatchObject({ code: 'device_refused', message: at(bench.bus.port) })
      await Promise.all([bench.plugIn('hub'), bench.plugIn('bus')])
    })
  },
)
