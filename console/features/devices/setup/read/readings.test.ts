import { expect, test } from 'vitest'
import type { StateEvent } from '#contract/http/live.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { isNumber, numberIn, type Readings, readingsOf, wireName, withLiveState } from './readings.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString()
const event = (name: string, value: number | string, second: number): StateEvent =>
  ({
    deviceId: 1,
    values: [
      {
        field_id: NUMBERED_FIELDS.find(({ wireName: its }) => its === name)?.id,
        field_value: value,
        value_dt: at(second),
      },
    ],
  }) as StateEvent
const NONE: Readings = new Map()

test('names of the flat record carry the prefix of their component', () => {
  expect(wireName('display', 1, 'gamma_value')).toBe('d_gamma_value')
  expect(wireName('display', 3, 'gamma_value')).toBe('d3_gamma_value')
  expect(wireName('router-relay', 2, 'relay_status')).toBe('rt2_relay_status')
})

test('a live value newer than the record counts, an older one does not', () => {
  const live = withLiveState(NONE, event('d_brightness', 40, 10))
  expect(numberIn(readingsOf({ device_dt: at(5), d_brightness: 30 }, live), 'd_brightness')).toBe(40)
  expect(numberIn(readingsOf({ device_dt: at(15), d_brightness: 30 }, live), 'd_brightness')).toBe(30)
})

test('a live value that the record confirms knows better how old it is', () => {
  const live = withLiveState(NONE, event('d_brightness', 30, 10))
  const readings = readingsOf({ device_dt: at(15), d_brightness: 30 }, live)
  expect(readings.get('d_brightness')?.at.toISOString()).toBe(at(10))
})

test('a report that was late on the way changes nothing', () => {
  const live = withLiveState(withLiveState(NONE, event('d_brightness', 40, 10)), event('d_brightness', 20, 5))
  expect(numberIn(live, 'd_brightness')).toBe(40)
})

test('unknown is neither zero nor off', () => {
  const readings = readingsOf({ device_dt: at(0), u_status: 'x' }, NONE)
  expect(numberIn(readings, 'd_brightness')).toBeUndefined()
  expect(numberIn(readings, 'u_status')).toBeUndefined()
  expect(isNumber(readings, 'ps_port1_status', 1)).toBeUndefined()
  expect(isNumber(readingsOf({ device_dt: at(0), ps_port1_status: 0 }, NONE), 'ps_port1_status', 1)).toBe(false)
})
