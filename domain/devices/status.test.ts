import { expect, test } from 'vitest'
import { deviceStatusName, SETTABLE_STATUS_IDS } from './status.ts'

test('Paired, Maintenance, Deactivated and Out of order can be chosen, Pending and Updating cannot', () => {
  expect(SETTABLE_STATUS_IDS.map((id) => [id, deviceStatusName(id)])).toEqual([
    [2, 'Paired'],
    [3, 'Maintenance'],
    [4, 'Deactivated'],
    [5, 'Out of order'],
  ])
})
