import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LAST_LUX_POSITION, LUX_STEPS, luxAtPosition, positionOfLux } from './luxScale.ts'

test('the scale rises from 0 to 100000 lux, in tens, hundreds, thousands and ten thousands', () => {
  expect([LUX_STEPS[0], LUX_STEPS.at(-1)]).toEqual([0, 100_000])
  expect(LUX_STEPS).toEqual([...new Set(LUX_STEPS)].sort((one, other) => one - other))
  expect(LUX_STEPS.filter((step) => step >= 90 && step <= 2000)).toEqual([
    90, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 2000,
  ])
})

test('every position of a slider leads to its step and back', () => {
  for (let position = 0; position <= LAST_LUX_POSITION; position++) {
    const lux = luxAtPosition(position)
    expect(lux).toBe(LUX_STEPS[position])
    expect(positionOfLux(lux)).toBe(position)
  }
})

test('what was typed between two steps stays what it is, there and back', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100_000, noNaN: true }), (lux) => {
      expect(luxAtPosition(positionOfLux(lux))).toBeCloseTo(lux, 6)
    }),
    { numRuns: 2000 },
  )
})

test('beyond the ends the scale stands still', () => {
  expect([positionOfLux(-5), positionOfLux(200_000)]).toEqual([0, LAST_LUX_POSITION])
  expect([luxAtPosition(-1), luxAtPosition(99)]).toEqual([0, 100_000])
})
