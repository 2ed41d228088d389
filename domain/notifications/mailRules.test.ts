import { expect, test } from 'vitest'
import { retryAfterMs } from './mailRules.ts'

test('a mail is tried again after half a minute, then after twice as long each time, at most half an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(retryAfterMs)).toEqual(
    [0.5, 1, 2, 4, 8, 16, 30, 30].map((minutes) => minutes * 60_000),
  )
  expect(retryAfterMs(10_000)).toBe(30 * 60_000)
})
