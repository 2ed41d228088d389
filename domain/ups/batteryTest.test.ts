import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, momentOf, wallClock, weekdayOf } from '#domain/units/wallClock.ts'
import { type BatteryTestSchedule, batteryTestLabel, batteryTestObstacle, testWindowAt } from './batteryTest.ts'

const WEEKLY: BatteryTestSchedule = { every: 'week', weekday: 0, from: '23:00', to: '02:00' }
const MONTHLY: BatteryTestSchedule = { every: 'month', day: 31, from: '03:00', to: '04:00' }
const isIn = (schedule: BatteryTestSchedule, local: string, timeZone = 'UTC') =>
  testWindowAt(schedule, timeZone, momentOf(local.slice(0, 10), local.slice(11), timeZone)) !== undefined

test('a weekly window belongs to the day it begins on, over midnight too', () => {
  // The window begins on a Monday.
  expect(isIn(WEEKLY, '2026-11-23T22:59')).toBe(false)
  expect(isIn(WEEKLY, '2026-11-23T23:00')).toBe(true)
  expect(isIn(WEEKLY, '2026-11-24T01:59')).toBe(true)
  expect(isIn(WEEKLY, '2026-11-24T02:00')).toBe(false)
  expect(isIn(WEEKLY, '2026-11-24T23:30')).toBe(false)
})

test('in a month that is too short the last day is the day', () => {
  const days = ['2026-01-30', '2026-01-31', '2026-02-27', '2026-02-28', '2026-04-30', '2028-02-28', '2028-02-29']
  expect(days.filter((day) => isIn(MONTHLY, `${day}T03:30`))).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-04-30',
    '2028-02-29',
  ])
})

test('each week has one window and each month one, through every change of clocks', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC')
  const time = fc.integer({ min: 0, max: 23 }).map((hour) => `${String(hour).padStart(2, '0')}:15`)
  fc.assert(
    fc.property(
      zones,
      time,
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 0, max: 6 }),
      (zone, from, day, weekday) => {
        const to = `${String((Number(from.slice(0, 2)) + 3) % 24).padStart(2, '0')}:15`
        for (const schedule of [
          { every: 'week', weekday, from, to },
          { every: 'month', day, from, to },
        ] as const) {
          const begun = new Set<number>()
          const startMs = momentOf('2026-01-01', '00:00', zone).getTime()
          const endMs = momentOf('2027-01-01', '00:00', zone).getTime()
          for (let atMs = startMs; atMs < endMs; atMs += 30 * 60_000) {
            const window = testWindowAt(schedule, zone, new Date(atMs))
            if (window && window.from.getTime() >= startMs) begun.add(window.from.getTime())
          }
          const dates = [...begun].map((ms) => wallClock(new Date(ms), zone).date)
          const days = Array.from({ length: 365 }, (_, index) => addDays('2026-01-01', index))
          const wanted = schedule.every === 'month' ? 12 : days.filter((date) => weekdayOf(date) === weekday).length
          expect([schedule, dates.length]).toEqual([schedule, wanted])
          expect(new Set(dates).size).toBe(dates.length)
        }
      },
    ),
    { numRuns: 12 },
  )
})

test('nothing is tested with the mains away, with a battery that is not full, or while any of that is not known', () => {
  const well = { status: 'on line interactive normal', battery_charge: 97 }
  expect(batteryTestObstacle(well)).toBeUndefined()
  expect(batteryTestObstacle({ ...well, status: 'on battery' })).toMatch(/^Mains power is out/)
  expect(batteryTestObstacle({ ...well, battery_charge: 89.9 })).toBe(
    'The battery is at 89 %. It is tested from 90 % on.',
  )
  expect(batteryTestObstacle({ ...well, battery_test_result: 'running' })).toBe('A battery test is running.')
  expect(batteryTestObstacle({ battery_charge: 97 })).toMatch(/does not report mains power/)
  expect(batteryTestObstacle({ status: well.status })).toMatch(/does not report its battery charge/)
})

test('a schedule is told in words', () => {
  expect(batteryTestLabel(WEEKLY)).toBe('every Monday, 23:00 to 02:00')
  expect(batteryTestLabel(MONTHLY)).toBe('on day 31 of each month, 03:00 to 04:00')
  expect(batteryTestLabel(null)).toBe('never automatically')
})
