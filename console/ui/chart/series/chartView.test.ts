import fc from 'fast-check'
import { expect, test } from 'vitest'
import { panned, pinched, viewWith, zoomed } from './chartView.ts'

const whole = { min: 0, max: 86_400 }
const inner = { min: 20_000, max: 40_000 }

test('what lies under the pointer stays there while one zooms', () => {
  const near = zoomed(inner, 25_000, 0.5, whole)
  expect(near).toEqual({ min: 22_500, max: 32_500 })
  expect(zoomed(near, 25_000, 2, whole)).toEqual(inner)
})

test('nothing beyond the whole, nothing shorter than a minute, whatever is asked for', () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(number, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), number, (atS, factor, byS) => {
      for (const view of [zoomed(inner, atS, factor, whole), panned(inner, byS, whole), viewWith(inner, atS, whole)]) {
        expect(view.min).toBeGreaterThanOrEqual(whole.min)
        expect(view.max).toBeLessThanOrEqual(whole.max + 1e-6)
        expect(view.max - view.min).toBeGreaterThanOrEqual(60 - 1e-6)
      }
    }),
  )
})

test('what lay under two fingers lies under them still; one that moves is moving along', () => {
  // 400 px show 20,000 s, so a pixel is 50 s.
  const under = (view: typeof inner, px: number) => view.min + (px * (view.max - view.min)) / 400
  const near = pinched(inner, [100, 200], [80, 280], 400, whole)
  expect(near.max - near.min).toBeCloseTo(10_000)
  expect(under(near, 80)).toBeCloseTo(25_000)
  expect(under(near, 280)).toBeCloseTo(30_000)
  expect(pinched(inner, [100, 500], [140, 540], 400, whole)).toEqual({ min: 18_000, max: 38_000 })
  const number = fc.double({ min: -500, max: 900, noNaN: true })
  fc.assert(
    fc.property(fc.tuple(number, number), fc.tuple(number, number), (from, to) => {
      const view = pinched(inner, from, to, 400, whole)
      expect(view.min).toBeGreaterThanOrEqual(whole.min)
      expect(view.max).toBeLessThanOrEqual(whole.max + 1e-6)
      expect(view.max - view.min).toBeGreaterThanOrEqual(60 - 1e-6)
    }),
  )
})

test('moving keeps the length and stops at the ends', () => {
  expect(panned(inner, 1_000, whole)).toEqual({ min: 21_000, max: 41_000 })
  expect(panned(inner, -50_000, whole)).toEqual({ min: 0, max: 20_000 })
  expect(panned(inner, 90_000, whole)).toEqual({ min: 66_400, max: 86_400 })
})

test('a moment beside the view comes just into it, one within moves nothing', () => {
  expect(viewWith(inner, 30_000, whole)).toBe(inner)
  expect(viewWith(inner, 45_000, whole)).toEqual({ min: 25_000, max: 45_000 })
  expect(viewWith(inner, 19_000, whole)).toEqual({ min: 19_000, max: 39_000 })
})

test('a whole shorter than a minute is shown as it is', () => {
  expect(zoomed({ min: 0, max: 30 }, 10, 0.5, { min: 0, max: 30 })).toEqual({ min: 0, max: 30 })
})
