import { expect, test } from 'vitest'
import { pagePosition } from './pagePosition.ts'

test('a page says where it stands in the list', () => {
  expect(pagePosition(1, 100, 3756)).toBe('1–100 of 3,756')
  expect(pagePosition(10_001, 100, null)).toBe('10,001–10,100 of more than 10,000')
  expect(pagePosition(51, 50, undefined)).toBe('51–100')
})
