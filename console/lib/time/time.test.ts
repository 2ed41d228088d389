import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAge, formatDateTime } from './time.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)

test('an age is told in its largest whole unit', () => {
  expect(formatAge(ago(12_000), now)).toBe('12 s ago')
  expect(formatAge(ago(59_999), now)).toBe('59 s ago')
  expect(formatAge(ago(60_000), now)).toBe('1 min ago')
  expect(formatAge(ago(3_600_000), now)).toBe('1 h ago')
  expect(formatAge(ago(86_400_000), now)).toBe('1 d ago')
})

test('beyond 30 days an age is a date', () => {
  expect(formatAge(ago(31 * 86_400_000), now)).toMatch(/^\d\d\.\d\d\.\d\d$/)
})

test('a moment ahead of this clock is just now, not a negative age', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10 ** 11 }), (ms) => formatAge(ago(-ms), now) === 'just now'))
})

test('moments are written as DD.MM.YY HH:mm:ss in the zone of the viewer', () => {
  expect(formatDateTime(new Date(2026, 0, 2, 3, 4, 5))).toBe('02.01.26 03:04:05')
})
