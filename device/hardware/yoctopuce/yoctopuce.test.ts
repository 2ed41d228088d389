import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDriver, soon } from '#device/testing/openedDriver.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { KNOB, LIGHT, RELAYS, startYoctoHub } from '#testing/totem/simulatedYoctoHub.ts'
import { panelPercent } from '../wire/panelPercent.ts'
import { yoctopuceDriver } from './yoctopuceDriver.ts'
import { yoctopuceLightDriver } from './yoctopuceLightDriver.ts'

async function startHub() {
  const hub = await startYoctoHub()
  onTestFinished(() => hub.pull())
  const at = { host: '127.0.0.1', port: hub.port }
  const open = (topic: EventTypeTopic, options: object) => openDriver(yoctopuceDriver, { ...at, ...options }, { topic })
  const light = (options: object) => openDriver(yoctopuceLightDriver, { ...at, ...options }, { topic: 'display' })
  return { hub, open, light }
}
const PANEL = { serial: KNOB, sensor: 'anButton3', sees: 'panel', dark: 100, lit: 500 }

test('a hub says how often each button was pressed, and which relays are on', async () => {
  const { hub, open } = await startHub()
  const buttons = open('yocto', { serial: KNOB })
  expect(await buttons.read(soon())).toEqual({ values: { 1: 7, 2: 14, 3: 21, 4: 28, 5: 35 } })
  Object.assign(hub.state.modules[KNOB]?.anButton2 ?? {}, { pulseCounter: 0x8000_0000 })
  expect((await buttons.read(soon()))?.values[2]).toBeUndefined()
  const relays = open('relay', { serial: RELAYS })
  expect(await relays.read(soon())).toEqual({ values: { port1_status: 1, port2_status: 0 } })
  const idle = open('relay', { serial: RELAYS, onWhen: 'idle' })
  expect(await idle.read(soon())).toEqual({ values: { port1_status: 0, port2_status: 1 } })
  expect(await relays.test(soon())).toContain(`module ${RELAYS}, ports on, off.`)
})

test('a relay is told once and read back; one that is stuck or not there is said', async () => {
  const { hub, open } = await startHub()
  const { relay } = open('relay', { serial: RELAYS }).commands ?? {}
  await relay?.set?.(2, true)
  expect(hub.orders).toEqual([`${RELAYS}/relay2/state=1`])
  hub.state.stuck = ['relay1']
  await expect(relay?.set?.(1, false)).rejects.toThrow('The hub took the order, and relay1 did not move.')
  const far = open('relay', { serial: RELAYS, firstRelay: 3 }).commands?.relay
  await expect(far?.set?.(1, true)).rejects.toThrow(
    `The hub at 127.0.0.1:${hub.port} has no module ${RELAYS} with a relay3.`,
  )
  expect(hub.orders).toHaveLength(2)
})

test('a relay that carries the supply while idle goes back by itself after a reset', async () => {
  const { hub, open } = await startHub()
  await open('relay', { serial: RELAYS, onWhen: 'idle' }).commands?.relay?.reset?.(2)
  expect(hub.orders).toEqual([`${RELAYS}/relay2/pulseTimer=3000`])
})

test('a photo-transistor on the panel tells how much light comes out, and none is exactly none', async () => {
  const { hub, light } = await startHub()
  const panel = light(PANEL)
  const seen = async (calibratedValue: number) => {
    Object.assign(hub.state.modules[KNOB]?.anButton3 ?? {}, { calibratedValue })
    return (await panel.read(soon()))?.values.panel_light
  }
  expect(await seen(300)).toBe(50)
  expect(await seen(500)).toBe(100)
  expect(await seen(104)).toBe(0)
  expect(await seen(20)).toBe(0)
  expect(await panel.test(soon())).toContain('it says 20, which is 0 % of the light of the panel.')
  const ambient = light({ serial: LIGHT, sees: 'surroundings' })
  expect(await ambient.read(soon())).toEqual({ values: { ambient_light: 1234.5 } })
  Object.assign(hub.state.modules[LIGHT]?.lightSensor ?? {}, { sensorState: -1 })
  expect(await ambient.read(soon())).toBeUndefined()
})

test('percent of the light rise with the light, whichever way the sensor counts', () => {
  const value = fc.integer({ min: 0, max: 1000 })
  fc.assert(
    fc.property(value, value, value, value, (dark, lit, one, other) => {
      fc.pre(dark !== lit)
      const brighter = (a: number, b: number) => (lit > dark ? Math.max(a, b) : Math.min(a, b))
      const more = brighter(one, other)
      const less = more === one ? other : one
      const of = (seen: number) => panelPercent(seen, { dark, lit })
      expect(of(more)).toBeGreaterThanOrEqual(of(less))
      expect([of(dark), of(lit)]).toEqual([0, 100])
    }),
  )
})

test('a module that is not there, no hub and silence are said, and options name what is wrong', async () => {
  const { hub, open, light } = await startHub()
  await expect(open('yocto', { serial: 'YBUTTON1-99999' }).read(soon())).rejects.toThrow(
    'has no module YBUTTON1-99999.',
  )
  hub.isMute = true
  await expect(open('yocto', { serial: KNOB }).read(AbortSignal.timeout(50))).rejects.toThrow('in time.')
  await hub.pull()
  await expect(open('yocto', { serial: KNOB }).read(soon())).rejects.toThrow(/^Nothing listens at /)
  expect(() => light({ serial: KNOB, sees: 'panel', lit: 5 })).toThrow('dark is required')
  expect(() => light({ ...PANEL, lit: 100 })).toThrow('lit must be another value than dark')
  expect(() => light({ serial: KNOB, sensor: 'anButton1', sees: 'surroundings' })).toThrow('sensor must be lightSensor')
})
