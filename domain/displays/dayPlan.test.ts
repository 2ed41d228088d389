import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, momentOf, wallClock } from '#domain/units/wallClock.ts'
import {
  type DayPlan,
  type DayPlanEntry,
  dayPlanError,
  dayPlanStepAt,
  dayPlanSteps,
  goesByTheSun,
  type LightPlace,
  NO_DAY_PLAN,
} from './dayPlan.ts'
import { groupOfDay } from './offTimes.ts'

const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const BERLIN: LightPlace = { timeZone: 'Europe/Berlin', position: { latitude: 52.52, longitude: 13.405 } }
const TROMSO: LightPlace = { timeZone: 'Europe/Oslo', position: { latitude: 69.6492, longitude: 18.9553 } }

const every = (...entries: readonly DayPlanEntry[]): DayPlan => ({
  workdays: entries,
  weekends: entries,
  holidays: entries,
})
const at = (from: DayPlanEntry['from'], backlightPercent: number | null): DayPlanEntry => ({ from, backlightPercent })
const sun = (which: 'sunrise' | 'sunset', offsetMinutes = 0) => ({ sun: which, offsetMinutes })

/** Returns local times and levels of a day, in order. */
const told = (plan: DayPlan, place: LightPlace, date: string, holidays = NO_HOLIDAYS) =>
  dayPlanSteps(plan, place, holidays, date).map(
    ({ from, backlightPercent }) => `${wallClock(from, place.timeZone).time} ${backlightPercent}`,
  )

test('a level holds until the next one, over midnight', () => {
  const plan = every(at('22:00', 70), at('06:00', null))
  expect(told(plan, BERLIN, '2026-11-20')).toEqual(['00:00 70', '06:00 null', '22:00 70'])
})

test('a kind of day without entries has no plan from midnight to midnight, and leaves none to the next day', () => {
  const plan = { ...NO_DAY_PLAN, workdays: [at('22:00', 70)] }
  expect(told(plan, BERLIN, '2026-11-20')).toEqual(['00:00 70', '22:00 70'])
  expect(told(plan, BERLIN, '2026-11-21')).toEqual(['00:00 null'])
  expect(told(plan, BERLIN, '2026-11-23')).toEqual(['00:00 null', '22:00 70'])
  expect(told(plan, BERLIN, '2026-11-20', new Set(['2026-11-20']))).toEqual(['00:00 null'])
})

test('entries by the sun go with the place, earlier or later by their minutes', () => {
  const plan = every(at(sun('sunset', 30), 60), at(sun('sunrise', -15), 100))
  expect(told(plan, BERLIN, '2026-06-21')).toEqual(['00:00 60', '04:27 100', '22:02 60'])
  expect(told(plan, BERLIN, '2026-12-21')).toEqual(['00:00 60', '07:59 100', '16:23 60'])
})

test('without a position nothing happens by the sun, and the other entries hold', () => {
  const plan = every(at(sun('sunset'), 60), at('22:00', 40))
  expect(told(plan, { ...BERLIN, position: undefined }, '2026-06-21')).toEqual(['00:00 40', '22:00 40'])
  expect([goesByTheSun(plan), goesByTheSun(every(at('22:00', 40)))]).toEqual([true, false])
})

test('in the polar night it is dusk from noon on; under the midnight sun the day begins anew at its lowest', () => {
  const plan = every(at(sun('sunrise'), 100), at(sun('sunset'), 60), at('22:00', 40))
  expect(told(plan, TROMSO, '2026-12-21')).toEqual(['00:00 40', '11:41 60', '22:00 40'])
  expect(told(plan, TROMSO, '2026-06-21')).toEqual(['00:00 40', '00:45 100', '22:00 40'])
})

test('a time that clocks skip is the moment of the change, and an hour that they show twice is one long stretch', () => {
  const plan = every(at('02:30', 10), at('03:00', 20), at('12:00', 30))
  expect(told(plan, BERLIN, '2026-03-29')).toEqual(['00:00 30', '03:00 20', '12:00 30'])
  const [, night] = dayPlanSteps(every(at('02:15', 10), at('02:45', 20)), BERLIN, NO_HOLIDAYS, '2026-10-25')
  expect(night?.backlightPercent).toBe(10)
  expect([night?.from.toISOString(), night?.to.toISOString()]).toEqual([
    '2026-10-25T00:15:00.000Z',
    '2026-10-25T00:45:00.000Z',
  ])
})

test('two entries at the same time are refused by name', () => {
  expect(dayPlanError({ ...NO_DAY_PLAN, weekends: [at('22:00', 70), at('22:00', 10)] })).toBe(
    'Two entries for weekends begin at the same time: 22:00.',
  )
  expect(dayPlanError(every(at(sun('sunset'), 70), at(sun('sunset', 30), 10)))).toBeUndefined()
})

const time = fc.integer({ min: 0, max: 1439 }).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16))
const level = fc.option(fc.integer({ min: 0, max: 100 }))
const fixed = fc.uniqueArray(fc.record({ from: time, backlightPercent: level }), {
  maxLength: 5,
  selector: ({ from }) => from,
})
const fixedPlan = fc.record({ workdays: fixed, weekends: fixed, holidays: fixed })
/** The clocks change in the zone on this date. */
const CHANGES = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Africa/Cairo', '2026-04-24'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/St_Johns', '2026-11-01'],
  ['Asia/Kathmandu', '2026-07-01'],
] as const

test('minute by minute over a change of clocks: the rule says what somebody reads who only sees the wall', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CHANGES), fixedPlan, fc.boolean(), ([timeZone, date], plan, isHoliday) => {
      const holidays = isHoliday ? new Set([date]) : NO_HOLIDAYS
      const place = { timeZone, position: undefined }
      const dates = [addDays(date, -2), addDays(date, -1), date, addDays(date, 1)]
      const steps = dates.flatMap((one) => dayPlanSteps(plan, place, holidays, one))
      const [startMs, endMs] = [
        momentOf(dates[1] ?? '', '00:00', timeZone),
        momentOf(addDays(date, 2), '00:00', timeZone),
      ]
      let walked = steps.find(({ to }) => to > startMs)?.backlightPercent
      let today = ''
      let latest = ''
      for (let atMs = startMs.getTime(); atMs < endMs.getTime(); atMs += 60_000) {
        const wall = wallClock(new Date(atMs), timeZone)
        const key = `${groupOfDay(wall.date, holidays)}s` as keyof DayPlan
        if (wall.date !== today) {
          if (plan[key].length === 0) walked = null
          ;[today, latest] = [wall.date, '']
        }
        // Local time may go back, but an entry that has begun stays.
        const due = plan[key].filter(({ from }) => from <= wall.time && (latest === '' || from > latest))
        const newest = due.toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]
        if (newest) [walked, latest] = [newest.backlightPercent, newest.from as string]
        const found = steps.find((step) => step.from.getTime() <= atMs && atMs < step.to.getTime())
        expect([wall, found?.backlightPercent]).toEqual([wall, walked])
      }
    }),
    { numRuns: 25 },
  )
})

const entry = fc.record({
  from: fc.oneof(
    time,
    fc.record({
      sun: fc.constantFrom('sunrise' as const, 'sunset' as const),
      offsetMinutes: fc.integer({ min: -240, max: 240 }),
    }),
  ),
  backlightPercent: level,
})
const anyPlan = fc.record({
  workdays: fc.array(entry, { maxLength: 6 }),
  weekends: fc.array(entry, { maxLength: 6 }),
  holidays: fc.array(entry, { maxLength: 6 }),
})
const anyPlace = fc.record({
  timeZone: fc.constantFrom('UTC', ...CHANGES.map(([zone]) => zone)),
  position: fc.option(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    { nil: undefined },
  ),
})

test('from pole to pole the stretches of a day are the whole of it, and each moment finds its own', () => {
  const days = fc.integer({ min: 0, max: 800 })
  fc.assert(
    fc.property(anyPlan, anyPlace, days, fc.double({ min: 0, max: 0.999, noNaN: true }), (plan, place, day, share) => {
      const date = addDays('2026-01-01', day)
      const steps = dayPlanSteps(plan, place, NO_HOLIDAYS, date)
      const [startMs, endMs] = [date, addDays(date, 1)].map((one) => momentOf(one, '00:00', place.timeZone).getTime())
      expect(steps[0]?.from.getTime()).toBe(startMs)
      expect(steps.at(-1)?.to.getTime()).toBe(endMs)
      for (const [index, step] of steps.entries()) {
        expect(step.from.getTime()).toBeLessThan(step.to.getTime())
        if (index > 0) expect(step.from).toEqual(steps[index - 1]?.to)
      }
      const moment = new Date((startMs ?? 0) + Math.floor(share * ((endMs ?? 0) - (startMs ?? 0))))
      expect(dayPlanStepAt(plan, place, NO_HOLIDAYS, moment)).toEqual(
        steps.find(({ from, to }) => from <= moment && moment < to),
      )
    }),
  )
})
