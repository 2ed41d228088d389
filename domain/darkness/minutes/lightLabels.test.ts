import { expect, test } from 'vitest'
import { availabilityText, lightText, notToldApartText } from './lightLabels.ts'

test('availability is cut, never rounded up to everything', () => {
  expect(availabilityText(99.999)).toBe('99.99 %')
  expect(availabilityText(99.57)).toBe('99.57 %')
  expect(availabilityText(100)).toBe('100 %')
  expect(availabilityText(0)).toBe('0 %')
  expect(availabilityText(null)).toBe('–')
})

test('minutes that were not told apart are never told as none', () => {
  expect([lightText(0), lightText(null)]).toEqual(['0 min', 'not counted separately'])
  expect(notToldApartText('2026-11-03')).toBe('not counted separately before 03.11.26')
})
