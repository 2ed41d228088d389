import { expect, test } from 'vitest'
import { nameOrder } from './nameOrder.ts'

test('numbers stand as people count them, and letters as the language has them', () => {
  const names = ['Zürich', 'Ängelholm', 'totem 10', 'Totem 2', 'Bergen']
  expect(names.toSorted(nameOrder('de'))).toEqual(['Ängelholm', 'Bergen', 'Totem 2', 'totem 10', 'Zürich'])
  expect(names.toSorted(nameOrder('sv'))).toEqual(['Bergen', 'Totem 2', 'totem 10', 'Zürich', 'Ängelholm'])
})
