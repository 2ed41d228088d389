import { expect, test } from 'vitest'
import { differenceOf } from './compareDays.ts'
import type { DayColumns } from './dayColumns.ts'

const day: DayColumns = {
  rows: 2,
  at: Float64Array.of(1_000, 2_000),
  inserted: Float64Array.of(200_000, 300_000),
  claimedAt: [null, 900],
  isCorrected: [null, true],
  extra: ['{"odd":1}', null],
  fields: new Map([
    ['load', [0, 1.5]],
    ['status', ['OL', null]],
  ]),
}
const withField = (name: string, cells: (number | string | null)[]) => ({
  fields: new Map([...day.fields, [name, cells] as const]),
})

test('a day that is read as it was written has no difference, and an arrival may be rounded', () => {
  expect(differenceOf(day, { ...day, inserted: Float64Array.of(249_000, 251_000) })).toBeUndefined()
})

test.for<readonly [string, Partial<DayColumns>]>([
  ['1 rows instead of 2', { rows: 1 }],
  ['another device time in row 1', { at: Float64Array.of(1_000, 2_001) }],
  ['another arrival in row 0', { inserted: Float64Array.of(251_000, 300_000) }],
  ['another claimed time in row 1', { claimedAt: undefined }],
  ['another mark of a corrected time in row 1', { isCorrected: [null, false] }],
  ['another unknown field in row 0', { extra: ['{"odd":2}', null] }],
  ['another load in row 0', withField('load', [-0, 1.5])],
  ['another status in row 1', withField('status', ['OL', ''])],
  ['another fan in row 0', withField('fan', [1, null])],
])('%s is found', ([difference, read]) => {
  expect(differenceOf(day, { ...day, ...read })).toBe(difference)
})
