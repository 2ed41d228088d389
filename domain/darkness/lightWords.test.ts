import { expect, test } from 'vitest'
import { availabilityText } from './lightWords.ts'

test('availability is cut, never rounded up to everything', () => {
  expect(availabilityText(99.999)).toBe('99.99 %')
  expect(availabilityText(99.57)).toBe('99.57 %')
  expect(availabilityText(100)).toBe('100 %')
  expect(availabilityText(0)).toBe('0 %')
  expect(availabilityText(null)).toBe('–')
})
