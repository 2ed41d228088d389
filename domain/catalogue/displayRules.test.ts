import { describe, expect, test } from 'vitest'
import { hasTileChart, showValue, tileName } from './displayRules.ts'
import { NUMBERED_FIELDS } from './fieldId.ts'

const TOTEM = 1 as never
const KIOSK = 15 as never
const AED_KIOSK = 16 as never

const named = (wireName: string) => {
  const found = NUMBERED_FIELDS.find((numbered) => numbered.wireName === wireName)
  if (!found) throw new Error(`no field ${wireName}`)
  return found
}
const shown = (wireName: string, value: number | string | undefined, modelId = TOTEM) =>
  showValue(named(wireName), value, modelId).text

describe('values on tiles', () => {
  test.each([
    ['uptime', 90_061, '1 d 1 h'],
    ['uptime', 59, '59 s'],
    ['u_battery_runtime', 4_500, '1 h 15 min'],
    ['u_battery_runtime', 0, '0 s'],
    ['u_battery_runtime', -1, '–'],
    ['u_replace_battery', 1, 'Yes'],
    ['d_lamp_fault', 0, 'No'],
    ['d_backlight_automatic_status', 1, 'Enabled'],
    ['d_backlight_automatic_status', 0, 'Disabled'],
    ['d_touch_matrix_status', 'Driver is running', 'Enabled'],
    ['d_touch_matrix_status', 'Enabled', 'Enabled'],
    ['d_touch_matrix_status', 'Disabled', 'Disabled'],
    ['d_touch_matrix_status', '', 'Unknown'],
    ['u_status', 'on line interactive normal', 'On power grid'],
    ['u_status', 'on battery', 'On battery'],
    ['rt_relay_status', 0, 'On'],
    ['rt_relay_status', 1, 'Off'],
    ['rt_port1_status', 1, 'On'],
    ['rt_port1_status', 0, 'Off'],
    ['r_port1_status', 1, 'On'],
    ['ps_port2_status', 0, 'Off'],
    ['d_humidity', 99.9, 'LIQUID DETECTED'],
    ['d_humidity', 100, 'DRY'],
    ['d_out_of_order_status', 'ARGB', 'Out of order'],
    ['d_out_of_order_status', 'HDMI 1', 'Content running'],
    ['status_id', 1, 'No'],
    ['status_id', 5, 'Yes'],
  ])('%s of %s is shown as %s', (wireName, value, text) => {
    expect(shown(wireName, value)).toBe(text)
  })

  test('the AED compartment is closed from 900 on', () => {
    expect(shown('d_humidity', 900, AED_KIOSK)).toBe('CLOSED')
    expect(shown('d_humidity', 899, AED_KIOSK)).toBe('OPEN')
    expect(tileName(named('d_humidity'), AED_KIOSK)).toBe('AED Compartment')
    expect(hasTileChart(named('d_humidity'), AED_KIOSK)).toBe(false)
    expect(hasTileChart(named('d_humidity'), TOTEM)).toBe(true)
  })

  test('D2 and D3 stand before tile names, but not on the kiosks', () => {
    expect(tileName(named('d2_internal_temp'), TOTEM)).toBe('D2 Internal temperature')
    expect(tileName(named('d2_internal_temp'), KIOSK)).toBe('Internal temperature')
    expect(tileName(named('d3_internal_temp'), AED_KIOSK)).toBe('Internal temperature')
    expect(tileName(named('c2_temp'), KIOSK)).toBe('C2 Camera temperature')
  })
})

test('an unknown value is a dash for every field, never zero', () => {
  for (const numbered of NUMBERED_FIELDS) {
    expect(showValue(numbered, undefined, TOTEM)).toEqual({ text: '–', isKnown: false })
  }
})

test('numbers carry their unit and are rounded to two decimals below 100, else to whole numbers', () => {
  expect(showValue(named('d_internal_temp'), 48.256, TOTEM)).toEqual({ text: '48.26', unit: '°C', isKnown: true })
  expect(showValue(named('d_ambient_light'), 10_244.6, TOTEM)).toEqual({ text: '10,245', unit: 'lux', isKnown: true })
  expect(showValue(named('d_gamma_value'), 2.2, TOTEM)).toEqual({ text: '2.2', isKnown: true })
})
