import { expect, test } from 'vitest'
import { allowedStepsMinutes, bucketCount } from './step.ts'

const monday = new Date('2026-11-16T00:00:00Z')
const after = (ms: number) => new Date(monday.getTime() + ms)
const THREE_DAYS_MS = 3 * 86_400_000

test('a period of exactly three days may use every step', () => {
  expect(allowedStepsMinutes(monday, after(THREE_DAYS_MS))).toEqual([5, 10, 15, 30, 60])
})

test('one millisecond more leaves only the hour', () => {
  expect(allowedStepsMinutes(monday, after(THREE_DAYS_MS + 1))).toEqual([60])
})

test('a period is widened to the borders of its buckets', () => {
  expect(bucketCount(monday, after(3_600_000), 60)).toBe(1)
  expect(bucketCount(after(1), after(3_600_000 + 1), 60)).toBe(2)
  expect(bucketCount(after(60_000), after(11 * 60_000), 5)).toBe(3)
  expect(bucketCount(monday, monday, 5)).toBe(1)
})
