import { expect, test } from 'vitest'
import { isHidden, isIsolated, isolated, NONE_HIDDEN, toggled } from './shownSeries.ts'

const KEYS = ['a', 'b', 'c']

test('isolating leaves one, and once more brings all back, whatever was hidden before', () => {
  const alone = isolated(KEYS, new Set(['a']), 'b')
  expect([...alone]).toEqual(['a', 'c'])
  expect(isIsolated(KEYS, alone, 'b')).toBe(true)
  expect(isIsolated(KEYS, alone, 'a')).toBe(false)
  expect(isolated(KEYS, alone, 'b')).toBe(NONE_HIDDEN)
  expect([...isolated(KEYS, alone, 'c')]).toEqual(['a', 'b'])
})

test('one alone is hidden and shown without the others', () => {
  expect([...toggled(NONE_HIDDEN, 'b')]).toEqual(['b'])
  expect([...toggled(new Set(['a', 'b']), 'b')]).toEqual(['a'])
  expect(NONE_HIDDEN.size).toBe(0)
})

test('a limit of several lines is shown as long as one of them is', () => {
  const limit = { key: 'limit', of: ['a', 'b'] }
  expect(isHidden(limit, new Set(['a']))).toBe(false)
  expect(isHidden(limit, new Set(['a', 'b']))).toBe(true)
})
