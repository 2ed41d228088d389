import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DarknessFacts, Reading } from './facts.ts'
import { defaultFeedChain } from './feedChain.ts'
import { NO_MINUTES } from './minutes/darkMinutes.ts'
import { darkMinutes } from './testing/countedMinutes.ts'
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
import { whyDark } from './whyDark.ts'

function walk(facts: DarknessFacts, displayNumber = 1) {
  return whyDark(facts, defaultFeedChain(facts.modelId, facts.components), displayNumber, NOW)
}
const verdict = (facts: DarknessFacts, displayNumber = 1) => {
  const { kind, finding, link } = walk(facts, displayNumber).verdict
  return { kind, finding, link }
}
const without = (values: Values, ...names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
const unreachable = (values: Values) => without(values, ...Object.keys({ ...display('d_'), ...SENSOR }))

const NIGHT = {
  wdTimeOffFrom: '12:30',
  wdTimeOffTo: '14:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const dark = { d_backlight_level: 0 }

test.each([
  [1, TOTEM],
  [15, KIOSK],
  [2, { ...display('d_'), ...SENSOR, ...COMPUTER }],
])('a healthy device of model %i is lit, and every link that it has is fine', (modelId, values) => {
  const { verdict: found, links } = walk(factsOf(modelId, values))
  expect(found).toMatchObject({ kind: 'lit', finding: 'lit', link: undefined, action: undefined })
  expect(new Set(links.map(({ state }) => state))).toEqual(new Set(['ok']))
})

test('a link without component is left out', () => {
  const kinds = (modelId: number, values: Values) => walk(factsOf(modelId, values)).links.map(({ kind }) => kind)
  const ofDisplay = ['computer', 'display', 'backlight', 'schedule', 'content']
  expect(kinds(1, TOTEM)).toEqual(['mains', 'ups', 'outlet', 'networkSwitch', ...ofDisplay])
  expect(kinds(15, KIOSK)).toEqual(['mains', 'ups', 'outlet', 'router', ...ofDisplay])
  expect(kinds(2, {})).toEqual(ofDisplay)
})

test.each<[string, Values, Partial<DarknessFacts>, object]>([
  ['a UPS without output', { u_output_voltage: 0 }, {}, { kind: 'broken', finding: 'upsNoOutput', link: 'ups' }],
  ['a nearly empty battery', { u_battery_charge: 6 }, {}, { kind: 'lit', finding: 'batteryLow' }],
  ['mains without voltage', { u_input_voltage: 0 }, {}, { kind: 'lit', finding: 'onBattery' }],
  [
    'an outlet that is off although the display answers',
    { ps_port1_status: 0 },
    {},
    { kind: 'lit', finding: 'outletOff' },
  ],
  ['a port without network', { ro_port3_status: 0 }, {}, { kind: 'lit', finding: 'networkDown' }],
  ['no connection', {}, { isOnline: false }, { kind: 'unknown', finding: 'offline', link: 'computer' }],
  [
    'no light although the ambient rule asks for some',
    dark,
    {},
    { kind: 'broken', finding: 'backlightDead', link: 'backlight' },
  ],
  [
    'no light although some was set',
    { ...dark, d_backlight_automatic_status: 0 },
    { setBacklights: new Map([[1, 70]]) },
    { kind: 'broken', finding: 'backlightDead', link: 'backlight' },
  ],
  [
    'no light, and nothing on record',
    { ...dark, d_backlight_automatic_status: 0 },
    {},
    { kind: 'broken', finding: 'backlightOff', link: 'backlight' },
  ],
  [
    'an operator who switched it off',
    { ...dark, d_backlight_automatic_status: 0 },
    { setBacklights: new Map([[1, 0]]) },
    { kind: 'planned', finding: 'switchedOff', link: 'schedule' },
  ],
  ['off times', dark, { offTimes: NIGHT }, { kind: 'planned', finding: 'offTime', link: 'schedule' }],
  [
    'an ambient rule whose minimum is no light',
    { ...dark, d_min_backlight: 0, d_ambient_light: 50 },
    {},
    { kind: 'planned', finding: 'ambientMinimum', link: 'schedule' },
  ],
  [
    'a lamp that is faulty',
    { ...dark, d_lamp_fault: 1 },
    {},
    { kind: 'broken', finding: 'lampFault', link: 'backlight' },
  ],
  ['a lamp that is faulty, and a level that was set', { d_lamp_fault: 1 }, {}, { kind: 'lit', finding: 'lampFault' }],
  [
    'a lamp that is faulty, in off times',
    { ...dark, d_lamp_fault: 1 },
    { offTimes: NIGHT },
    { kind: 'planned', finding: 'offTime', link: 'schedule' },
  ],
  ['a fan that the display finds faulty', { d_diagnosis: 'fan 1' }, {}, { kind: 'lit', finding: 'displayFault' }],
  ['a display that finds nothing', { d_diagnosis: 'none', d_lamp_fault: 0 }, {}, { kind: 'lit', finding: 'lit' }],
  ['a battery that has to be replaced', { u_replace_battery: 1 }, {}, { kind: 'lit', finding: 'batteryWorn' }],
  ['what else a UPS raises', { u_alarm: 'overload' }, {}, { kind: 'lit', finding: 'upsAlarm' }],
  ['a UPS that raises nothing', { u_alarm: 'none', u_replace_battery: 0 }, {}, { kind: 'lit', finding: 'lit' }],
  [
    'a UPS that is switched off, and says nothing of its output',
    { u_alarm: 'output off', u_output_voltage: '' },
    {},
    { kind: 'broken', finding: 'upsNoOutput', link: 'ups' },
  ],
  ['no picture', { d_out_of_order_status: 'ARGB' }, {}, { kind: 'broken', finding: 'sourceLost', link: 'content' }],
  ['a computer out of order', { status_id: 2 }, {}, { kind: 'broken', finding: 'outOfOrder', link: 'content' }],
])('%s is found by name', (_, changes, more, expected) => {
  expect(verdict(factsOf(1, { ...TOTEM, ...changes }, more))).toEqual({ link: undefined, ...expected })
})

test('against a faulty lamp no setting helps: somebody has to bring a new one', () => {
  const { verdict: found } = walk(factsOf(1, { ...TOTEM, ...dark, d_lamp_fault: 1 }))
  expect(found.sentence).toBe('Display is dark: the display reports a fault of its lamp.')
  expect(found.action).toMatchObject({ kind: 'sendSomebody', section: undefined })
  const untold = walk(factsOf(1, without({ ...TOTEM, d_lamp_fault: 1 }, 'd_backlight_level'))).verdict
  expect(untold).toMatchObject({ kind: 'unknown', finding: 'lampFault', action: { kind: 'sendSomebody' } })
  expect(untold.sentence).toBe(
    'Unknown from here (Backlight): the display reports a fault of its lamp. How much light is left is not known.',
  )
  const measured = walk(factsOf(1, { ...TOTEM, ...dark, d_lamp_fault: 1, d_panel_light: 40 })).verdict
  expect(measured).toMatchObject({ kind: 'lit', finding: 'lampFault' })
})

test('an outlet that is off darkens what hangs on it and does not answer', () => {
  const off = unreachable({ ...TOTEM, ps_port1_status: 0 })
  expect(walk(factsOf(1, off)).verdict).toMatchObject({
    kind: 'broken',
    finding: 'outletOff',
    link: 'outlet',
    action: { kind: 'command', words: 'Turn on: Power switch 1', section: 'Power switches', control: 'powerSwitch/1' },
  })
})

test('off times count at the moment of the reading, so that their end is no fault', () => {
  const ended = { ...NIGHT, wdTimeOffTo: '12:59' }
  const facts = factsOf(1, { ...TOTEM, ...dark }, { offTimes: ended })
  const at = (date: Date) => new Map([...facts.readings, ['d_backlight_level', { value: 0, at: date }]])
  expect(verdict({ ...facts, readings: at(ago(70)) }).finding).toBe('offTime')
  expect(verdict({ ...facts, readings: at(ago(50)) }).finding).toBe('backlightDead')
  const emergency = walk({ ...facts, offTimes: NIGHT, emergency: 'Grid' }).verdict
  expect(emergency.sentence).toContain('Emergency dark (Grid) keeps it dark until 14:00')
})

test('of a display that is lit in an off time nobody is told that nothing asks for darkness', () => {
  const { verdict: found, links } = walk(factsOf(1, TOTEM, { offTimes: NIGHT }))
  expect(found.kind).toBe('lit')
  expect(links.find(({ kind }) => kind === 'schedule')?.sentence).toBe(
    'Off times keep it dark until 14:00, local time of the device. It is lit all the same.',
  )
})

test('on a holiday the times of holidays hold', () => {
  const facts = factsOf(1, { ...TOTEM, ...dark }, { offTimes: NIGHT, holidays: new Set(['2026-11-20']) })
  expect(verdict(facts).finding).toBe('backlightDead')
})

const NEEDED: readonly (readonly [string, string])[] = [
  ['u_status', 'mains'],
  ['u_input_voltage', 'mains'],
  ['u_output_voltage', 'ups'],
  ['u_battery_charge', 'ups'],
  ['ps_port1_status', 'outlet'],
  ['ps_port2_status', 'outlet'],
  ['ro_port1_status', 'networkSwitch'],
  ['ro_port2_status', 'networkSwitch'],
  ['ro_port3_status', 'networkSwitch'],
  ['ro_port4_status', 'networkSwitch'],
  ['uptime', 'computer'],
  ['d_internal_temp', 'display'],
  ['d_backlight_level', 'backlight'],
  ['d_backlight_automatic_status', 'schedule'],
  ['d_ambient_light', 'schedule'],
  ['d_min_backlight', 'schedule'],
  ['d_max_backlight', 'schedule'],
  ['d_min_ambient_light', 'schedule'],
  ['d_max_ambient_light', 'schedule'],
  ['d_out_of_order_status', 'content'],
  ['status_id', 'content'],
]

test.each(NEEDED)(
  'that %s was never reported is no evidence against the light that the display tells',
  (name, link) => {
    const isLightItself = name === 'd_backlight_level'
    const { verdict: lit, links } = walk(factsOf(1, without(TOTEM, name)))
    expect(lit).toMatchObject(isLightItself ? { kind: 'unknown', link } : { kind: 'lit', link: undefined })
    if (!isLightItself) expect(links.every(({ state }) => state === 'ok' || state === 'unknown')).toBe(true)
    // The reason for darkness must be known from the schedule all the same.
    const isReason = isLightItself || link === 'schedule'
    const found = walk(factsOf(1, without({ ...TOTEM, ...dark }, name))).verdict
    expect(found).toMatchObject(isReason ? { kind: 'unknown' } : { kind: 'broken', link: 'backlight' })
  },
)

test('a totem whose relay, UPS and switches were never reported is lit, and what is missing is told', () => {
  const bare = { ...display('d_'), ...COMPUTER }
  const { verdict: found, links } = walk(factsOf(15, bare))
  expect(found).toMatchObject({ kind: 'lit', finding: 'lit', action: undefined })
  expect(found.sentence).toBe(
    'Front display is lit. Besides: Mains: "UPS status" and "UPS input voltage" were never reported.',
  )
  expect(links.filter(({ state }) => state === 'unknown').map(({ kind }) => kind)).toEqual([
    'mains',
    'ups',
    'outlet',
    'router',
    'schedule',
  ])
  expect(verdict(factsOf(15, bare, { isOnline: false }))).toMatchObject({ kind: 'unknown', finding: 'offline' })
})

/** A device may report these and still be lit. */
const HARMLESS: Values = {
  u_status: 'on battery',
  u_input_voltage: 0,
  u_battery_charge: 5,
  u_alarm: 'overload',
  d_internal_temp: 80,
  d_backlight_automatic_status: 0,
  ps_port1_status: 0,
  ps_port2_status: 0,
  ro_port1_status: 0,
  r_port1_status: 0,
  r_port2_status: 0,
  rt_relay_status: 1,
}

test.each([
  [1, TOTEM],
  [2, TOTEM],
  [15, KIOSK],
])(
  'on model %i light that is told is lit, as its minutes are, whatever else is old or was never reported',
  (modelId, all) => {
    const names = Object.keys(all).filter((name) => name !== 'd_backlight_level')
    const told = (told: readonly string[], odd: readonly string[]): Values => {
      const value = (name: string) => (odd.includes(name) ? HARMLESS[name] : all[name]) ?? 0
      return { ...Object.fromEntries(told.map((name) => [name, value(name)])), d_backlight_level: 70 }
    }
    const [fromMs, toMs] = [ago(20).getTime(), ago(-40).getTime()]
    expect(darkMinutes({ fromMs, toMs }, [], [[{ atMs: fromMs, percent: 70 }]])).toEqual({ ...NO_MINUTES, lit: 1 })
    const subsets = [fc.subarray(names), fc.subarray(Object.keys(HARMLESS)), fc.subarray(names)] as const
    fc.assert(
      fc.property(...subsets, (some, odd, old) => {
        const facts = aged(modelId, told(some, odd), ...old)
        const { kind, sentence } = walk(facts).verdict
        expect(kind, sentence).toBe('lit')
      }),
      { numRuns: 1000 },
    )
  },
)

test('all that is missing is named, and not only the first of it', () => {
  const dark = without({ ...TOTEM, d_backlight_level: 0 }, 'd_min_backlight', 'd_max_backlight')
  expect(walk(factsOf(1, dark)).verdict.sentence).toBe(
    'Unknown from here (Schedule and ambient rule): "Automatic backlight minimum" and "Automatic backlight maximum" were never reported.',
  )
})

test('a display without a thermometer answers by what it does report', () => {
  const bare = { d_backlight_level: 70, ...COMPUTER }
  expect(verdict(factsOf(2, bare))).toMatchObject({ kind: 'lit', finding: 'lit' })
  expect(verdict(factsOf(2, COMPUTER))).toMatchObject({ kind: 'unknown', finding: 'displayUnreachable' })
})

test.each<[string, Values, object]>([
  ['a UPS without input voltage', { u_status: 'on battery' }, { kind: 'lit', finding: 'onBattery' }],
  ['a UPS without status', { u_input_voltage: 0 }, { kind: 'lit', finding: 'onBattery' }],
  ['a UPS without output voltage', { u_battery_charge: 4 }, { kind: 'lit', finding: 'batteryLow' }],
  ['one port of a relay', { r_port1_status: 0 }, { kind: 'lit', finding: 'outletOff' }],
  ['a computer that says nothing else', { status_id: 2 }, { kind: 'broken', finding: 'outOfOrder' }],
])('what %s does report counts, whatever it never does', (_, values, expected) => {
  const bare = without({ ...display('d_'), ...COMPUTER, ...values }, 'd_out_of_order_status')
  expect(verdict(factsOf(15, bare))).toMatchObject(expected)
})

/** All readings are 20 s old, except these, which are older than the offline limit. */
const aged = (modelId: number, values: Values, ...names: readonly string[]) =>
  factsOf(modelId, values, {
    readings: new Map(
      [...readingsOf(values)].map(([name, reading]) => [
        name,
        names.includes(name) ? { ...reading, at: ago(121) } : reading,
      ]),
    ),
  })

test.each(NEEDED.filter(([name, link]) => link !== 'mains' && name !== 'd_internal_temp'))(
  'a reading of %s that is too old is no evidence either, and is shown with its age',
  (name, link) => {
    const isLightItself = name === 'd_backlight_level'
    const { verdict: lit, links } = walk(aged(1, TOTEM, name))
    expect(lit).toMatchObject(isLightItself ? { kind: 'unknown', link } : { kind: 'lit', link: undefined })
    const shown = links.find(({ kind }) => kind === link)
    expect(shown?.state).toBe('unknown')
    expect(shown?.evidence).toContainEqual(expect.objectContaining({ isStale: true, at: ago(121) }))
    if (!isLightItself) expect(lit.sentence).toContain('too old to count')
    // Why it is dark has to be known from the schedule all the same.
    const isReason = isLightItself || link === 'schedule'
    const found = walk(aged(1, { ...TOTEM, ...dark }, name)).verdict
    expect(found).toMatchObject(isReason ? { kind: 'unknown' } : { kind: 'broken', link: 'backlight' })
  },
)

test('a reading counts up to the offline limit', () => {
  const heard = (seconds: number) =>
    factsOf(1, TOTEM, {
      readings: new Map([...readingsOf(TOTEM), ['d_backlight_level', { value: 80, at: ago(seconds) }]]),
    })
  expect(verdict(heard(120))).toEqual({ kind: 'lit', finding: 'lit', link: undefined })
  expect(verdict(heard(121))).toMatchObject({ kind: 'unknown', link: 'backlight' })
})

test('a display answers by whatever it has reported lately, so an outlet that is off is no reason for darkness', () => {
  const facts = aged(1, { ...TOTEM, ps_port1_status: 0 }, 'd_internal_temp')
  expect(verdict(facts)).toEqual({ kind: 'lit', finding: 'outletOff', link: undefined })
})

test.each([
  ['status_id', { d_out_of_order_status: 'ARGB' }, 'sourceLost'],
  ['d_out_of_order_status', { status_id: 2 }, 'outOfOrder'],
] as const)('that %s is too old hides no fault of the content that is told by the other', (old, changes, finding) => {
  expect(verdict(aged(1, { ...TOTEM, ...changes }, old))).toEqual({ kind: 'broken', finding, link: 'content' })
})

test('the mains are told by either of what a UPS says of them', () => {
  const mains = (...names: readonly string[]) => walk(aged(1, TOTEM, ...names)).links[0]
  expect(mains('u_status')).toMatchObject({ kind: 'mains', state: 'ok' })
  expect(mains('u_input_voltage')).toMatchObject({ kind: 'mains', state: 'ok' })
  expect(mains('u_status', 'u_input_voltage')).toMatchObject({ kind: 'mains', state: 'unknown' })
})

test('a relay and a router that have fallen silent are unknown, and the light that is told is not', () => {
  const silent = walk(aged(15, KIOSK, 'r_port1_status', 'rt_relay_status'))
  expect(silent.links.filter(({ state }) => state === 'unknown').map(({ kind }) => kind)).toEqual(['outlet', 'router'])
  expect(silent.verdict.kind).toBe('lit')
  expect(verdict(factsOf(15, { ...KIOSK, rt_relay_status: 1 }))).toMatchObject({ kind: 'lit', finding: 'routerOff' })
})

test('a port of a network switch that nothing is plugged into is never wrong', () => {
  const facts = factsOf(1, { ...TOTEM, ro_port3_status: 0, ro_port4_status: 0 })
  const withUnused = (unusedPorts: readonly number[]) => ({
    ...facts,
    components: facts.components.map((one) =>
      one.componentModelId === 14 && one.number === 2 ? { ...one, unusedPorts } : one,
    ),
  })
  expect(verdict(facts).finding).toBe('networkDown')
  expect(verdict(withUnused([1])).finding).toBe('networkDown')
  expect(verdict(withUnused([1, 2])).finding).toBe('lit')
})

test('each display is judged by its own readings, and by the sensor that steers it', () => {
  const facts = factsOf(15, { ...KIOSK, d2_out_of_order_status: 'ARGB', d3_backlight_level: 0 })
  expect([1, 2, 3].map((number) => verdict(facts, number).finding)).toEqual(['lit', 'sourceLost', 'backlightDead'])
  expect(walk(facts, 2).verdict.sentence).toBe('Left display is dark: the display gets no picture from its computer.')
})

test('what is wrong on the way is told beside what darkens', () => {
  const facts = factsOf(1, { ...TOTEM, u_status: 'on battery', d_out_of_order_status: 'ARGB' })
  expect(walk(facts).verdict.sentence).toBe(
    'Display is dark: the display gets no picture from its computer. Besides: Mains: mains power is out. The device is running on battery.',
  )
})

test('the action against a lost picture restarts what plays it: the PC behind power switch 1, or the computer', () => {
  const lost = { d_out_of_order_status: 'ARGB' }
  expect(walk(factsOf(1, { ...TOTEM, ...lost })).verdict.action?.words).toBe('Restart the PC: reset power switch 1')
  expect(walk(factsOf(15, { ...KIOSK, ...lost })).verdict.action?.words).toBe('Restart the computer: reboot the UPS')
  const bare = { ...display('d_'), ...SENSOR, ...COMPUTER, ...lost }
  expect(walk(factsOf(2, bare)).verdict.action).toMatchObject({ kind: 'sendSomebody', section: undefined })
})

const PS1_OFF = { ...TOTEM, ps_port1_status: 0 }
const outletSaid = (...said: readonly (readonly [value: number, secondsAgo: number])[]) =>
  new Map([['ps_port1_status', said.map(([value, seconds]): Reading => ({ value, at: ago(seconds) }))]])
/** The readings of the display and its sensor are this old, all others 20 seconds. */
const displaySaid = (values: Values, seconds: number) =>
  new Map(
    [...readingsOf(values)].map(([name, reading]): [string, Reading] => [
      name,
      name.startsWith('d_') ? { ...reading, at: ago(seconds) } : reading,
    ]),
  )

test.each<[string, number, ReadonlyMap<string, readonly Reading[]>, object]>([
  [
    'a display that has not answered since its outlet went off is dark by it',
    40,
    outletSaid([1, 90], [0, 30], [0, 20]),
    { kind: 'broken', finding: 'outletOff', link: 'outlet' },
  ],
  [
    'a reading of the very look that found the outlet off is none from after it',
    30,
    outletSaid([1, 90], [0, 30], [0, 20]),
    { kind: 'broken', finding: 'outletOff', link: 'outlet' },
  ],
  [
    'one that has answered since hangs on something else, whenever the outlet said once more that it is off',
    29,
    outletSaid([1, 90], [0, 30], [0, 20]),
    { kind: 'lit', finding: 'outletOff' },
  ],
  [
    'one that answers hangs on something else when the outlet has been off for long',
    20,
    outletSaid(),
    { kind: 'lit', finding: 'outletOff' },
  ],
])('%s', (_, displaySeconds, outletHistory, expected) => {
  const facts = factsOf(1, PS1_OFF, { readings: displaySaid(PS1_OFF, displaySeconds), outletHistory })
  expect(verdict(facts)).toEqual({ link: undefined, ...expected })
})

test('a display that was without power in between is unknown until it says something', () => {
  const outletHistory = outletSaid([1, 90], [0, 50], [1, 30], [1, 20])
  const facts = (seconds: number) => factsOf(1, TOTEM, { readings: displaySaid(TOTEM, seconds), outletHistory })
  const silent = walk(facts(60))
  expect(silent.verdict).toMatchObject({ kind: 'unknown', finding: 'displayUnreachable', link: 'display' })
  expect(silent.links.find(({ kind }) => kind === 'display')).toMatchObject({
    sentence: expect.stringContaining('is from before its power was switched off, and no longer counts.'),
    evidence: [{ isStale: true }],
  })
  expect(verdict(facts(49)).kind).toBe('lit')
})

const CUTS: readonly (readonly [number, string, Readonly<Record<string, unknown>>, 'unknown' | 'lit'])[] = [
  [1, 'ups.reboot', {}, 'unknown'],
  [1, 'ups.shutdown', {}, 'unknown'],
  [1, 'ups.groupReset', { group: 1 }, 'unknown'],
  [1, 'ups.groupReset', { group: 2 }, 'lit'],
  [1, 'powerSwitch.reset', { number: 1 }, 'unknown'],
  [1, 'powerSwitch.set', { number: 1, on: true }, 'lit'],
  [1, 'router.reset', { number: 1 }, 'lit'],
  [15, 'relay.reset', { number: 1, port: 1 }, 'unknown'],
  [15, 'relay.reset', { number: 1, port: 2 }, 'lit'],
  [15, 'routerRelay.set', { number: 1, on: false }, 'lit'],
]

test.each(CUTS)('of model %i after %s %j a reading from before says nothing of what lost its power', (...cut) => {
  const [modelId, name, args, kind] = cut
  const command = { name, args, sentAt: ago(15), endedAt: ago(10), words: '' }
  const values = modelId === 1 ? TOTEM : KIOSK
  const after = (state: 'sent' | 'done' | 'unknown' | 'refused' | 'expired', seconds: number) => {
    const readings = new Map([...readingsOf(values)].map(([its, one]) => [its, { ...one, at: ago(seconds) }]))
    return verdict(factsOf(modelId, values, { readings, commands: [{ ...command, state }] })).kind
  }
  for (const state of ['sent', 'done', 'unknown'] as const) expect([state, after(state, 20)]).toEqual([state, kind])
  for (const state of ['refused', 'expired'] as const) expect([state, after(state, 20)]).toEqual([state, 'lit'])
  expect(after('done', 5)).toBe('lit')
})

test('an outlet that feeds the computer explains why the device is gone, and blames no wiring', () => {
  const values = { ...TOTEM, ps_port2_status: 0 }
  const { verdict: found, links } = walk(factsOf(1, values, { isOnline: false }))
  expect(found).toMatchObject({ kind: 'unknown', finding: 'offline', link: 'outlet' })
  expect(links.find(({ kind }) => kind === 'outlet')?.sentence).toBe(
    'Power switch 2, which feeds the computer, is off.',
  )
})

test('a refused command counts until the same outlet has done what it was asked', () => {
  const asked = (port: number, state: 'done' | 'refused', seconds: number) => ({
    name: 'relay.set',
    args: { number: 1, port, on: true },
    state,
    sentAt: ago(seconds),
    endedAt: ago(seconds - 1),
    words: state === 'refused' ? 'Port 1 of relay 1 does not switch: it is stuck.' : '',
  })
  const refused = asked(1, 'refused', 600)
  const stuck = walk(factsOf(15, KIOSK, { commands: [asked(2, 'done', 60), refused] }))
  expect(stuck.verdict).toMatchObject({ kind: 'lit', finding: 'relayStuck', action: { kind: 'sendSomebody' } })
  expect(stuck.links.find(({ kind }) => kind === 'outlet')?.evidence[0]).toMatchObject({ text: refused.words })
  expect(verdict(factsOf(15, KIOSK, { commands: [asked(1, 'done', 60), refused] })).finding).toBe('lit')
})
