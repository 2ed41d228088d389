import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  awayMinutes,
  causeSeconds,
  DARK_CAUSES,
  plannedParts,
  wholeCauses,
} from '#domain/darkness/causes/darkCauses.ts'
import { type LevelReading, lightSpans, minutesOfSpans, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { lightDay } from '#domain/darkness/minutes/lightDays.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { availabilityOf, figuresOfDay, isBelow, type LightFigures, NO_FIGURES, sumOfFigures } from './lightFigures.ts'

const DAY = lightDay('2026-10-25', 'Europe/Oslo')

const closes = (figures: LightFigures) => {
  const { time, owed, given, unplanned, unknown, planned, plannedBy = {}, litInOffTime, maintenance, away } = figures
  expect(given + unplanned + unknown).toBe(owed)
  expect(owed + planned + litInOffTime + maintenance + away).toBe(time)
  const sumOf = (parts: object) => Object.values(parts).reduce((sum, minutes) => sum + minutes, 0)
  expect([sumOf(figures.unplannedBy), sumOf(plannedBy)]).toEqual([unplanned, planned])
}

/** Cuts a day into periods, of which every second one is taken. */
const someSpans = fc
  .uniqueArray(fc.integer({ min: 0, max: 25 * 3600 }), { maxLength: 8 })
  .map((cuts) => cuts.sort((a, b) => a - b).map((second) => DAY.fromMs + second * 1000))
  .map((cuts) =>
    cuts.flatMap((fromMs, index): Span[] => {
      const toMs = cuts[index + 1]
      return index % 2 === 0 && toMs !== undefined ? [{ fromMs, toMs }] : []
    }),
  )
/** Readings come for stretches, and stay away for others. */
const someReadings = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 1500 }),
      minutes: fc.integer({ min: 1, max: 200 }),
      percent: fc.constantFrom(0, 0, 70),
    }),
    { maxLength: 4 },
  )
  .map((runs) =>
    runs.flatMap(({ from, minutes, percent }): LevelReading[] =>
      Array.from({ length: Math.ceil(minutes / 2) }, (_, index) => ({
        atMs: DAY.fromMs + (from + 2 * index) * MINUTE_MS,
        percent,
      })),
    ),
  )
const history = fc.record({
  displays: fc.array(someReadings, { minLength: 1, maxLength: 2 }),
  planned: someSpans,
  maintenance: someSpans,
  away: someSpans,
  evidence: fc.array(fc.record({ cause: fc.constantFrom('ours', 'power', 'network', 'display'), spans: someSpans }), {
    maxLength: 4,
  }),
})

test('in no history is unknown time light, and every sum closes, on a day of 25 hours too (rules/statements 4)', () => {
  let known = 0
  fc.assert(
    fc.property(history, ({ displays, planned, maintenance, away, evidence }) => {
      const spans = lightSpans(DAY, planned, displays, maintenance)
      const minutes = minutesOfSpans(spans)
      const dark = spans.filter(({ kind }) => kind === 'unplanned')
      const unknown = spans.filter(({ kind }) => kind === 'unknown')
      const causes = wholeCauses(causeSeconds(dark, evidence as never), minutes.unplanned)
      const figures = figuresOfDay(1500, {
        ...minutes,
        causes: DARK_CAUSES.map((cause) => causes[cause]),
        away: awayMinutes(unknown, away),
        plannedBy: plannedParts(
          spans.filter(({ kind }) => kind === 'planned'),
          { emergency: away, offTimes: planned, dayPlan: planned },
          minutes.planned,
        ),
      })
      closes(figures)
      expect(figures.time).toBe(1500)
      expect([figures.unplannedBy.notRecorded, figures.plannedBy?.notRecorded]).toEqual([0, 0])
      // Light is given only in seconds for which every display had said so within two minutes.
      const proven = spans.reduce((sum, { kind, fromMs, toMs }) => {
        if (kind !== 'lit') return sum
        for (const one of displays) expect(one.some(({ atMs }) => atMs <= fromMs && atMs > fromMs - 120_000)).toBe(true)
        return sum + toMs - fromMs
      }, 0)
      expect(figures.given).toBeLessThanOrEqual(Math.ceil(proven / MINUTE_MS))
      expect(figures.unknown + figures.away).toBe(minutes.unknown)
      known += figures.given
    }),
    { numRuns: 400 },
  )
  expect(known).toBeGreaterThan(500)
})

test('a day of which nothing was counted is unknown as a whole, and of no cause', () => {
  const figures = figuresOfDay(1380, undefined)
  expect(figures).toEqual({ ...NO_FIGURES, time: 1380, owed: 1380, unknown: 1380 })
  expect(availabilityOf(figures, 'leftOut')).toBeUndefined()
  expect(availabilityOf(figures, 'asDark')).toBe(0)
})

test('causes that do not add up to the darkness of their day are not shown (rules/statements 7)', () => {
  const day = { unplanned: 30, planned: 0, lit: 0, litInOffTime: null, maintenance: 0, plannedBy: null, away: null }
  for (const causes of [null, [1, 2, 3, 4, 5, 6]]) {
    const figures = figuresOfDay(1440, { ...day, causes })
    closes(figures)
    expect(figures.unplannedBy).toMatchObject({ notRecorded: 30, power: 0 })
  }
  expect(figuresOfDay(1440, { ...day, causes: [0, 30, 0, 0, 0, 0] }).unplannedBy.power).toBe(30)
})

test('a day that was counted in another zone is as long as what is known of it', () => {
  const figures = figuresOfDay(1380, {
    ...{ unplanned: 0, planned: 0, lit: 1440, litInOffTime: 0, maintenance: 0 },
    ...{ causes: null, plannedBy: null, away: 9 },
  })
  closes(figures)
  expect(figures).toMatchObject({ time: 1440, unknown: 0, away: 0 })
})

test('availability is cut, and compared with a target without rounding (rules/statements 5)', () => {
  const figures = sumOfFigures([NO_FIGURES, { ...NO_FIGURES, given: 9_999, unplanned: 1, unknown: 10_000 }])
  expect(availabilityOf(figures, 'leftOut')).toBe(9_999)
  expect(availabilityOf({ ...figures, given: 99_999 }, 'leftOut')).toBe(9_999)
  expect(isBelow({ ...figures, given: 99_999 }, 'leftOut', 9_999)).toBe(false)
  expect(isBelow({ ...figures, given: 99_999 }, 'leftOut', 10_000)).toBe(true)
  expect(availabilityOf(figures, 'asDark')).toBe(4_999)
})
