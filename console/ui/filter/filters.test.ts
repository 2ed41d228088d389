import { expect, test } from 'vitest'
import { fittingFields } from './filters.ts'

test('all fields stand in the row while they have room; "More filters" and a switch take some of it', () => {
  const row = { count: 6, hasLead: false, hasMore: false }
  expect(fittingFields(row, 930)).toBe(6)
  expect(fittingFields({ ...row, hasMore: true }, 930)).toBe(5)
  expect(fittingFields({ ...row, hasLead: true, hasMore: true }, 930)).toBe(3)
  expect(fittingFields(row, undefined)).toBe(6)
})

test('the first field stays however narrow it is, or the switch before it', () => {
  expect(fittingFields({ count: 3, hasLead: false, hasMore: false }, 300)).toBe(1)
  expect(fittingFields({ count: 3, hasLead: true, hasMore: false }, 300)).toBe(0)
})
