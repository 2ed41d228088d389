import { expect, test } from 'vitest'
import { readPosition } from './readPosition.ts'

test.each([
  ['59.9139, 10.7522', { latitude: 59.9139, longitude: 10.7522 }],
  [' -33.9 ; 151 ', { latitude: -33.9, longitude: 151 }],
  ['59.9139 10.7522', { latitude: 59.9139, longitude: 10.7522 }],
  ['91, 10', undefined],
  ['59, 181', undefined],
  ['59,9139', undefined],
  ['Quay 4', undefined],
  ['', undefined],
])('%s is the place %o', (text, position) => {
  expect(readPosition(text)).toEqual(position)
})
