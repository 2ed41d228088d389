import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { complyingChange } from './complyingPlan.ts'
import { conflictMinutes, type DeviceLight, planConflicts } from './planConflicts.ts'
import { ruleMinutes } from './ruleMinutes.ts'
import { type LightRule, type LightRuleSet, meets, type RulePlace, ruleSpansOfDay } from './ruleSet.ts'
import { ruleText } from './ruleText.ts'

const DAILY = [0, 1, 2, 3, 4, 5, 6]
const NIGHT: LightRule = {
  ...{ days: DAILY, from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null },
}
const SET: LightRuleSet = {
  ...{ name: 'Nights', country: null, area: null, rules: [NIGHT], exceptDates: [], validFrom: null, validUntil: null },
  ...{ source: 'Code', sourceUrl: '' },
}
const ZONES = ['Europe/Paris', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kolkata', 'UTC']
const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const paris = { timeZone: 'Europe/Paris', holidays: NO_HOLIDAYS }
/** Finds the span in which a moment is. */
const ruleAt = (set: LightRuleSet, at: Date, where: RulePlace) =>
  ruleSpansOfDay(set, wallClock(at, where.timeZone).date, where).find(({ from, to }) => at >= from && at < to)
const isDue = (set: LightRuleSet, at: string, place = paris) => ruleAt(set, new Date(at), place) !== undefined

test('a curfew is in local time of the display, through both changes of the clocks', () => {
  expect(isDue(SET, '2026-07-09T23:30Z')).toBe(true)
  expect(isDue(SET, '2026-12-09T23:30Z')).toBe(false)
  const hours = (date: string) =>
    ruleSpansOfDay(SET, date, paris).reduce((sum, { from, to }) => sum + (to.getTime() - from.getTime()) / 3_600_000, 0)
  expect([hours('2026-03-28'), hours('2026-03-29'), hours('2026-10-25')]).toEqual([5, 4, 6])
})

test('a curfew across midnight belongs to the day on which it begins', () => {
  const weekend: LightRuleSet = { ...SET, rules: [{ ...NIGHT, days: [4, 5], from: '23:00', to: '05:00' }] }
  // The 4th of December 2026 is a Friday.
  expect(isDue(weekend, '2026-12-05T03:59Z')).toBe(true)
  expect(isDue(weekend, '2026-12-05T04:00Z')).toBe(false)
  expect(isDue(weekend, '2026-12-06T03:30Z')).toBe(true)
  expect(isDue(weekend, '2026-12-07T03:30Z')).toBe(false)
})

test('free nights and dates of validity count by the beginning of a night', () => {
  const dated: LightRuleSet = {
    ...SET,
    ...{ rules: [{ ...NIGHT, from: '22:00' }], exceptDates: ['12-24', '2026-12-31'] },
    ...{ validFrom: '2022-09-01', validUntil: '2027-01-01' },
  }
  expect(isDue(dated, '2026-12-25T03:00Z')).toBe(false)
  expect(isDue(dated, '2025-12-25T03:00Z')).toBe(false)
  expect(isDue(dated, '2027-01-01T03:00Z')).toBe(false)
  expect(isDue(dated, '2026-01-01T03:00Z')).toBe(true)
  expect(isDue(dated, '2022-09-01T03:00Z')).toBe(false)
  expect(isDue(dated, '2027-01-02T03:00Z')).toBe(true)
  expect(isDue(dated, '2027-01-02T22:00Z')).toBe(false)
})

test('holidays are as other days, free, or the only days', () => {
  const place = { timeZone: 'Europe/Paris', holidays: new Set(['2026-12-25']) }
  const on = (onHolidays: LightRule['onHolidays']) =>
    ['2026-12-24', '2026-12-25'].map((date) =>
      isDue({ ...SET, rules: [{ ...NIGHT, onHolidays }] }, `${date}T03:00Z`, place),
    )
  expect([on('too'), on('never'), on('only')]).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ])
})

const minute = fc.integer({ min: 0, max: 1439 })
const time = minute.map(
  (one) => `${String(Math.floor(one / 60)).padStart(2, '0')}:${String(one % 60).padStart(2, '0')}`,
)
const rules = fc.record({
  days: fc.subarray(DAILY, { minLength: 1 }),
  ...{
    from: time,
    to: time,
    onHolidays: fc.constantFrom('too', 'never', 'only') as fc.Arbitrary<LightRule['onHolidays']>,
  },
  ...{ levelPercent: fc.constant(0), belowLux: fc.constant(null) },
})
const place = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  holidays: fc.constantFrom(NO_HOLIDAYS, new Set(['2026-04-05', '2026-10-25'])),
})
const moment = fc.integer({ min: Date.parse('2026-01-02T00:00Z'), max: Date.parse('2026-12-30T00:00Z') })

test('whatever the rule and the zone, a moment is due if the wall clock says so', () => {
  fc.assert(
    fc.property(rules, place, moment, (rule, at, ms) => {
      const now = wallClock(new Date(ms), at.timeZone)
      const starts = (date: string) => {
        const isHoliday = at.holidays.has(date)
        if (rule.onHolidays === 'only') return isHoliday
        return rule.days.includes(weekdayOf(date)) && !(isHoliday && rule.onHolidays === 'never')
      }
      const isOvernight = rule.from >= rule.to
      const expected =
        (starts(now.date) && now.time >= rule.from && (isOvernight || now.time < rule.to)) ||
        (isOvernight && starts(addDays(now.date, -1)) && now.time < rule.to)
      const change = [-2, 2].map((hours) => wallClock(new Date(ms + hours * 3_600_000), at.timeZone).time)
      const isNearChange =
        new Set([...change, now.time].map((one) => one.slice(3))).size > 1 || !isSteady(ms, at.timeZone)
      // A skipped or repeated hour has no single answer on the wall.
      if (!isNearChange) expect(ruleAt({ ...SET, rules: [rule] }, new Date(ms), at) !== undefined).toBe(expected)
    }),
  )
})

/** Whether clocks do not change within a day before and after. */
function isSteady(ms: number, timeZone: string) {
  const offset = (at: number) =>
    Date.parse(`${wallClock(new Date(at), timeZone).date}T${wallClock(new Date(at), timeZone).time}Z`) - at
  const near = [-26, 26].map((hours) => offset(Math.floor(ms / 60_000) * 60_000 + hours * 3_600_000))
  return near[0] === near[1]
}

test('spans of days tile: no moment is in none and no day reaches into another', () => {
  fc.assert(
    fc.property(rules, place, moment, (rule, at, ms) => {
      const set = { ...SET, rules: [rule] }
      const { date } = wallClock(new Date(ms), at.timeZone)
      const spans = ruleSpansOfDay(set, date, at)
      const isIn = spans.some(({ from, to }) => ms >= from.getTime() && ms < to.getTime())
      expect(isIn).toBe(ruleAt(set, new Date(ms), at) !== undefined)
      for (const { from, to } of spans) {
        expect(wallClock(from, at.timeZone).date).toBe(date)
        expect(wallClock(new Date(to.getTime() - 1), at.timeZone).date).toBe(date)
      }
    }),
  )
})

test('a set meets by country and area; a device without position is unknown, never outside', () => {
  const square = [
    { latitude: 48, longitude: 2 },
    { latitude: 49, longitude: 2 },
    { latitude: 49, longitude: 3 },
    { latitude: 48, longitude: 3 },
  ]
  const paris = { position: { latitude: 48.85, longitude: 2.35 }, country: 'FR' }
  const lyon = { position: { latitude: 45.76, longitude: 4.84 }, country: 'FR' }
  const nowhere = { position: undefined, country: undefined }
  const inFrance = { ...SET, country: 'FR' }
  expect([paris, lyon, nowhere].map((one) => meets(inFrance, one))).toEqual(['meets', 'meets', 'unknown'])
  expect([paris, lyon, nowhere].map((one) => meets({ ...inFrance, area: square }, one))).toEqual([
    ...['meets', 'outside', 'unknown'],
  ])
  expect(meets({ ...SET, country: 'DE' }, paris)).toBe('outside')
  expect(meets(SET, nowhere)).toBe('meets')
})

const LIGHT: DeviceLight = {
  ...{ ...paris, position: undefined, offTimes: undefined, dayPlan: undefined, curve: undefined, levelPercent: 80 },
}
const offTimes = (from: string, to: string) => ({
  ...{ wdTimeOffFrom: from, wdTimeOffTo: to, wkndTimeOffFrom: from, wkndTimeOffTo: to },
  ...{ holTimeOffFrom: from, holTimeOffTo: to },
})

test('a plan that leaves hours lit is shown with the change that would comply', () => {
  const light = { ...LIGHT, offTimes: offTimes('23:00', '05:00') }
  const found = planConflicts(SET, light, '2026-11-30')
  expect(conflictMinutes(found)).toBe(14 * 60)
  expect(found[0]).toMatchObject({ date: '2026-11-30', allowedPercent: 0, plannedPercent: 80 })
  expect(complyingChange(SET, light, '2026-11-30', true)).toEqual({
    ...{ kind: 'offTimes', offTimes: offTimes('23:00', '06:00') },
  })
  expect(complyingChange(SET, { ...LIGHT, offTimes: offTimes('12:00', '13:00') }, '2026-11-30', true)).toMatchObject({
    ...{ kind: 'dayPlan', dayPlan: { workdays: [{ from: '01:00', backlightPercent: 0 }, { from: '06:00' }] } },
  })
  expect(complyingChange(SET, { ...LIGHT, offTimes: offTimes('12:00', '13:00') }, '2026-11-30', false)).toBeUndefined()
})

test('a cap is held against the plan, the curve at that light, and the level set by hand', () => {
  const cap: LightRuleSet = { ...SET, rules: [{ ...NIGHT, from: '20:00', to: '20:00', levelPercent: 30 }] }
  const dim: LightRuleSet = { ...cap, rules: cap.rules.map((rule) => ({ ...rule, belowLux: 50 })) }
  const curve = { minBacklight: 20, maxBacklight: 100, minAmbientLight: 0, maxAmbientLight: 1000 }
  expect(planConflicts(cap, { ...LIGHT, curve }, '2026-11-30', 1)[0]?.plannedPercent).toBe(100)
  expect(planConflicts(dim, { ...LIGHT, curve }, '2026-11-30', 1)).toEqual([])
  expect(planConflicts(cap, { ...LIGHT, levelPercent: 30 }, '2026-11-30', 1)).toEqual([])
  expect(planConflicts(cap, { ...LIGHT, levelPercent: undefined }, '2026-11-30', 1)).not.toEqual([])
})

test('whatever the rule and the off times, a proposed change keeps the rule and every dark minute that was', () => {
  const times = fc.option(
    fc.tuple(time, time).map(([from, to]) => offTimes(from, to)),
    { nil: undefined },
  )
  fc.assert(
    fc.property(rules, times, place, (rule, present, at) => {
      const set = { ...SET, rules: [rule] }
      const light: DeviceLight = { ...LIGHT, ...at, offTimes: present }
      const change = complyingChange(set, light, '2026-10-20', true)
      if (change === undefined) return
      const after = change.kind === 'offTimes' ? { offTimes: change.offTimes } : { dayPlan: change.dayPlan }
      expect(planConflicts(set, { ...light, ...after }, '2026-10-20')).toEqual([])
      if (change.kind === 'offTimes' && present) {
        const before = {
          ...SET,
          rules: [{ ...NIGHT, from: present.wdTimeOffFrom ?? '', to: present.wdTimeOffTo ?? '' }],
        }
        expect(planConflicts(before, { ...light, ...after }, '2026-10-20')).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})

test('minutes of a night add up, what nobody reported is unknown, and one lit display breaks it', () => {
  const day = { fromMs: Date.parse('2026-12-01T00:00Z'), toMs: Date.parse('2026-12-02T00:00Z') }
  const spans = ruleSpansOfDay(SET, '2026-12-01', { ...paris, timeZone: 'UTC' })
  const at = (minutes: number, percent: number) => ({ atMs: day.fromMs + minutes * 60_000, percent })
  const beat = (from: number, to: number, percent: number) =>
    Array.from({ length: to - from }, (_, index) => at(from + index, percent))
  const dark = beat(0, 360, 0)
  const lit = [...beat(0, 90, 70), ...beat(90, 180, 0)]
  expect(ruleMinutes(day, spans, [dark], [])).toMatchObject({ due: 300, kept: 300, broken: 0, unknown: 0 })
  expect(ruleMinutes(day, spans, [dark, lit], [])).toEqual({
    ...{ due: 300, kept: 91, broken: 30, unknown: 179, maintenance: 0, brokenAtMs: day.fromMs + 3_600_000 },
  })
  const capped = spans.map((span) => ({ ...span, rule: { ...NIGHT, levelPercent: 70 } }))
  expect(ruleMinutes(day, capped, [lit], [])).toMatchObject({ broken: 0, kept: 121, unknown: 179 })
})

test('rules read as sentences', () => {
  expect(ruleText(NIGHT)).toBe('Dark 01:00–06:00, every day')
  expect(ruleText({ ...NIGHT, days: [0, 1, 2, 3, 4], onHolidays: 'never', levelPercent: 40, belowLux: 20 })).toBe(
    'At most 40 % 01:00–06:00, Mon–Fri, not on holidays while ambient light is below 20 lux',
  )
})
