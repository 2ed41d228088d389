import { expect, test } from 'vitest'
import { pagePosition } from './pagePosition.ts'

test('a page says where it stands in the list', () => {
  expect(pagePosition(1, 100, 3756)).toBe('1–100 of 3,756')
  expect(pagePosition(10_001, 100, null)).toBe('10,001–10,100 of more than 10,000')
  expect(pagePosition(51, 50, undefined)).toBe('51–100')
})

test('an empty list and an empty page beyond its end are told apart', () => {
  expect(pagePosition(1, 0, 0)).toBe('No rows')
  expect(pagePosition(1, 0, undefined)).toBe('No rows')
  expect(pagePosition(301, 0, 240)).toBe('No rows on this page')
})
