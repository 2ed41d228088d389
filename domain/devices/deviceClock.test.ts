import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { clockErrorText } from './deviceClock.ts'

const NOW = new Date('2026-11-20T10:00:00Z')

test.each([
  [-2 * HOUR_MS, '2 h 0 min behind'],
  [10 - 2 * HOUR_MS, '2 h 0 min behind'],
  [HOUR_MS + 30 * MINUTE_MS, '1 h 30 min ahead'],
  [-3 * DAY_MS, '3 d 0 h behind'],
  [400 * DAY_MS, '400 d 0 h ahead'],
  [-NOW.getTime() + MINUTE_MS, 'in 1970, so it was not set after power-on'],
  [Date.UTC(2000) - NOW.getTime(), 'in 2000, so it was not set after power-on'],
])('a clock that is %i ms ahead is told as "%s"', (aheadMs, text) => {
  expect(clockErrorText(aheadMs, NOW)).toBe(text)
})
