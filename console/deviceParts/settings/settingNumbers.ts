import { type NumberRange, rangeOf } from '#console/lib/form/fieldBounds.ts'
import { applyAmbientSensorSettings, applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { CommandArguments } from '#contract/mqtt/command.ts'
import { GAMMA_VALUES } from '#domain/displays/gamma.ts'
import { SETTING_READINGS } from '#domain/displays/presentSettings.ts'

export interface NumberSetting<Key extends string> extends NumberRange {
  readonly key: Key
  readonly reading: string
  readonly label: string
  readonly unit?: string
  readonly default: number
}

export type DisplayNumberKey = Exclude<keyof CommandArguments<'display.apply'>, 'displayNumber' | 'touchScreenStatus'>
export type AmbientNumberKey = Exclude<
  keyof CommandArguments<'ambientSensor.apply'>,
  'number' | 'backlightAutomaticStatus'
>

const READINGS = { ...SETTING_READINGS.display, ...SETTING_READINGS.ambientSensor }

const GAMMA_RANGE: NumberRange = { min: Math.min(...GAMMA_VALUES), max: Math.max(...GAMMA_VALUES), step: 0.2 }

const inCall = <Key extends string>(key: Key) =>
  `d${key.charAt(0).toUpperCase()}${key.slice(1)}` as `d${Capitalize<Key>}`

const ofDisplay = (key: DisplayNumberKey, label: string): NumberSetting<DisplayNumberKey> => ({
  ...{ key, reading: READINGS[key], label, default: 50 },
  ...(key === 'gammaValue' ? GAMMA_RANGE : rangeOf(applyDisplaySettings, inCall(key))),
})
const ofSensor = (key: AmbientNumberKey, label: string): Omit<NumberSetting<AmbientNumberKey>, 'default'> => ({
  ...{ key, reading: READINGS[key], label },
  ...rangeOf(applyAmbientSensorSettings, inCall(key)),
})

/** The defaults are those of rules/setup 3. */
export const BACKLIGHT = { ...ofDisplay('backlightLevel', 'Backlight level'), unit: '%' }
export const DISPLAY_NUMBERS: readonly NumberSetting<DisplayNumberKey>[] = [
  BACKLIGHT,
  ofDisplay('brightness', 'Brightness (black level)'),
  { ...ofDisplay('gammaValue', 'Gamma'), default: 2.2 },
  ofDisplay('redColorBalance', 'Red colour balance'),
  ofDisplay('greenColorBalance', 'Green colour balance'),
  ofDisplay('blueColorBalance', 'Blue colour balance'),
]

export const AMBIENT_NUMBERS: readonly NumberSetting<AmbientNumberKey>[] = [
  { ...ofSensor('minBacklight', 'Minimum backlight'), unit: '%', default: 50 },
  { ...ofSensor('maxBacklight', 'Maximum backlight'), unit: '%', default: 100 },
  { ...ofSensor('minAmbientLight', 'Minimum ambient light'), unit: 'lux', default: 0 },
  { ...ofSensor('maxAmbientLight', 'Maximum ambient light'), unit: 'lux', default: 10_000 },
]
