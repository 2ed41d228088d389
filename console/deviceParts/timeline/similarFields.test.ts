import { expect, test } from 'vitest'
import type { FieldId } from '#domain/ids.ts'
import { similarFields } from './similarFields.ts'

const field = (fieldId: number, value = 9) => ({ fieldId: fieldId as FieldId, value, usualFrom: 4, usualTo: 6 })
const idsOf = (fields: Parameters<typeof similarFields>[0]) =>
  similarFields(fields).map(({ members }) => members.map(({ fieldId }) => fieldId))

test('the same field of several displays, and the fans of one, stand together in the order of the first', () => {
  expect(idsOf([field(4201), field(4105), field(4101), field(4106), field(5104)])).toEqual([
    [4201, 4101],
    [4105, 4106],
    [5104],
  ])
})

test('what rose and what fell are two matters', () => {
  expect(idsOf([field(4101, 9), field(4201, 1), field(4301, 2)])).toEqual([[4101], [4201, 4301]])
})
