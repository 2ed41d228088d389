import { expect, test } from 'vitest'
import { readRemembered, remember } from './remembered.ts'

test('what is remembered comes back, without its absent parts', () => {
  remember('devices.filter', { deviceName: 'Praha', modelId: 16, statusId: undefined, attrSerial: '' })
  expect(readRemembered('devices.filter')).toEqual({ deviceName: 'Praha', modelId: 16 })
})

test('damaged storage counts as nothing remembered', () => {
  for (const damage of ['{', 'null', '[1]', '"text"', '7']) {
    localStorage.setItem('wayside.devices.filter', damage)
    expect(readRemembered('devices.filter')).toEqual({})
  }
})
