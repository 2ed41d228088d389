import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { isOfThese } from './isOfOne.ts'

const [one, other] = [7, 8] as DeviceId[] as [DeviceId, DeviceId]

test('rows of several devices are asked for by all their numbers, so that no other worker is asked', () => {
  expect(isOfThese([one, other])('r')).toBe('r.device_id = any($1::integer[])')
})

test('rows of one device are asked for by its number, however often it is named', () => {
  expect(isOfThese([one, one])('r')).toBe('r.device_id = 7')
})
