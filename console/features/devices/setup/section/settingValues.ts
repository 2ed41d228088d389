import {
  AMBIENT_NUMBERS,
  type AmbientNumberKey,
  DISPLAY_NUMBERS,
  type DisplayNumberKey,
  type NumberSetting,
} from '#console/deviceParts/settings/settingNumbers.ts'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import { isTouchEnabled } from '#domain/catalogue/displayRules.ts'
import type { AmbientCurve } from '#domain/displays/ambientCurve.ts'
import { settingOnDevice } from '#domain/displays/presentSettings.ts'
import { type Readings, wireName } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'

/** A default only fills in what was never reported, and is marked as such (rules/setup 2). */
export type ValueSource = 'device' | 'wanted' | 'default'

export type DisplayValues = Readonly<Record<DisplayNumberKey, number>> & {
  /** `undefined` means unknown, and the value stays as it is. */
  readonly isTouchEnabled: boolean | undefined
}
export type AmbientValues = Readonly<Record<AmbientNumberKey, number>> & {
  readonly isBacklightAutomatic: boolean
}

export interface FormBase<Values> {
  readonly values: Values
  readonly sourceOf: (key: keyof Values) => ValueSource
}

export function isPending(section: SettingSection | undefined): boolean {
  return section?.reason === 'offline' || section?.reason === 'waiting'
}

interface Known<Value> {
  readonly value: Value
  readonly source: ValueSource
}

/** A pending value goes first, so that whoever opens the page again does not undo unseen what is still on its way. */
function known(
  key: string,
  readings: Readings,
  readingName: string,
  section: SettingSection | undefined,
): Known<unknown> {
  const wanted = section?.desired?.[key]
  if (isPending(section) && wanted !== undefined && wanted !== null) return { value: wanted, source: 'wanted' }
  const value = settingOnDevice(key, readings.get(readingName), section)
  return value === undefined ? { value: undefined, source: 'default' } : { value, source: 'device' }
}

function knownNumber(
  setting: NumberSetting<string>,
  number: number,
  readings: Readings,
  section: SettingSection | undefined,
): Known<number> {
  const { value, source } = known(setting.key, readings, wireName('display', number, setting.reading), section)
  if (typeof value !== 'number') return { value: setting.default, source: 'default' }
  const rounded = Math.round(value * 100) / 100
  return { value: Math.min(setting.max, Math.max(setting.min, rounded)), source }
}

function numbersOf<Key extends string>(
  settings: readonly NumberSetting<Key>[],
  number: number,
  readings: Readings,
  section: SettingSection | undefined,
): Record<Key, Known<number>> {
  const entries = settings.map((setting) => [setting.key, knownNumber(setting, number, readings, section)])
  return Object.fromEntries(entries) as Record<Key, Known<number>>
}

const valuesOf = <Key extends string>(knowns: Record<Key, Known<number>>) =>
  Object.fromEntries(Object.entries<Known<number>>(knowns).map(([key, { value }]) => [key, value])) as Record<
    Key,
    number
  >

export function displayBase(
  number: number,
  readings: Readings,
  section: SettingSection | undefined,
): FormBase<DisplayValues> {
  const numbers = numbersOf(DISPLAY_NUMBERS, number, readings, section)
  const touchName = wireName('display', number, 'touch_matrix_status')
  const { value: wanted, source } = known('touchScreenStatus', new Map(), touchName, section)
  const isTouchEnabledNow = touchOnDevice(number, readings, section)
  const touch: Known<boolean | undefined> =
    source === 'wanted' ? { value: wanted === 'ON', source } : { value: isTouchEnabledNow, source: 'device' }
  return {
    values: { ...valuesOf(numbers), isTouchEnabled: touch.value },
    sourceOf: (key) => (key === 'isTouchEnabled' ? touch.source : numbers[key].source),
  }
}

/** Only the device's own report says whether touch is enabled (rules/display 6); it may be unknown. */
function touchOnDevice(number: number, readings: Readings, section: SettingSection | undefined): boolean | undefined {
  const reading = readings.get(wireName('display', number, 'touch_matrix_status'))
  const asReported = reading && { value: isTouchEnabled(reading.value), at: reading.at }
  const value = settingOnDevice('touchScreenStatus', asReported, section)
  if (value === 'ON' || value === 'OFF') return value === 'ON'
  return typeof value === 'boolean' ? value : undefined
}

/** The values of a sensor come with the report of the display of its number. */
export function ambientBase(
  number: number,
  readings: Readings,
  section: SettingSection | undefined,
): FormBase<AmbientValues> {
  const numbers = numbersOf(AMBIENT_NUMBERS, number, readings, section)
  const name = wireName('display', number, 'backlight_automatic_status')
  const { value, source } = known('backlightAutomaticStatus', readings, name, section)
  const isAutomatic: Known<boolean> =
    value === undefined ? { value: true, source: 'default' } : { value: value === true || Number(value) === 1, source }
  return {
    values: ordered({ ...valuesOf(numbers), isBacklightAutomatic: isAutomatic.value }),
    sourceOf: (key) => (key === 'isBacklightAutomatic' ? isAutomatic.source : numbers[key].source),
  }
}

/** A default may contradict a reported value; the reported one counts. */
function ordered(values: AmbientValues): AmbientValues {
  return {
    ...values,
    maxBacklight: Math.max(values.minBacklight, values.maxBacklight),
    maxAmbientLight: Math.max(values.minAmbientLight, values.maxAmbientLight),
  }
}

/** It returns whether the backlight follows its sensor, or undefined while that is unknown. */
export function isBacklightAutomatic(
  readings: Readings,
  { number, sensorNumber = number }: Pick<DisplaySection, 'number' | 'sensorNumber'>,
  sensor: (number: number) => SettingSection | undefined,
): boolean | undefined {
  const reading = readings.get(wireName('display', sensorNumber, 'backlight_automatic_status'))
  const value = settingOnDevice('backlightAutomaticStatus', reading, sensor(sensorNumber))
  return value === undefined ? undefined : value === true || Number(value) === 1
}

/** It returns the curve that the device follows today, or undefined while any part of it is unknown. */
export function curveOnDevice(
  number: number,
  readings: Readings,
  section: SettingSection | undefined,
): AmbientCurve | undefined {
  const entries = AMBIENT_NUMBERS.map(({ key, reading }) => {
    const value = settingOnDevice(key, readings.get(wireName('display', number, reading)), section)
    return [key, value] as const
  })
  return entries.every(([, value]) => typeof value === 'number')
    ? (Object.fromEntries(entries) as unknown as AmbientCurve)
    : undefined
}
