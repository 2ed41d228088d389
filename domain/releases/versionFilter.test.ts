import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  byNewest,
  isVersionFilter,
  olderThan,
  readVersionFilter,
  versionFilterLabel,
  writeVersionFilter,
} from './versionFilter.ts'

const number = fc.integer({ min: 0, max: 999_999 })
const version = fc.tuple(number, number, number).map((parts) => parts.join('.'))

test('a filter is read back as it was written', () => {
  const filter = fc.oneof(
    fc.record({ kind: fc.constantFrom('is' as const, 'olderThan' as const), version }),
    fc.constant({ kind: 'unknown' as const }),
  )
  fc.assert(
    fc.property(filter, (one) => {
      expect(readVersionFilter(writeVersionFilter(one))).toEqual(one)
    }),
  )
})

test.each([
  ['2.4.1', '2.4.1'],
  ['nightly', 'nightly'],
  ['before-2.4.1', 'Older than 2.4.1'],
  ['unknown', 'Unknown'],
])('%s is said as %s', (text, words) =>
  expect([isVersionFilter(text), versionFilterLabel(text)]).toEqual([true, words]),
)

test.each(['', ' ', 'before-', 'before-2.4', 'before-02.4.1'])('%j is no filter', (text) =>
  expect(isVersionFilter(text)).toBe(false),
)

test('older is by numbers, and what is no version is never older', () => {
  expect(olderThan('1.10.0', ['1.9.0', '1.10.0', '1.11.0', 'nightly', '0.99.99'])).toEqual(['1.9.0', '0.99.99'])
})

test('the newest come first, then other texts, then what is unknown', () => {
  expect([null, '1.9.0', 'b', '1.10.0', 'a', '0.2.0'].sort(byNewest)).toEqual([
    '1.10.0',
    '1.9.0',
    '0.2.0',
    'a',
    'b',
    null,
  ])
})
