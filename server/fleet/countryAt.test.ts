import { expect, test } from 'vitest'
import { countryAt } from './countryAt.ts'

test.each([
  ['Strasbourg', 48.584, 7.745, 'FR'],
  ['Kehl, on the other side of the Rhine', 48.573, 7.815, 'DE'],
  ['Basel', 47.56, 7.59, 'CH'],
  ['Monaco', 43.738, 7.424, 'MC'],
  ['Kolkata, whose zone has an older name', 22.57, 88.36, 'IN'],
  ['Kathmandu', 27.7, 85.3, 'NP'],
  ['the sea', 30, -40, undefined],
])('%s is in its country', (_, latitude, longitude, country) => {
  expect(countryAt(latitude, longitude)).toBe(country)
})
