import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '#domain/units/time.ts'
import { addDays, momentOf, wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { hasMore, lastEnd, nextOccurrences, occurrencesWithin, type Weekly } from './maintenanceSchedule.ts'

const ZONES = ['UTC', 'Europe/Prague', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'] as const
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const date = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2025-01-01', days))
const weekly: fc.Arbitrary<Weekly> = fc.record({
  kind: fc.constant('weekly' as const),
  weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
  from: time,
  to: time,
  timeZone: fc.constantFrom(...ZONES),
  firstDay: date,
  lastDay: fc.option(date, { nil: null }),
})
const moment = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-06-01') })
const NIGHTS: Weekly = {
  kind: 'weekly',
  weekdays: [5],
  from: '23:00',
  to: '04:00',
  timeZone: 'Europe/Prague',
  firstDay: '2026-01-01',
  lastDay: null,
}
const told = (schedule: Weekly, from: string, to: string) =>
  occurrencesWithin(schedule, { fromMs: Date.parse(from), toMs: Date.parse(to) }).map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16)),
  )

test('a night of a weekly window ends on the next day, an hour sooner or later where clocks change', () => {
  expect(told(NIGHTS, '2026-03-20T00:00Z', '2026-03-24T00:00Z')).toEqual([['2026-03-21T22:00', '2026-03-22T03:00']])
  // Clocks go forward on 29 March, and back on 25 October.
  expect(told(NIGHTS, '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toEqual([['2026-03-28T22:00', '2026-03-29T02:00']])
  expect(told(NIGHTS, '2026-10-24T00:00Z', '2026-10-26T00:00Z')).toEqual([['2026-10-24T21:00', '2026-10-25T03:00']])
})

test('a time that clocks skip begins with the change, one that falls wholly into it is none, and a doubled one counts first', () => {
  const sunday = { ...NIGHTS, weekdays: [6] }
  expect(told({ ...sunday, from: '02:30', to: '04:00' }, '2026-03-29T00:00Z', '2026-03-30T00:00Z')).toEqual([
    ['2026-03-29T01:00', '2026-03-29T02:00'],
  ])
  expect(told({ ...sunday, from: '02:10', to: '02:50' }, '2026-03-29T00:00Z', '2026-03-30T00:00Z')).toEqual([])
  expect(told({ ...sunday, from: '02:30', to: '04:00' }, '2026-10-25T00:00Z', '2026-10-26T00:00Z')).toEqual([
    ['2026-10-25T00:30', '2026-10-25T03:00'],
  ])
})

test('the same start and end are a whole day', () => {
  const day = { ...NIGHTS, weekdays: [2], from: '08:00', to: '08:00' }
  expect(told(day, '2026-06-02T00:00Z', '2026-06-06T00:00Z')).toEqual([['2026-06-03T06:00', '2026-06-04T06:00']])
})

test('times of a weekly window follow each other without overlap, on its days, between its first and its last', () => {
  fc.assert(
    fc.property(weekly, moment, fc.integer({ min: 0, max: 60 }), (schedule, fromMs, days) => {
      const times = occurrencesWithin(schedule, { fromMs, toMs: fromMs + days * DAY_MS })
      for (const [index, span] of times.entries()) {
        expect(span.fromMs).toBeLessThan(span.toMs)
        expect(span.toMs - span.fromMs).toBeLessThanOrEqual(DAY_MS + HOUR_MS)
        expect(span.toMs).toBeGreaterThan(fromMs)
        expect(span.fromMs).toBeLessThan(fromMs + days * DAY_MS)
        expect(times[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(span.toMs)
        const begun = wallClock(new Date(span.fromMs), schedule.timeZone)
        expect(schedule.weekdays).toContain(weekdayOf(begun.date))
        expect(begun.date >= schedule.firstDay && begun.date <= (schedule.lastDay ?? '9999')).toBe(true)
        expect(begun.time >= schedule.from).toBe(true)
      }
    }),
  )
})

test('what lasts at a moment is found by the period of that moment alone, as by any longer one', () => {
  fc.assert(
    fc.property(weekly, moment, (schedule, atMs) => {
      const long = occurrencesWithin(schedule, { fromMs: atMs - WEEK_MS, toMs: atMs + WEEK_MS })
      const short = occurrencesWithin(schedule, { fromMs: atMs, toMs: atMs + 1 })
      expect(short).toEqual(long.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs))
    }),
  )
})

test('each day of a week has its time where the clock has the hours for it', () => {
  fc.assert(
    fc.property(weekly, moment, (schedule, atMs) => {
      const day = wallClock(new Date(atMs), schedule.timeZone).date
      const isIn =
        schedule.weekdays.includes(weekdayOf(day)) && day >= schedule.firstDay && day <= (schedule.lastDay ?? '9999')
      const from = momentOf(day, schedule.from, schedule.timeZone).getTime()
      const to = momentOf(schedule.from < schedule.to ? day : addDays(day, 1), schedule.to, schedule.timeZone).getTime()
      const times = occurrencesWithin(schedule, { fromMs: from - 2 * DAY_MS, toMs: to + 2 * DAY_MS })
      expect(times.some((span) => span.fromMs === from && span.toMs === to)).toBe(isIn && from < to)
    }),
  )
})

test('the next times come in order after the moment, and none is left out', () => {
  fc.assert(
    fc.property(weekly, moment, (schedule, atMs) => {
      const next = nextOccurrences(schedule, new Date(atMs), 3)
      const all = occurrencesWithin(schedule, { fromMs: atMs, toMs: (next.at(-1)?.fromMs ?? atMs) + MINUTE_MS })
      expect(all.filter(({ fromMs }) => fromMs > atMs).slice(0, 3)).toEqual(next)
      expect(hasMore(schedule, new Date(atMs))).toBe(next.length > 0)
      const end = lastEnd(schedule)
      if (end !== 'infinity') expect(next.every(({ toMs }) => toMs <= end.getTime())).toBe(true)
      else expect(next).toHaveLength(3)
    }),
  )
})

test('one time is there whenever any of it is, and once', () => {
  const once = {
    kind: 'once',
    from: new Date('2026-11-20T10:00Z'),
    to: new Date('2026-11-20T12:00Z'),
    timeZone: 'UTC',
  } as const
  const span = { fromMs: once.from.getTime(), toMs: once.to.getTime() }
  const within = (from: string, to: string) =>
    occurrencesWithin(once, { fromMs: Date.parse(from), toMs: Date.parse(to) })
  expect(within('2026-11-20T11:59Z', '2026-11-30T00:00Z')).toEqual([span])
  expect(within('2026-11-20T12:00Z', '2026-11-30T00:00Z')).toEqual([])
  expect(within('2026-11-20T09:00Z', '2026-11-20T10:00Z')).toEqual([])
  expect(nextOccurrences(once, new Date('2026-11-20T09:00Z'), 3)).toEqual([span])
  expect(nextOccurrences(once, once.from, 3)).toEqual([])
  expect(lastEnd(once)).toEqual(once.to)
})
