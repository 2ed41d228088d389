import { standardComponents } from '../../components/standardComponents.ts'
import type { DeviceModelId } from '../../ids.ts'
import type { DarknessFacts, Reading } from '../facts.ts'

export const NOW = new Date('2026-11-20T12:00:00.000Z')
export const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

export type Values = Readonly<Record<string, number | string>>

const UPS: Values = {
  u_status: 'on line interactive normal',
  u_input_voltage: 231,
  u_output_voltage: 230,
  u_battery_charge: 97,
}
export const display = (prefix: string): Values => ({
  [`${prefix}internal_temp`]: 31,
  [`${prefix}intake_temp`]: 24,
  [`${prefix}fan1_speed`]: 900,
  [`${prefix}fan1_speed_target`]: 30,
  [`${prefix}backlight_level`]: 80,
  [`${prefix}out_of_order_status`]: 'HDMI-1',
  [`${prefix}source_search_status`]: 'Found',
})
export const SENSOR: Values = {
  d_ambient_light: 4000,
  d_backlight_automatic_status: 1,
  d_min_backlight: 20,
  d_max_backlight: 90,
  d_min_ambient_light: 100,
  d_max_ambient_light: 20_000,
}
export const COMPUTER: Values = { uptime: 4000, status_id: 1 }
export const TOTEM: Values = {
  ...UPS,
  ...display('d_'),
  ...SENSOR,
  ...COMPUTER,
  ps_port1_status: 1,
  ps_port2_status: 1,
  ro_port1_status: 1,
  ro_port2_status: 1,
  ro_port3_status: 1,
  ro_port4_status: 1,
}
export const KIOSK: Values = {
  ...UPS,
  ...display('d_'),
  ...display('d2_'),
  ...display('d3_'),
  ...SENSOR,
  ...COMPUTER,
  rt_relay_status: 0,
  r_port1_status: 1,
  r_port2_status: 1,
}

export const readingsOf = (values: Values) =>
  new Map(Object.entries(values).map(([name, value]): [string, Reading] => [name, { value, at: ago(20) }]))

/** Returns the facts of a device with its standard components, 20 s after its last report. */
export function factsOf(modelId: number, values: Values, more: Partial<DarknessFacts> = {}): DarknessFacts {
  return {
    modelId: modelId as DeviceModelId,
    components: standardComponents(modelId as DeviceModelId),
    isOnline: true,
    refused: undefined,
    clockErrorMs: undefined,
    readings: readingsOf(values),
    offTimes: undefined,
    dayPlan: undefined,
    position: undefined,
    holidays: new Set(),
    timeZone: 'Europe/Prague',
    setBacklights: new Map(),
    refusals: [],
    commands: [],
    outletHistory: new Map(),
    maintenance: [],
    ...more,
  }
}
