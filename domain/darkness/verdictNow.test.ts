import { expect, test } from 'vitest'
import { OFFLINE_AFTER_MS } from '../devices/presence.ts'
import type { DarknessFacts, Reading } from './facts.ts'
import { defaultFeedChain } from './feedChain.ts'
import { LOOKED_AT_FIELDS } from './lookedAt.ts'
import {
  ago,
  COMPUTER,
  display,
  factsOf,
  KIOSK,
  NOW,
  readingsOf,
  SENSOR,
  TOTEM,
  type Values,
} from './testing/healthyDevices.ts'
import { verdictNow } from './verdictNow.ts'

const verdict = (facts: DarknessFacts, now = NOW) =>
  verdictNow(facts, defaultFeedChain(facts.modelId, facts.components), now)

test('a client that has started five times in an hour keeps restarting, for an hour after it said so', () => {
  const started = (client_starts: number) => verdict(factsOf(15, { ...KIOSK, client_starts }))
  expect(started(4).isRestarting.value).toBe(false)
  expect(started(5).isRestarting).toEqual({ value: true, since: ago(20) })
  const facts = factsOf(15, { ...KIOSK, client_starts: 5 })
  const hourAfter = (seconds: number) => new Date(ago(20).getTime() + 3_600_000 + seconds * 1000)
  expect(verdict(facts, hourAfter(-1))).toMatchObject({ isRestarting: { value: true }, nextAt: hourAfter(0) })
  expect(verdict(facts, hourAfter(0)).isRestarting.value).toBe(false)
})

const AT_NOON = {
  wdTimeOffFrom: '12:30',
  wdTimeOffTo: '14:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}

test('a healthy device is lit, on the grid and heard, and nothing is to be said of it', () => {
  const { light, cause, isOnBattery } = verdict(factsOf(15, KIOSK))
  expect(light).toEqual({ value: 'lit', since: ago(20) })
  expect(cause).toBeNull()
  expect(isOnBattery).toEqual({ value: false, since: ago(20) })
})

test.each<[string, Values, Partial<DarknessFacts>, string, object]>([
  [
    'the worst of three displays',
    { ...KIOSK, d_backlight_automatic_status: 0, d2_backlight_level: 0, d3_out_of_order_status: 'ARGB' },
    { setBacklights: new Map([[2, 0]]) },
    'unplanned',
    {
      displayNumber: 3,
      displayName: 'Right display',
      finding: 'sourceLost',
      link: 'content',
      action: { kind: 'command' },
    },
  ],
  [
    'a display that was switched off beside two that are lit',
    { ...KIOSK, d_backlight_automatic_status: 0, d2_backlight_level: 0 },
    { setBacklights: new Map([[2, 0]]) },
    'planned',
    { displayNumber: 2, finding: 'switchedOff' },
  ],
  ['what is lit in its off time', TOTEM, { offTimes: AT_NOON }, 'litInOffTime', {}],
  [
    'what is wrong although it is lit',
    { ...TOTEM, u_input_voltage: 0 },
    {},
    'lit',
    { finding: 'onBattery', link: 'mains' },
  ],
])('a device is told by %s', (_what, values, more, light, cause) => {
  const told = verdict(factsOf(values === TOTEM || 'ps_port1_status' in values ? 1 : 15, values, more))
  expect(told.light.value).toBe(light)
  if (Object.keys(cause).length === 0) expect(told.cause).toBeNull()
  else expect(told.cause).toMatchObject(cause)
})

test('without displays there is no light, without a UPS nothing is known of the grid', () => {
  const { light, cause } = verdict(factsOf(15, KIOSK, { components: [] }))
  expect([light.value, cause]).toEqual([null, null])
  expect(verdict(factsOf(2, { ...display('d_'), ...SENSOR, ...COMPUTER })).isOnBattery.value).toBeNull()
})

test('darkness is so since its evidence says it, unknown since the evidence was too old', () => {
  const at = (seconds: number, values: Values) =>
    new Map([
      ...readingsOf(TOTEM),
      ...readingsOf(values)
        .entries()
        .map(([name, { value }]): [string, Reading] => [name, { value, at: ago(seconds) }]),
    ])
  const dark = factsOf(1, TOTEM, { readings: at(45, { d_backlight_level: 0 }) })
  expect(verdict(dark).light).toEqual({ value: 'unplanned', since: ago(45) })
  const old = factsOf(1, TOTEM, { readings: at(200, { d_backlight_level: 80 }) })
  expect(verdict(old).light).toEqual({ value: 'unknown', since: ago(200 - OFFLINE_AFTER_MS / 1000) })
})

test('what is silent is unknown, since its last report', () => {
  const { light, cause } = verdict(factsOf(1, TOTEM, { isOnline: false }))
  expect(light).toEqual({ value: 'unknown', since: ago(20) })
  expect(cause).toMatchObject({ finding: 'offline' })
})

test('a verdict holds until the first reading that it may stand on is too old, and then is another one', () => {
  const readings = new Map([...readingsOf(TOTEM), ['d_backlight_level', { value: 80, at: ago(100) }] as const])
  const facts = factsOf(1, TOTEM, { readings: new Map([...readings, ['cpu_load', { value: 3, at: ago(119) }]]) })
  const { nextAt } = verdict(facts)
  expect(nextAt).toEqual(new Date(ago(100).getTime() + OFFLINE_AFTER_MS + 1))
  const next = nextAt as Date
  expect(verdict(facts, new Date(next.getTime() - 1)).light.value).toBe('lit')
  expect(verdict(facts, next).light.value).toBe('unknown')
  expect(verdict(factsOf(1, {})).nextAt).toBeUndefined()
})

test('a walk looks at the fields that are read for it, and at no others', () => {
  const seen = new Set<string>()
  const watched = (values: Values, more: Partial<DarknessFacts> = {}) => {
    const readings = readingsOf(values)
    const get = readings.get.bind(readings)
    readings.get = (name) => {
      seen.add(name)
      return get(name)
    }
    verdict(factsOf('ps_port1_status' in values ? 1 : 15, values, { ...more, readings }))
  }
  const unlit = Object.fromEntries(['d_', 'd2_', 'd3_'].map((prefix) => [`${prefix}backlight_level`, 0]))
  const noSource = Object.fromEntries(['d_', 'd2_', 'd3_'].map((prefix) => [`${prefix}out_of_order_status`, 'ARGB']))
  for (const change of [{}, unlit, noSource]) {
    watched({ ...TOTEM, ...change })
    watched({ ...KIOSK, ...change })
  }
  const readFor = LOOKED_AT_FIELDS.flatMap(({ type, name }) => type.prefixes.map((prefix) => prefix + name))
  expect([...seen].filter((name) => !readFor.includes(name))).toEqual([])
  // This outlet feeds a display only if somebody has configured it so.
  const ofFirst = LOOKED_AT_FIELDS.map(({ type, name }) => type.prefixes[0] + name)
  expect(ofFirst.filter((name) => !seen.has(name))).toEqual(['r_port2_status'])
})
