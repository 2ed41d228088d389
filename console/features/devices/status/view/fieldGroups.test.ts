import { expect, test } from 'vitest'
import type { DashboardItem } from '#contract/http/devices/status.ts'
import { fieldGroups } from './fieldGroups.ts'

const tileOf = (eventTypeId: number) => ({ field_id: eventTypeId * 1000 + 101 }) as DashboardItem
const names = (items: readonly DashboardItem[], asked: number) => fieldGroups(items, asked).map(({ name }) => name)

const FOR_EVERY_DEVICE = ['Device', 'Display', 'UPS', 'Power switch']

test('four field groups are offered for every device', () => {
  expect(names([], 3)).toEqual(FOR_EVERY_DEVICE)
})

test('those of its own components follow, each once', () => {
  expect(names([tileOf(10), tileOf(4), tileOf(1), tileOf(10)], 3)).toEqual([...FOR_EVERY_DEVICE, 'ECU', 'Camera'])
})

test('the one that the address asks for can be seen to be chosen, known or not', () => {
  expect(names([], 9)).toEqual([...FOR_EVERY_DEVICE, 'Router relay'])
  expect(names([], 77)).toEqual([...FOR_EVERY_DEVICE, 'Field group 77'])
})
