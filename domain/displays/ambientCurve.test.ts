import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AmbientCurve, ambientCurveError, backlightForLight } from './ambientCurve.ts'

const DEFAULTS: AmbientCurve = { minBacklight: 50, maxBacklight: 100, minAmbientLight: 0, maxAmbientLight: 10_000 }
const percent = fc.double({ min: 0, max: 100, noNaN: true })
const lux = fc.double({ min: 0, max: 100_000, noNaN: true })
const ordered = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, value).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)
const curve = fc.tuple(ordered(percent), ordered(lux)).map(([[minBacklight, maxBacklight], light]) => ({
  minBacklight,
  maxBacklight,
  minAmbientLight: light[0],
  maxAmbientLight: light[1],
}))

test('the curve runs straight from one corner to the other', () => {
  expect([0, 5000, 10_000, 90_000].map((light) => backlightForLight(DEFAULTS, light))).toEqual([50, 75, 100, 100])
})

test('more light never means less backlight, and it stays within its limits', () => {
  fc.assert(
    fc.property(curve, ordered(lux), (any, [less, more]) => {
      const [dim, bright] = [backlightForLight(any, less), backlightForLight(any, more)]
      expect(dim).toBeLessThanOrEqual(bright)
      expect(dim).toBeGreaterThanOrEqual(any.minBacklight)
      expect(bright).toBeLessThanOrEqual(any.maxBacklight + 1e-9)
    }),
    { numRuns: 2000 },
  )
})

test('a range without width is a step', () => {
  const step = { ...DEFAULTS, minAmbientLight: 300, maxAmbientLight: 300 }
  expect([299, 300].map((light) => backlightForLight(step, light))).toEqual([50, 100])
})

test('a minimum above its maximum is refused, equal ones are not', () => {
  expect(ambientCurveError({ ...DEFAULTS, minBacklight: 100 })).toBeUndefined()
  expect(ambientCurveError({ ...DEFAULTS, maxBacklight: 49 })).toBe(
    'The minimum cannot exceed the maximum: backlight from 50 to 49 %.',
  )
  expect(ambientCurveError({ ...DEFAULTS, minAmbientLight: 10_001 })).toBe(
    'The minimum cannot exceed the maximum: ambient light from 10001 to 10000 lux.',
  )
})
