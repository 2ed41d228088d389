import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalsOf, formatNumber, formatWithDecimals, roundedForDisplay, shortestReal } from './numbers.ts'

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

test('the numbers of a column have the decimals of the one that needs most', () => {
  const column = [38, 41.5, 40.25, null, undefined, 3412.3]
  expect(decimalsOf(column)).toBe(2)
  expect(formatWithDecimals(38, 2)).toBe('38.00')
  expect(formatWithDecimals(3412.3, 2)).toBe('3,412.30')
  expect(decimalsOf([1, 2, 1235.7])).toBe(0)
  expect(decimalsOf([])).toBe(0)
  expect(formatWithDecimals(Number.NaN, 1)).toBe('–')
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
