import { expect, test } from 'vitest'
import { HOUR_MS } from '../units/time.ts'
import { comparisonOf, hoursOf, type MeasuredField, sameHoursBefore } from './unusual.ts'

const WARMTH: MeasuredField = { name: 'internal_temp', unit: '°C', storage: 'real' }
const USUAL = [40, 41, 40, 42, 39, 40, 41]
const of = (value: number, earlier: readonly number[] = USUAL) => comparisonOf(WARMTH, [{ hour: 1, value, earlier }])

test('with fewer than five earlier days nothing is guessed', () => {
  expect(of(90, USUAL.slice(0, 4))).toBeUndefined()
  expect(of(90, USUAL.slice(0, 5))).toBeDefined()
  expect(comparisonOf(WARMTH, [])).toBeUndefined()
})

test('the usual range lies around the median, and what is outside scores by spreads', () => {
  const { usualFrom, usualTo, score } = of(50) ?? { usualFrom: 0, usualTo: 0, score: 0 }
  expect([usualFrom, usualTo]).toEqual([40 - 2 * 1.4826, 40 + 2 * 1.4826])
  expect(score).toBeCloseTo(10 / 1.4826)
})

test('what is steady is not unusual by the noise of its sensor', () => {
  const steady = Array.from({ length: 14 }, () => 40)
  expect(of(40.2, steady)?.score).toBeLessThan(1)
  expect(of(42, steady)?.score).toBeGreaterThan(3)
})

test('what is usual ends where the field does: no share above all of it, no rate below none', () => {
  const range = (field: MeasuredField, usual: number) =>
    comparisonOf(field, [{ hour: 1, value: usual, earlier: Array.from({ length: 7 }, () => usual) }])
  expect(range({ name: 'backlight_level', unit: '%', storage: 'real' }, 100)).toMatchObject({
    usualFrom: 96,
    usualTo: 100,
  })
  expect(range({ name: 'network_sent', unit: 'kB/s', storage: 'real' }, 5)?.usualFrom).toBe(0)
  expect(range(WARMTH, 0)?.usualFrom).toBeLessThan(0)
})

test('the hour furthest from usual speaks for the window', () => {
  const hours = [40, 60, 45].map((value, hour) => ({ hour, value, earlier: USUAL }))
  expect(comparisonOf(WARMTH, hours)).toMatchObject({ hour: 1, value: 60 })
})

/** Generates series that look like measured ones, and are always the same. */
function* series() {
  let seed = 7
  const next = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  for (let round = 0; round < 300; round++) {
    const middle = 100 * next() - 50
    const length = 5 + Math.floor(10 * next())
    yield { value: middle + 40 * (next() - 0.5), earlier: Array.from({ length }, () => middle + 10 * (next() - 0.5)) }
  }
}

test('whatever was measured: order does not matter, all moved alike is the same, and further away is more', () => {
  for (const { value, earlier } of series()) {
    const found = of(value, earlier)
    if (!found) throw new Error('not compared')
    const { score, usualFrom, usualTo } = found
    expect(of(value, earlier.toReversed())?.score).toBe(score)
    expect(
      of(
        value + 1000,
        earlier.map((one) => one + 1000),
      )?.score,
    ).toBeCloseTo(score, 6)
    const middle = (usualFrom + usualTo) / 2
    expect(of(value + Math.sign(value - middle), earlier)?.score).toBeGreaterThan(score)
    expect(score <= 2 + 1e-9).toBe(value >= usualFrom - 1e-9 && value <= usualTo + 1e-9)
  }
})

test('one odd day among the earlier ones moves neither the range nor the rank by much', () => {
  for (const { value, earlier } of series()) {
    const base = [...earlier, ...earlier]
    const [calm, odd] = [of(value, base), of(value, [...base.slice(1), 1e6])]
    const width = Math.max(...earlier) - Math.min(...earlier)
    expect(Math.abs((odd?.usualTo ?? 0) - (calm?.usualTo ?? 0))).toBeLessThanOrEqual(5 * width + 1e-9)
  }
})

test('the same hours are those of the wall beside the device, also across a change of clocks', () => {
  // Clocks went back on 25 October 2026: 12:00 is 11:00 UTC from then on, and was 10:00 UTC before.
  const noon = Date.parse('2026-10-26T11:00Z') / HOUR_MS
  const [dayBefore, twoBefore] = sameHoursBefore(noon, 'Europe/Berlin')
  expect(dayBefore).toBe(Date.parse('2026-10-25T11:00Z') / HOUR_MS)
  expect(twoBefore).toBe(Date.parse('2026-10-24T10:00Z') / HOUR_MS)
})

test('a window has every hour that it touches, and at least one', () => {
  expect(hoursOf(0, 0)).toEqual([0])
  expect(hoursOf(0, HOUR_MS)).toEqual([0])
  expect(hoursOf(HOUR_MS - 1, HOUR_MS + 1)).toEqual([0, 1])
})
