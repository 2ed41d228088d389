import fc from 'fast-check'
import { expect, test } from 'vitest'
import { momentFault, readRfc3339 } from './rfc3339.ts'

const NOON = Date.UTC(2026, 10, 20, 12)

test.each([
  '2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00.000Z',
  '2026-11-20T12:00Z',
  '2026-11-20t12:00:00z',
  '2026-11-20 12:00:00+00:00',
  '2026-11-20T12:00:00.000000+00:00',
  '2026-11-20T12:00:00-00:00',
  '2026-11-20T14:00:00.000+02:00',
  '2026-11-20T17:30:00.000000000+05:30',
  '2026-11-20T03:30:00-08:30',
  '2026-11-21T02:00:00+14:00',
  '2026-11-20T11:59:60Z',
])('%s is noon in Greenwich', (text) => {
  expect(readRfc3339(text)).toBe(NOON)
})

test.each([
  '2026-02-29T12:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:00:61Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00:00+0000',
  '2026-11-20T12:00:00+24:00',
  '2026-11-20T12:00:00+02:60',
  '2026-11-20T12:00:00 Z',
  '20261120T120000Z',
  '1764182343',
  '',
])('"%s" is no moment', (text) => {
  expect(readRfc3339(text)).toBeNaN()
})

test('a moment is the same one by every offset', () => {
  const offsets = fc.integer({ min: -(23 * 60 + 59), max: 23 * 60 + 59 })
  const moments = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, offsets, (moment, minutes) => {
      const two = (number: number) => String(number).padStart(2, '0')
      const size = Math.abs(minutes)
      const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
      const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      expect(readRfc3339(local + offset)).toBe(moment.getTime())
    }),
  )
})

test('what is no moment is told with what would be one', () => {
  expect(momentFault(1764182343)).toBe('"at" is the number 1764182343. Send a text like 2026-11-20T10:00:00.000Z.')
  expect(momentFault('2026-11-20T12:00:00')).toBe(
    '"at" is 2026-11-20T12:00:00, without an offset. End it with Z for UTC, or with an offset like +02:00.',
  )
  expect(momentFault('yesterday')).toBe(
    '"at" is "yesterday", which is no moment. Send a text like 2026-11-20T10:00:00.000Z.',
  )
  expect(momentFault(undefined)).toBe('"at" is missing. Send a text like 2026-11-20T10:00:00.000Z.')
  expect(momentFault('1'.repeat(60_000)).length).toBeLessThan(200)
})
