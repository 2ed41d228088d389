import { expect, test } from 'vitest'
import type { DeviceGuid } from '#domain/ids.ts'
import { readViewHistory, type ViewedDevice, withoutViewed, withViewed } from './viewHistory.ts'

const viewed = (number: number, name = `Device ${number}`): ViewedDevice => ({
  guid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as DeviceGuid,
  name,
})

test('the sixteenth device pushes out the one opened longest ago', () => {
  const history = Array.from({ length: 16 }, (_, index) => viewed(index)).reduce<readonly ViewedDevice[]>(
    withViewed,
    [],
  )
  expect(history.map(({ name }) => name)).toEqual(Array.from({ length: 15 }, (_, index) => `Device ${15 - index}`))
})

test('a device opened again moves to the front under its present name', () => {
  expect(withViewed([viewed(1), viewed(2)], viewed(2, 'Renamed'))).toEqual([viewed(2, 'Renamed'), viewed(1)])
})

test('a device that is gone leaves the history', () => {
  expect(withoutViewed([viewed(1), viewed(2)], viewed(1).guid)).toEqual([viewed(2)])
})

test('what was stored is read back', () => {
  const history = [viewed(1), viewed(2)]
  expect(readViewHistory(JSON.stringify(history))).toEqual(history)
})

test.each([null, '', 'null', '{}', '[1]', '[{"guid":"x","name":"y"}]', '[{"guid"'])(
  'stored text %j is an empty history',
  (stored) => {
    expect(readViewHistory(stored)).toEqual([])
  },
)
