import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weekHourText } from '#domain/alerts/weekHour.ts'
import { wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { DAY_MS } from '../units/time.ts'
import { addToWeek, emptyWeek, firstWholeStep, heatBandOf, needsQuarters, stretchesOf, yearBefore } from './heatMap.ts'

const FROM_MS = Date.parse('2025-11-21T00:00:00Z')
const DAYS = 366

/** Steps along the wall clock one by one. */
function naively(counts: readonly (readonly number[])[], timeZone: string, fromMs: number): number[] {
  const week = emptyWeek()
  counts.forEach((day, number) => {
    day.forEach((count, step) => {
      const atMs = FROM_MS + number * DAY_MS + step * (DAY_MS / day.length)
      if (atMs < fromMs) return
      const { date, time } = wallClock(new Date(atMs), timeZone)
      const hour = weekdayOf(date) * 24 + Number(time.slice(0, 2))
      week[hour] = (week[hour] ?? 0) + count
    })
  })
  return week
}

describe('hours of the week on the wall', () => {
  test.each([
    ['UTC', 24],
    ['Europe/Prague', 24],
    ['America/New_York', 24],
    ['Africa/Casablanca', 24],
    ['Asia/Kolkata', 96],
    ['Asia/Kathmandu', 96],
    ['Australia/Lord_Howe', 96],
    ['Pacific/Chatham', 96],
    ['Pacific/Kiritimati', 24],
    ['America/St_Johns', 96],
  ])('a year in %s is what one counts step by step, also over changes of clocks', (timeZone, steps) => {
    expect(needsQuarters(timeZone, FROM_MS, FROM_MS + DAYS * DAY_MS)).toBe(steps === 96)
    const counts = Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: steps }, (_, step) => (day * 31 + step * 7) % 13),
    )
    const fromMs = firstWholeStep(FROM_MS + 17 * 3_600_000 + 1, steps === 96)
    const week = emptyWeek()
    addToWeek(
      week,
      counts.map((of, day) => ({ dayMs: FROM_MS + day * DAY_MS, counts: of })),
      timeZone,
      fromMs,
    )
    expect(week).toEqual(naively(counts, timeZone, fromMs))
  })

  test.each(['UTC', 'Europe/Prague', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'])(
    'a moment of a year lies in the stretches of its own cell alone: %s',
    (timeZone) => {
      const untilMs = FROM_MS + DAYS * DAY_MS
      const cell = fc.record({ weekday: fc.integer({ min: 1, max: 7 }), hour: fc.nat(23) })
      fc.assert(
        fc.property(cell, fc.nat(DAYS * DAY_MS - 1), ({ weekday, hour }, later) => {
          const { date, time } = wallClock(new Date(FROM_MS + later), timeZone)
          const own = weekHourText(weekdayOf(date) + 1, Number(time.slice(0, 2)))
          for (const asked of [own, weekHourText(weekday, hour)]) {
            const stretches = stretchesOf(asked, timeZone, FROM_MS, untilMs)
            const found = stretches.filter(({ fromMs, untilMs: endMs }) => {
              return FROM_MS + later >= fromMs && FROM_MS + later < endMs
            })
            expect(found).toHaveLength(asked === own ? 1 : 0)
          }
        }),
      )
    },
  )

  test('nothing is lost, whatever the order of the days', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(DAYS - 1), { minLength: 1, maxLength: 30 }), (numbers) => {
        const week = emptyWeek()
        const days = numbers.map((day) => ({
          dayMs: FROM_MS + day * DAY_MS,
          counts: new Array<number>(24).fill(1),
        }))
        addToWeek(week, days, 'Europe/Prague', FROM_MS)
        expect(week.reduce((sum, count) => sum + count, 0)).toBe(numbers.length * 24)
      }),
      { seed: 6 },
    )
  })
})

test('the bands begin with 0, 4, 8 and 16 alerts', () => {
  expect([0, 3, 4, 7, 8, 15, 16, 999].map(heatBandOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
})

test('a year ago is the same date, and the last of February after a leap day', () => {
  expect(yearBefore(new Date('2026-11-21T10:11:12.345Z')).toISOString()).toBe('2025-11-21T10:11:12.345Z')
  expect(yearBefore(new Date('2028-02-29T10:00:00Z')).toISOString()).toBe('2027-02-28T10:00:00.000Z')
})
