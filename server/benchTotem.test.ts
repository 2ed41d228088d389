import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DarknessWalk, getDarkness } from '#contract/http/darkness.ts'
import type { LinkKind, LinkState } from '#domain/darkness/links.ts'
import type { DeviceId } from '#domain/ids.ts'
import { eventually } from '#server/testing/gatewayFixture.ts'
import { type ReleasedTotem, startReleasedTotem } from '#server/testing/releasedTotem.ts'
import { type BenchTotem, startBenchTotem } from '#tools/testing/totem/benchTotem.ts'
import { snmpdIsMissing } from '#tools/testing/totem/snmpd.ts'

if (snmpdIsMissing) console.warn(snmpdIsMissing)
describe.skipIf(snmpdIsMissing)('the released client on a totem of real protocols, wired as one chain of power', () => {
  let bench: BenchTotem
  let totem: ReleasedTotem
  let deviceId: DeviceId

  const walkNow = async (): Promise<DarknessWalk | undefined> =>
    getDarkness.answer.parse((await totem.ask('Device/GetDarkness', { query: { deviceId } })).body).walks[0]
  /** Two report periods; what changes is told with the next look. */
  const until = async (is: (walk: DarknessWalk) => boolean) => {
    const walk = await eventually(walkNow, (one) => one !== undefined && is(one), 120_000)
    return walk as DarknessWalk
  }
  const link = ({ links }: DarknessWalk, kind: LinkKind) => links.find((one) => one.kind === kind)
  const hasState = (walk: DarknessWalk, kind: LinkKind, wanted: LinkState) => link(walk, kind)?.state === wanted

  beforeAll(async () => {
    bench = await startBenchTotem()
    totem = await startReleasedTotem({ components: bench.components })
    deviceId = totem.deviceId
  }, 120_000)
  afterAll(async () => {
    await totem?.stop()
    await bench?.stop()
  })

  test('every part is read by its protocol, and the light is measured at the panel', async () => {
    const isAllKnown = ({ links }: DarknessWalk) => links.every((one) => one.state === 'ok')
    const walk = await until((one) => isAllKnown(one) && one.verdict.sentence.includes('measured'))
    expect(walk.verdict.sentence, totem.said()).toBe('Display is not dark: its light is measured at the panel.')
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
    expect(walk.verdict.sentence).toBe('Display is dark: Power switch 1 is off, and the display hangs on it.')
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
})
