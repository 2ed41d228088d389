import { expect, test } from 'vitest'
import { isReversed, unreadParameters } from './unread.ts'

const NAMES = ['customerId', 'deviceName', 'statusId']

test('what was given and could not be read is named with its value', () => {
  const search = { customerId: 'abc', deviceName: 'Brno', statusId: { a: 1 } }
  expect(unreadParameters(search, NAMES, { deviceName: 'Brno' })).toEqual(['customerId “abc”', 'statusId “{"a":1}”'])
})

test('what was not given, was empty, or is not of this page, is not missed', () => {
  expect(unreadParameters({ customerId: '', utm_source: 'mail' }, NAMES, {})).toEqual([])
})

test('a long value is shortened', () => {
  expect(unreadParameters({ customerId: 'x'.repeat(500) }, NAMES, {})[0]).toHaveLength(54)
})

test('a period that ends before it begins is told apart from one that is absent', () => {
  const [from, to] = ['2026-11-20', '2026-11-22']
  expect(isReversed({ dateFrom: to, dateTo: from })).toBe(true)
  expect(isReversed({ dateFrom: from, dateTo: from })).toBe(true)
  expect(isReversed({ dateFrom: from, dateTo: to })).toBe(false)
  expect(isReversed({ dateFrom: 'yesterday', dateTo: to })).toBe(false)
  expect(isReversed({ dateTo: to })).toBe(false)
})
