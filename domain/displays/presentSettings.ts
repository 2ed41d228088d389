import { isTouchEnabled } from '../catalogue/displayRules.ts'

/** The field of a display's report, without its prefix, that shows each setting. */
export const SETTING_READINGS = {
  display: {
    backlightLevel: 'backlight_level',
    brightness: 'brightness',
    gammaValue: 'gamma_value',
    redColorBalance: 'red_color_balance',
    greenColorBalance: 'green_color_balance',
    blueColorBalance: 'blue_color_balance',
    touchScreenStatus: 'touch_matrix_status',
  },
  /** These come with the report of the display that has the sensor's number. */
  ambientSensor: {
    backlightAutomaticStatus: 'backlight_automatic_status',
    minBacklight: 'min_backlight',
    maxBacklight: 'max_backlight',
    minAmbientLight: 'min_ambient_light',
    maxAmbientLight: 'max_ambient_light',
  },
} as const
export type ReportedSection = keyof typeof SETTING_READINGS

export interface SettingReading {
  readonly value: unknown
  readonly at: Date
}

export interface ConfirmedSettings {
  readonly reported: Readonly<Record<string, unknown>> | null
  readonly reportedAt: Date | string | null
}

/** Whether two values of a setting are equal; a value may be a list of entries. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))]
  return entries.length === others.size && entries.every(([key, value]) => isSameValue(value, others.get(key)))
}

export type SettingValues = Readonly<Record<string, unknown>>

/**
 * Returns the device's value as far as it is known: its own reading, or what it confirmed if that is newer. `undefined`
 * while neither is known.
 */
export function settingOnDevice(
  key: string,
  reading: SettingReading | undefined,
  section: ConfirmedSettings | undefined,
): unknown {
  const confirmed = section?.reported?.[key]
  // Null is a value that the device confirmed: no turn-off time.
  if (confirmed === undefined) return reading?.value
  const isReadingNewer = reading && (!section?.reportedAt || reading.at >= new Date(section.reportedAt))
  return isReadingNewer ? reading.value : confirmed
}

/** Returns the known settings as the arguments of the apply command; unknown values are absent. */
export function presentSettings(
  section: ReportedSection,
  readingOf: (name: string) => SettingReading | undefined,
  confirmed: ConfirmedSettings | undefined,
): SettingValues {
  const entries = Object.entries(SETTING_READINGS[section]).flatMap(([key, name]) => {
    const value = asArgument(key, settingOnDevice(key, readingOf(name), confirmed))
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

function asArgument(key: string, value: unknown): unknown {
  if (key === 'touchScreenStatus') return touchArgument(value)
  if (typeof value !== 'number') return typeof value === 'boolean' ? value : undefined
  return key === 'backlightAutomaticStatus' ? value === 1 : value
}

function touchArgument(value: unknown): 'ON' | 'OFF' | undefined {
  if (value === 'ON' || value === 'OFF') return value
  const isEnabled = isTouchEnabled(typeof value === 'string' ? value : undefined)
  if (isEnabled === undefined) return undefined
  return isEnabled ? 'ON' : 'OFF'
}

/** The reasons why a reported level may not be the one that was set. */
export interface LevelOfTheMoment {
  /** The ambient light controls it. */
  readonly isSteered: boolean
  /** It reports no light, because off times and faults darken displays too. */
  readonly isDark: boolean
}

/**
 * Returns the settings to send unchanged when only some of a display's settings change. A momentary level is left out,
 * so that it stays whatever is set; so is the touch screen, whose driver may merely be down.
 *
 * @param wished the last desired settings, which the display has without automatic light
 */
export function keptDisplaySettings(
  present: SettingValues,
  wished: SettingValues,
  { isSteered, isDark }: LevelOfTheMoment,
): SettingValues {
  const { backlightLevel, touchScreenStatus: _, ...calibration } = { ...wished, ...present }
  const level = isSteered ? wished.backlightLevel : isDark ? undefined : backlightLevel
  return level === undefined ? calibration : { ...calibration, backlightLevel: level }
}
