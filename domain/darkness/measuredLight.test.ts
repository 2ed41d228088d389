import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../units/time.ts'
import type { DarknessFacts } from './facts.ts'
import { defaultFeedChain } from './feedChain.ts'
import { type LevelReading, type LightKind, measuredMinutes, NO_MINUTES, wholeMinutes } from './minutes/darkMinutes.ts'
import { darkMinutes } from './testing/countedMinutes.ts'
import { ago, display, factsOf, NOW, SENSOR, TOTEM, type Values } from './testing/healthyDevices.ts'
import { verdictNow } from './verdictNow.ts'
import { whyDark } from './whyDark.ts'

const chainOf = ({ modelId, components }: DarknessFacts) => defaultFeedChain(modelId, components)
const walk = (facts: DarknessFacts) => whyDark(facts, chainOf(facts), 1, NOW)
const light = (facts: DarknessFacts) => verdictNow(facts, chainOf(facts), NOW).light.value
const totem = (changes: Values, more: Partial<DarknessFacts> = {}) => factsOf(1, { ...TOTEM, ...changes }, more)
const without = (facts: DarknessFacts, ...names: readonly string[]): DarknessFacts => ({
  ...facts,
  readings: new Map([...facts.readings].filter(([name]) => !names.includes(name))),
})
/** Makes these readings stale. */
const silent = (facts: DarknessFacts, ...names: readonly string[]): DarknessFacts => ({
  ...facts,
  readings: new Map(
    [...facts.readings].map(([name, reading]) => [name, names.includes(name) ? { ...reading, at: ago(121) } : reading]),
  ),
})
const silentDisplay = Object.keys({ ...display('d_'), ...SENSOR })
const NOON_OFF = {
  wdTimeOffFrom: '12:30',
  wdTimeOffTo: '14:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}

test('a panel that gives no light is dark, whatever backlight it reports, and it is said by what', () => {
  const { verdict, links } = walk(totem({ d_panel_light: 0 }))
  expect(verdict).toMatchObject({ kind: 'broken', finding: 'backlightDead', link: 'backlight' })
  expect(verdict.sentence).toBe(
    'Display is dark: the panel gives no light, measured at the panel, although it reports a backlight of 80 %.',
  )
  expect(links.find(({ kind }) => kind === 'backlight')?.evidence.map(({ label }) => label)).toEqual([
    'Light at the panel',
    'Backlight level',
  ])
})

test('light that is measured is light, whatever backlight is reported and whatever the way to it says', () => {
  const reported = walk(totem({ d_panel_light: 55, d_backlight_level: 0 }))
  expect(reported.verdict).toMatchObject({ kind: 'lit', finding: 'lit' })
  expect(reported.verdict.sentence).toBe('Display is lit, measured at the panel.')
  const noOutput = walk(totem({ d_panel_light: 55, u_output_voltage: 0 }))
  expect(noOutput.verdict).toMatchObject({ kind: 'lit', finding: 'upsNoOutput' })
  expect(noOutput.verdict.sentence).toBe(
    'Display is lit, measured at the panel, but the UPS gives no power. Yet there is light, measured at the panel.',
  )
})

test('what is unknown of the way to a measured panel stops nothing, and is named', () => {
  const silentMains = ['u_status', 'u_input_voltage']
  const lit = walk(without(totem({ d_panel_light: 55 }), ...silentMains))
  expect(lit.verdict.kind).toBe('lit')
  expect(lit.verdict.sentence).toBe(
    'Display is lit, measured at the panel. Besides: Mains: "UPS status" and "UPS input voltage" were never reported.',
  )
  const dark = without(totem({ d_panel_light: 0 }), ...silentMains)
  expect(walk(dark).verdict).toMatchObject({ kind: 'broken', link: 'backlight' })
  expect(light(dark)).toBe('unplanned')
})

test('a display that does not answer is known to be dark, lit or dark as planned by its sensor', () => {
  const dark = without(totem({ d_panel_light: 0 }), ...silentDisplay)
  expect(walk(dark).verdict).toMatchObject({ kind: 'broken', finding: 'displayUnreachable', link: 'display' })
  expect(walk({ ...dark, offTimes: NOON_OFF }).verdict).toMatchObject({ kind: 'planned', finding: 'offTime' })
  expect(light({ ...dark, offTimes: NOON_OFF })).toBe('planned')
  const lit = silent(totem({ d_panel_light: 9 }), ...silentDisplay)
  expect(walk(lit).verdict).toMatchObject({ kind: 'lit', finding: 'displayUnreachable' })
  const inOffTime = { ...lit, offTimes: NOON_OFF }
  expect(light(inOffTime)).toBe('litInOffTime')
})

test('a measurement that is too old, from before a cut, or of a device that is offline says nothing about now', () => {
  const at = (seconds: number, facts: DarknessFacts): DarknessFacts => ({
    ...facts,
    readings: new Map([...facts.readings, ['d_panel_light', { value: 0, at: ago(seconds) }]]),
  })
  expect(walk(at(121, totem({}))).verdict.kind).toBe('lit')
  expect(walk(at(20, totem({}, { isOnline: false }))).verdict).toMatchObject({ kind: 'unknown', finding: 'offline' })
  const reset = { name: 'powerSwitch.reset', args: { number: 1 }, state: 'done', words: '' } as const
  const command = { ...reset, sentAt: ago(41), endedAt: ago(40) }
  const cut = at(50, totem({}, { commands: [command] }))
  expect(walk(cut).verdict.kind).toBe('lit')
  expect(walk(at(30, cut)).verdict.kind).toBe('broken')
})

test('no walk contradicts what is measured, whatever else is known', () => {
  const names = Object.keys(TOTEM)
  const facts = fc.record({
    gone: fc.subarray(names),
    zero: fc.subarray(names.filter((name) => name !== 'u_status')),
    measured: fc.constantFrom(0, 0.5, 80),
    isOff: fc.boolean(),
  })
  fc.assert(
    fc.property(facts, ({ gone, zero, measured, isOff }) => {
      const changes = Object.fromEntries(zero.map((name) => [name, 0]))
      const known = without(
        totem({ ...changes, d_panel_light: measured }, isOff ? { offTimes: NOON_OFF } : {}),
        ...gone,
      )
      const { kind, link } = walk(known).verdict
      if (measured === 0) expect(kind).not.toBe('lit')
      // A lit panel without content has a content problem.
      else expect([kind, link]).toEqual(kind === 'lit' ? ['lit', undefined] : [kind, 'content'])
    }),
  )
})

const FROM_MS = Date.parse('2026-11-20T12:00:00Z')
const TIME = { fromMs: FROM_MS, toMs: FROM_MS + 20 * MINUTE_MS }
const secondOf = (ms: number) => Math.floor(ms / 1000)

/** Returns what is valid at a second, following the words of the guide. */
function holding(readings: readonly LevelReading[], second: number, isMeasured: boolean) {
  const past = readings.filter((one) => (one.isMeasured ?? false) === isMeasured && secondOf(one.atMs) <= second)
  const last = past.sort((a, b) => a.atMs - b.atMs).at(-1)
  return last && second < secondOf(last.atMs) + 120 ? last.percent : undefined
}

test('dark minutes go by what was measured while that holds, and by what was reported otherwise', () => {
  const reading = fc.record({
    atMs: fc.integer({ min: TIME.fromMs - 150_000, max: TIME.toMs + 30_000 }),
    percent: fc.constantFrom(0, 1, 80),
    isMeasured: fc.boolean(),
  })
  const ofDisplay = fc.uniqueArray(reading, {
    maxLength: 16,
    selector: ({ atMs, isMeasured }) => `${atMs}${isMeasured}`,
  })
  fc.assert(
    fc.property(fc.array(ofDisplay, { maxLength: 3 }), fc.boolean(), (displays, isPlanned) => {
      const seconds: Record<LightKind, number> = { ...NO_MINUTES }
      let measured = 0
      for (let second = TIME.fromMs / 1000; second < TIME.toMs / 1000; second++) {
        const byPanel = displays.map((readings) => holding(readings, second, true))
        const levels = displays.map((readings, index) => byPanel[index] ?? holding(readings, second, false))
        const isWrong = levels.some((percent) => percent !== undefined && percent > 0 === isPlanned)
        const isUnknown = levels.length === 0 || levels.includes(undefined)
        const [wrong, right] = isPlanned ? (['litInOffTime', 'planned'] as const) : (['unplanned', 'lit'] as const)
        seconds[isWrong ? wrong : isUnknown ? 'unknown' : right]++
        if (byPanel.length > 0 && !byPanel.includes(undefined)) measured++
      }
      expect(darkMinutes(TIME, isPlanned ? [TIME] : [], displays)).toEqual(wholeMinutes(seconds))
      expect(measuredMinutes(TIME, displays)).toBe(Math.floor(measured / 60))
    }),
  )
})

test('a sensor that falls silent hands over to what is reported', () => {
  const every = (minutes: readonly number[], percent: number, isMeasured: boolean) =>
    minutes.map((minute) => ({ atMs: FROM_MS + minute * MINUTE_MS, percent, isMeasured }))
  const all = [...Array(20).keys()]
  const readings = [...every(all, 80, false), ...every(all.slice(0, 10), 0, true)]
  expect(darkMinutes(TIME, [], [readings])).toMatchObject({ unplanned: 11, lit: 9 })
  expect(measuredMinutes(TIME, [readings])).toBe(11)
})
