import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wallClock } from '#domain/units/wallClock.ts'
import {
  billingMonthFrom,
  countedTraffic,
  type DataUse,
  dataBudgetLabel,
  usedMegabytes,
  usedPercent,
} from './dataUse.ts'

const MONTH = new Date('2026-11-01T00:00Z')
const monthOf = (day: number, at: string, zone = 'UTC') => wallClock(billingMonthFrom(day, zone, new Date(at)), zone)

test('a month begins on its billing day, and on its last day where it is shorter', () => {
  expect(monthOf(15, '2026-11-14T23:59Z').date).toBe('2026-10-15')
  expect(monthOf(15, '2026-11-15T00:00Z').date).toBe('2026-11-15')
  expect(monthOf(31, '2026-03-01T12:00Z').date).toBe('2026-02-28')
  expect(monthOf(31, '2026-02-28T12:00Z').date).toBe('2026-02-28')
  expect(monthOf(30, '2026-01-10T12:00Z').date).toBe('2025-12-30')
  // It is already the 15th in Auckland.
  expect(monthOf(15, '2026-11-14T12:00Z', 'Pacific/Auckland').date).toBe('2026-11-15')
})

test('on any day somewhere a month has begun, not more than 31 days ago, at midnight on the wall', () => {
  const zone = fc.constantFrom('Europe/Berlin', 'Africa/Cairo', 'Pacific/Auckland', 'America/St_Johns')
  const minute = fc.integer({ min: 0, max: 4 * 365 * 1440 })
  fc.assert(
    fc.property(zone, minute, fc.integer({ min: 1, max: 31 }), (timeZone, minutes, day) => {
      const at = new Date(Date.UTC(2025, 0, 1) + minutes * 60_000)
      const from = billingMonthFrom(day, timeZone, at)
      expect(from.getTime()).toBeLessThanOrEqual(at.getTime())
      expect((at.getTime() - from.getTime()) / 86_400_000).toBeLessThan(31.1)
      // If midnight is skipped, the day begins an hour later.
      expect(['00:00', '01:00']).toContain(wallClock(from, timeZone).time)
      expect(billingMonthFrom(day, timeZone, from)).toEqual(from)
    }),
  )
})

test('restarts of the router lose nothing that was looked at and count nothing twice, however often somebody looks', () => {
  const step = fc.record({ bytes: fc.integer({ min: 0, max: 5_000_000 }), looks: fc.integer({ min: 1, max: 3 }) })
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 }), (lives) => {
      let use: DataUse | undefined = countedTraffic(undefined, 0, MONTH)
      let total = 0
      for (const life of lives) {
        // The router counts from zero after each start.
        let counter = 0
        for (const { bytes, looks } of life) {
          counter += bytes
          total += bytes
          for (let look = 0; look < looks; look++) use = countedTraffic(use, counter, MONTH)
        }
        // A run that exceeds the one before by the first check looks like its continuation.
        if (life.length > 0) use = countedTraffic(use, 0, MONTH)
      }
      expect(use?.usedBytes).toBe(total)
    }),
  )
})

test('a new month begins with what came since the last look; a clock that is set back begins none', () => {
  const before = { monthFromMs: MONTH.getTime(), usedBytes: 9_000_000, counterBytes: 100 }
  const next = countedTraffic(before, 400, new Date('2026-12-01T00:00Z'))
  expect(next).toMatchObject({ usedBytes: 300, counterBytes: 400 })
  expect(countedTraffic(next, 500, MONTH)).toMatchObject({ monthFromMs: next.monthFromMs, usedBytes: 400 })
})

test('what was before the first count is not made up', () => {
  expect(countedTraffic(undefined, 7_000_000, MONTH).usedBytes).toBe(0)
})

test('use is told in whole megabytes and tenths of a percent, never rounded up to what it is not', () => {
  const use = { monthFromMs: 0, usedBytes: 899_999_999, counterBytes: 0 }
  expect(usedMegabytes(use)).toBe(899)
  expect(usedPercent(use, { megabytes: 1000, billingDay: 1 })).toBe(89.9)
  expect(dataBudgetLabel({ megabytes: 2000, billingDay: 15 })).toBe('2 GB a month from day 15')
  expect(dataBudgetLabel({ megabytes: 500, billingDay: 1 })).toBe('500 MB a month from day 1')
})
