import { expect, test } from 'vitest'
import { NUMBERED_FIELDS } from './fieldId.ts'
import { JOINED_FIELDS, leastSpanOf, statusPart, targetName } from './statusParts.ts'

const field = (wireName: string) => {
  const found = NUMBERED_FIELDS.find((numbered) => numbered.wireName === wireName)
  if (!found) throw new Error(`no field ${wireName}`)
  return found
}
const part = (wireName: string) => statusPart(field(wireName))

test('what a sensor says is measured, what was chosen is set, and what a part says of itself is told', () => {
  expect(['d_internal_temp', 'd2_backlight_level', 'd_humidity', 'u_load', 'e_fan1_speed'].map(part)).toEqual(
    Array(5).fill('measured'),
  )
  expect(['d_gamma_value', 'd3_max_ambient_light', 'd_touch_matrix_status'].map(part)).toEqual(Array(3).fill('set'))
  expect(['client_version', 'uptime', 'u_battery_runtime', 'ps_port1_status', 'yocto_1', 'd_source'].map(part)).toEqual(
    Array(6).fill('told'),
  )
})

test('fields that are read together are settings of a display, each of one line', () => {
  const names = JOINED_FIELDS.flatMap((joined) => joined.names)
  expect(names.map((name) => part(`d_${name}`))).toEqual(names.map(() => 'set'))
  expect(new Set(names).size).toBe(names.length)
})

test('each fan of a display has a target, and the fans of a cabinet have none', () => {
  const targets = NUMBERED_FIELDS.filter(({ type, field: { name } }) =>
    type.fields.some((other) => other.name === targetName(name)),
  )
  expect(targets.filter(({ number }) => number === 1).map(({ wireName }) => wireName)).toEqual([
    'd_fan1_speed',
    'd_fan2_speed',
    'd_fan3_speed',
    'd_fan4_speed',
  ])
})

test('every chart has a floor under its range', () => {
  expect(NUMBERED_FIELDS.every((numbered) => leastSpanOf(numbered) > 0)).toBe(true)
  expect(leastSpanOf(field('d_internal_temp'))).toBe(5)
})
