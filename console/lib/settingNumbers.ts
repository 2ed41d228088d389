import type { CommandArguments } from '#contract/mqtt/command.ts'

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

const level = <Key extends string>(key: Key, reading: string, label: string, unit?: string) =>
  ({ key, reading, label, ...(unit ? { unit } : {}), min: 0, max: 100, step: 1, default: 50 }) as NumberSetting<Key>

/** Ranges and steps of P1 §5, defaults of P1 §9. */
export const BACKLIGHT = level('backlightLevel', 'backlight_level', 'Backlight level', '%')
export const DISPLAY_NUMBERS: readonly NumberSetting<DisplayNumberKey>[] = [
  BACKLIGHT,
  level('brightness', 'brightness', 'Brightness (black level)'),
  {
    key: 'gammaValue',
    reading: 'gamma_value',
    label: 'Gamma',
    min: 1.8,
    max: 2.6,
    step: 0.2,
    default: 2.2,
  },
  level('redColorBalance', 'red_color_balance', 'Red colour balance'),
  level('greenColorBalance', 'green_color_balance', 'Green colour balance'),
  level('blueColorBalance', 'blue_color_balance', 'Blue colour balance'),
]

const lux = <Key extends string>(key: Key, reading: string, label: string, byDefault: number): NumberSetting<Key> => ({
  key,
  reading,
  label,
  unit: 'lux',
  min: 0,
  max: 100_000,
  step: 1,
  default: byDefault,
})
export const AMBIENT_NUMBERS: readonly NumberSetting<AmbientNumberKey>[] = [
  level('minBacklight', 'min_backlight', 'Minimum backlight', '%'),
  { ...level('maxBacklight', 'max_backlight', 'Maximum backlight', '%'), default: 100 },
  lux('minAmbientLight', 'min_ambient_light', 'Minimum ambient light', 0),
  lux('maxAmbientLight', 'max_ambient_light', 'Maximum ambient light', 10_000),
]
