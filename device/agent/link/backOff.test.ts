import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backOffMs } from './backOff.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('every wait lies between one second and one minute', () => {
  fc.assert(
    fc.property(fc.nat(10_000), random, (failures, chance) => {
      const waitMs = backOffMs(failures, chance)
      expect(waitMs).toBeGreaterThanOrEqual(1000)
      expect(waitMs).toBeLessThanOrEqual(60_000)
    }),
  )
})

test('the longest wait doubles with each failure until it is a minute', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7].map((failures) => backOffMs(failures, 1))
  expect(longest).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
})

test('two devices that failed together come back apart', () => {
  expect(backOffMs(5, 0.1)).not.toBe(backOffMs(5, 0.7))
})
