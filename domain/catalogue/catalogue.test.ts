import { expect, test } from 'vitest'
import { EVENT_TYPES, eventTypeByTopic } from './eventTypes.ts'
import { fieldsOfComponent, measurementName, NUMBERED_FIELDS, numberedFieldById } from './fieldId.ts'
import { measurementsOfModel } from './measurements.ts'

const named = (wireName: string) => {
  const found = NUMBERED_FIELDS.find((numbered) => numbered.wireName === wireName)
  if (!found) throw new Error(`no field ${wireName}`)
  return found
}

test('no two fields share an id or a name in the flat status record', () => {
  expect(new Set(NUMBERED_FIELDS.map(({ id }) => id)).size).toBe(NUMBERED_FIELDS.length)
  expect(new Set(NUMBERED_FIELDS.map(({ wireName }) => wireName)).size).toBe(NUMBERED_FIELDS.length)
})

test('ordinals leave room for 99 fields of each numbered component', () => {
  for (const type of EVENT_TYPES) {
    for (const { ordinal } of type.fields) expect(ordinal >= 1 && ordinal <= 99).toBe(true)
  }
})

test('stored ids stay what they were', () => {
  // Alerts, addresses and remembered charts contain these numbers.
  expect(named('d_internal_temp').id).toBe(4101)
  expect(named('d2_backlight_level').id).toBe(4213)
  expect(named('client_version').id).toBe(3101)
  expect(named('u_battery_runtime').id).toBe(5103)
  expect(named('rt2_relay_status').id).toBe(9201)
  expect(named('yocto_5').id).toBe(11105)
})

test('every field that other systems know by name exists', () => {
  const wanted = [
    ...['client_version', 'status_id', 'uptime', 'd_brightness', 'd_contrast', 'd_backlight_level', 'd_gamma_value'],
    ...['d_red_color_balance', 'd_green_color_balance', 'd_blue_color_balance', 'd_ambient_light'],
    ...['d_touch_matrix_status', 'd_internal_temp', 'd_intake_temp', 'd_exhaust_temp', 'd_humidity', 'd_fan1_speed'],
    ...['d_fan1_speed_target', 'd_source', 'd_uptime', 'd3_out_of_order_status', 'u_status', 'u_battery_charge'],
    ...['u_battery_runtime', 'u_load', 'u_input_voltage', 'e_internal_temp', 'r_port1_status', 'r2_port2_status'],
    ...['rt_relay_status', 'c_online_status', 'c2_temp', 'yocto_1', 'yocto_5'],
  ]
  const known = new Set(NUMBERED_FIELDS.map(({ wireName }) => wireName))
  expect(wanted.filter((name) => !known.has(name))).toEqual([])
})

test('metric lists leave out the fan speed targets and nothing else that can be drawn', () => {
  const withoutFilter = measurementsOfModel(8 as never).map(measurementName)
  expect(withoutFilter).not.toContain('Fan 1 speed target (%)')
  expect(withoutFilter).toContain('Fan 1 speed (rpm)')
  expect(measurementsOfModel(8 as never)).toHaveLength(
    NUMBERED_FIELDS.filter(({ field }) => field.isMeasurement && !field.name.endsWith('_speed_target')).length,
  )
})

test.each([
  [1, ['Device', 'Display', 'Ups']],
  [22, ['Device', 'Display', 'Ups']],
  [15, ['Device', 'Display', 'Display 2', 'Display 3', 'Camera', 'Camera 2', 'Yocto buttons']],
  [16, ['Device', 'Display', 'Display 2', 'Display 3', 'Camera', 'Camera 2', 'Yocto buttons']],
])('model %i offers only its own metric groups', (modelId, groups) => {
  const offered = new Set(measurementsOfModel(modelId as never).map(({ groupName }) => groupName))
  expect(offered).toEqual(new Set(groups))
})

test('ids and topics find their way back', () => {
  for (const numbered of NUMBERED_FIELDS) expect(numberedFieldById(numbered.id)).toBe(numbered)
  for (const type of EVENT_TYPES) expect(eventTypeByTopic(type.topic)).toBe(type)
  expect(fieldsOfComponent(4, 3).map(({ wireName }) => wireName)).toContain('d3_source')
  expect(fieldsOfComponent(4, 4)).toEqual([])
  expect(fieldsOfComponent(2, 1)).toEqual([])
})
