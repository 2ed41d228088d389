import { expect, test } from 'vitest'
import { backlight } from '#console/testing/tiles.ts'
import type { FieldId } from '#domain/ids.ts'
import { rangeOf } from './dayRange.ts'
import { tileOf } from './tiles.ts'

const HUMIDITY = 4104 as FieldId
const range = (
  means: (number | null)[],
  { fieldId = undefined as FieldId | undefined, value = null as number | null } = {},
) =>
  rangeOf(
    tileOf(
      backlight({
        field_value: value,
        data_points_24h: [...means, ...Array(24 - means.length).fill(null)],
        ...(fieldId === undefined ? {} : { field_id: fieldId }),
      }),
    ),
  )

test('the range of a day is its lowest and highest hour, gaps left out', () => {
  expect(range([30, null, 12.2, 70])).toBe('12 – 70')
})

test('what it is now belongs to the range, before its hour is over', () => {
  expect(range([85, 100], { value: 62 })).toBe('62 – 100')
})

test('a narrow range keeps a decimal, a wide or a large one does not', () => {
  expect(range([19.44, 24.06])).toBe('19.4 – 24.1')
  expect(range([0, 14_400])).toBe('0 – 14k')
  expect(range([1200.4, 1203.4])).toBe('1,200 – 1,203')
})

test('what did not move is one number', () => {
  expect(range([20, 20, 20.01])).toBe('20')
})

test('a day without readings has no range, and neither has what is written as a word', () => {
  expect(range([])).toBeUndefined()
  expect(range([900, 1000], { fieldId: HUMIDITY })).toBeUndefined()
})
