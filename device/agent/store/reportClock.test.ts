import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextReportTime, type UsedTime } from './reportClock.ts'

const NOON_MS = Date.UTC(2026, 10, 20, 12)
const YEAR_MS = 365 * 86_400_000

function timesOf(clock: readonly number[]): readonly number[] {
  let last: UsedTime | undefined
  return clock.map((nowMs) => {
    last = nextReportTime(nowMs, last)
    return last.atMs
  })
}

test('a component never uses a time twice, whatever its clock does', () => {
  // The clock drifts, stands still, goes back in small steps and in up to eight large ones.
  const drift = fc.array(fc.integer({ min: -200_000, max: 600_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(drift, fc.array(fc.nat(YEAR_MS), { maxLength: 8 }), (steps, setBacks) => {
      let nowMs = NOON_MS
      const clock = [...steps, ...setBacks.map((ms) => -ms), ...steps].map((step) => (nowMs += step))
      const times = timesOf(clock.slice(0, steps.length + setBacks.length))
      expect(new Set(times).size).toBe(times.length)
    }),
  )
})

test('a clock that stands still or steps back a little still gives rising times', () => {
  const times = timesOf([NOON_MS, NOON_MS, NOON_MS - 4 * 60_000, NOON_MS + 5])
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(new Set(times).size).toBe(4)
})

test('a clock that believed in next year and was set right reports the present', () => {
  const [, right] = timesOf([NOON_MS + YEAR_MS, NOON_MS])
  expect(Math.abs((right ?? 0) - NOON_MS)).toBeLessThan(10)
})
