import type { CommandArguments } from '#contract/mqtt/command.ts'
import { SETTING_READINGS } from '#domain/displays/presentSettings.ts'

export interface NumberSetting<Key extends string> {
  /** As the apply command names it. */
  readonly key: Key
  /** Its reading in the report of the display, without the prefix. */
  readonly reading: string
  readonly label: string
  readonly unit?: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly default: number
}

export type DisplayNumberKey = Exclude<keyof CommandArguments<'display.apply'>, 'displayNumber' | 'touchScreenStatus'>
export type AmbientNumberKey = Exclude<
  keyof CommandArguments<'ambientSensor.apply'>,
  'number' | 'backlightAutomaticStatus'
>

const READINGS = { ...SETTING_READINGS.display, ...SETTING_READINGS.ambientSensor }

const level = <Key extends DisplayNumberKey | AmbientNumberKey>(key: Key, label: string, unit?: string) =>
  ({
    ...{ key, reading: READINGS[key], label, min: 0, max: 100, step: 1, default: 50 },
    ...(unit ? { unit } : {}),
  }) as NumberSetting<Key>

/** Ranges and steps of P1 §5, defaults of P1 §9. */
export const BACKLIGHT = level('backlightLevel', 'Backlight level', '%')
export const DISPLAY_NUMBERS: readonly NumberSetting<DisplayNumberKey>[] = [
  BACKLIGHT,
  level('brightness', 'Brightness (black level)'),
  {
    key: 'gammaValue',
    reading: READINGS.gammaValue,
    label: 'Gamma',
    min: 1.8,
    max: 2.6,
    step: 0.2,
    default: 2.2,
  },
  level('redColorBalance', 'Red colour balance'),
  level('greenColorBalance', 'Green colour balance'),
  level('blueColorBalance', 'Blue colour balance'),
]

const lux = <Key extends AmbientNumberKey>(key: Key, label: string, byDefault: number): NumberSetting<Key> => ({
  key,
  reading: READINGS[key],
  label,
  unit: 'lux',
  min: 0,
  max: 100_000,
  step: 1,
  default: byDefault,
})
export const AMBIENT_NUMBERS: readonly NumberSetting<AmbientNumberKey>[] = [
  level('minBacklight', 'Minimum backlight', '%'),
  { ...level('maxBacklight', 'Maximum backlight', '%'), default: 100 },
  lux('minAmbientLight', 'Minimum ambient light', 0),
  lux('maxAmbientLight', 'Maximum ambient light', 10_000),
]
