import { expect, test } from 'vitest'
import { NUMBERED_FIELDS } from './fieldId.ts'
import { exportedRawValue, showRawValue } from './rawValue.ts'

const field = (wireName: string) => {
  const found = NUMBERED_FIELDS.find((numbered) => numbered.wireName === wireName)
  if (!found) throw new Error(`no field ${wireName}`)
  return found.field
}

test.each([
  ['status_id', 1, 'No'],
  ['status_id', 0, 'Yes'],
  ['status_id', 5, 'Yes'],
  ['rt_relay_status', 0, 'On'],
  ['rt_relay_status', 1, 'Off'],
  ['rt_relay_status', 7, 'Off'],
  // Everything else is unchanged: tiles translate, raw data does not.
  ['r_port1_status', 1, '1'],
  ['d_backlight_automatic_status', 1, '1'],
  ['u_status', 'on line interactive normal', 'on line interactive normal'],
  ['d_humidity', 99.9, '99.9'],
  ['uptime', 90_061, '1 d 1 h'],
  ['client_features', 'dayPlans batteryTests', 'day plans, battery tests'],
  ['d_internal_temp', 48.256, '48.26'],
  ['d_ambient_light', 10_244.6, '10,245'],
  ['d_internal_temp', 0, '0'],
])('raw %s of %s is written %s', (wireName, value, text) => {
  expect(showRawValue(field(wireName), value)).toBe(text)
})

test('an unknown raw value is a dash for every field, and absent from a file', () => {
  for (const numbered of NUMBERED_FIELDS) {
    expect(showRawValue(numbered.field, undefined)).toBe('–')
    expect(exportedRawValue(numbered.field, undefined)).toBeUndefined()
  }
  expect(showRawValue(field('u_status'), '')).toBe('–')
})

test('a file has numbers in full and the same two words', () => {
  expect(exportedRawValue(field('d_ambient_light'), 10_244.6)).toBe(10_244.6)
  expect(exportedRawValue(field('status_id'), 1)).toBe('No')
  expect(exportedRawValue(field('rt_relay_status'), 0)).toBe('On')
})
