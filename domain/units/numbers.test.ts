import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatNumber, roundedForDisplay, shortestReal } from './numbers.ts'

test.each([
  [99.994, 99.99],
  [99.996, 100],
  [100.4, 100],
  [-0.001, 0],
  [-12.345, -12.34],
  [1234.5, 1235],
])('%d is shown as %d', (value, shown) => {
  expect(roundedForDisplay(value)).toBe(shown)
})

test('thousands are grouped, whatever is counted or measured', () => {
  expect([0.256, -12.5, 999.6, 1234.5, 2_508_212].map(formatNumber)).toEqual([
    '0.26',
    '-12.5',
    '1,000',
    '1,235',
    '2,508,212',
  ])
})

test('what is not a finite number is unknown', () => {
  expect(formatNumber(Number.NaN)).toBe('–')
  expect(formatNumber(Number.POSITIVE_INFINITY)).toBe('–')
})

test('a stored real is written with as few digits as mean the same', () => {
  expect(shortestReal(Math.fround(60.1))).toBe(60.1)
  expect(shortestReal(Math.fround(1_013.25))).toBe(1013.25)
})

test('writing a stored real short never changes what is stored', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.fround(shortestReal(value))).toBe(Math.fround(value))
    }),
  )
})
