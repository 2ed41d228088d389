import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, momentOf, wallClock, weekdayOf } from './wallClock.ts'

const BERLIN = 'Europe/Berlin'
const iso = (date: string, time: string, timeZone = BERLIN) => momentOf(date, time, timeZone).toISOString()

test('a time that clocks skip in spring is the moment of the change', () => {
  expect(iso('2026-03-29', '01:59')).toBe('2026-03-29T00:59:00.000Z')
  expect(iso('2026-03-29', '02:30')).toBe('2026-03-29T01:00:00.000Z')
  expect(iso('2026-03-29', '03:00')).toBe('2026-03-29T01:00:00.000Z')
  expect(iso('2026-03-29', '03:10')).toBe('2026-03-29T01:10:00.000Z')
})

test('of a time that clocks show twice in autumn the first one counts', () => {
  expect(iso('2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z')
  expect(iso('2026-10-25', '03:00')).toBe('2026-10-25T02:00:00.000Z')
  // Lord Howe Island changes its clocks by half an hour.
  expect(iso('2026-04-05', '01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z')
  expect(iso('2026-04-05', '02:00', 'Australia/Lord_Howe')).toBe('2026-04-04T15:30:00.000Z')
})

test('where midnight itself is skipped, the day begins with the change', () => {
  expect(iso('2026-04-24', '00:00', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z')
  expect(wallClock(new Date('2026-04-23T22:00:00.000Z'), 'Africa/Cairo')).toEqual({ date: '2026-04-24', time: '01:00' })
})

test('the wall shows the time that a moment was found for, or a later one where that time is skipped', () => {
  const zone = fc.constantFrom(BERLIN, 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham', 'Africa/Casablanca')
  fc.assert(
    fc.property(zone, fc.integer({ min: 0, max: 4 * 365 * 1440 }), (timeZone, minutes) => {
      const text = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString()
      const [date, time] = [text.slice(0, 10), text.slice(11, 16)]
      const moment = momentOf(date, time, timeZone)
      const shown = wallClock(moment, timeZone)
      const before = wallClock(new Date(moment.getTime() - 60_000), timeZone)
      expect(`${shown.date} ${shown.time}` >= `${date} ${time}`).toBe(true)
      expect(`${before.date} ${before.time}` < `${date} ${time}`).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('days are counted over the ends of months and years; 2026-11-20 is a Friday', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect([weekdayOf('2026-11-20'), weekdayOf('2026-11-22'), weekdayOf('2026-11-23')]).toEqual([4, 6, 0])
})

test('a zone that does not exist is known as such', () => {
  expect([isTimeZone(BERLIN), isTimeZone('Europe/Atlantis'), isTimeZone('')]).toEqual([true, false, false])
  expect(() => wallClock(new Date(0), 'Europe/Atlantis')).toThrow(RangeError)
})
