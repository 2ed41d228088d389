import { expect, test } from 'vitest'
import { differenceBarPercent, temperatureDifference } from './temperatureDifference.ts'

test('the difference has no sign and one decimal, and the bar is five times as long, at most full', () => {
  expect(temperatureDifference(58.52, 38.7)).toBe(19.8)
  expect(temperatureDifference(10, 12.26)).toBe(2.3)
  expect([0, 2.3, 19.8, 20, 31].map(differenceBarPercent)).toEqual([0, 11.5, 99, 100, 100])
})

test('without one of the two the difference is unknown, never zero', () => {
  expect([temperatureDifference(null, 20), temperatureDifference(20, null)]).toEqual([undefined, undefined])
})
