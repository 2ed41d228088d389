import { expect, test } from 'vitest'
import { headroom, isBeyond, type Limit } from './limits.ts'

const limit = (operator: Limit['operator'], value: number): Limit => ({ operator, value })

test('headroom is what is left to the lowest limit above, and less than nothing beyond it', () => {
  const limits = [limit('GT', 60), limit('GTE', 40), limit('LT', 5)]
  expect(headroom(31.5, limits)).toEqual({ limit: limit('GTE', 40), room: 8.5 })
  expect(headroom(41, limits)?.room).toBe(-1)
})

test('where no condition watches a rise there is no headroom', () => {
  expect(headroom(31, [])).toBeUndefined()
  expect(headroom(31, [limit('LT', 5), limit('EQ', 40), limit('NEQ', 1)])).toBeUndefined()
})

test('a reading is beyond what it meets: at the limit only where the condition says so', () => {
  expect(isBeyond(40, [limit('GT', 40)])).toBe(false)
  expect(isBeyond(40, [limit('GTE', 40)])).toBe(true)
  expect(isBeyond(3, [limit('GT', 40), limit('LT', 5)])).toBe(true)
  expect(isBeyond(3, [])).toBe(false)
})
