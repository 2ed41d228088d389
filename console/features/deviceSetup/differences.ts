import { OFF_GROUPS } from '#console/device/offGroups.ts'
import { AMBIENT_NUMBERS, BACKLIGHT, DISPLAY_NUMBERS } from '#console/device/settingNumbers.ts'
import type { SettingSection } from '#contract/http/deviceSettings.ts'
import { isTouchEnabled } from '#domain/catalogue/displayRules.ts'
import { settingOnDevice } from '#domain/displays/presentSettings.ts'
import { roundedForDisplay, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type Readings, wireName } from './readings.ts'

/** One value that the device does not have as it was wanted. */
export interface Difference {
  readonly label: string
  readonly wanted: string
  /** A dash when nobody knows. */
  readonly present: string
}

interface ComparedField {
  readonly key: string
  readonly label: string
  /** Without the prefix of the display; absent for what no report carries. */
  readonly reading?: string
  readonly write: (value: unknown) => string
}

const numberText = (unit: string | undefined) => (value: unknown) =>
  typeof value === 'number' ? `${roundedForDisplay(value)}${unit ? ` ${unit}` : ''}` : UNKNOWN_TEXT

const FIELDS: Record<SettingSection['section'], readonly ComparedField[]> = {
  display: [
    ...DISPLAY_NUMBERS.map(({ key, label, reading, unit }) => ({ key, label, reading, write: numberText(unit) })),
    { key: 'touchScreenStatus', label: 'Touch screen', reading: 'touch_matrix_status', write: touchText },
  ],
  ambientSensor: [
    {
      key: 'backlightAutomaticStatus',
      label: 'Automatic backlight',
      reading: 'backlight_automatic_status',
      write: (value) => (value === true || value === 1 ? 'On' : 'Off'),
    },
    ...AMBIENT_NUMBERS.map(({ key, label, reading, unit }) => ({ key, label, reading, write: numberText(unit) })),
  ],
  turnOff: OFF_GROUPS.flatMap(({ name, from, to }) => [
    { key: from, label: `${name} from`, write: timeText },
    { key: to, label: `${name} to`, write: timeText },
  ]),
}

function touchText(value: unknown): string {
  if (value === 'ON' || value === 'OFF') return value === 'ON' ? 'Enabled' : 'Disabled'
  const isEnabled = isTouchEnabled(typeof value === 'string' ? value : undefined)
  if (isEnabled === undefined) return 'Unknown'
  return isEnabled ? 'Enabled' : 'Disabled'
}

function timeText(value: unknown): string {
  return typeof value === 'string' ? value : 'none'
}

/** What was asked for and what the device has, where the two differ. */
function differencesOf(
  section: SettingSection,
  asked: Readonly<Record<string, unknown>>,
  readings: Readings,
): readonly Difference[] {
  return FIELDS[section.section].flatMap(({ key, label, reading, write }) => {
    if (!(key in asked)) return []
    const present = settingOnDevice(
      key,
      reading ? readings.get(wireName('display', section.number, reading)) : undefined,
      section,
    )
    const wantedText = write(asked[key])
    const presentText = present === undefined ? UNKNOWN_TEXT : write(present)
    return wantedText === presentText ? [] : [{ label, wanted: wantedText, present: presentText }]
  })
}

export interface SectionDifferences {
  readonly reason: 'offline' | 'waiting' | 'refused' | 'changedOnDevice'
  readonly rows: readonly Difference[]
}

/** Why a section is not as an operator wanted it; absent when it is (issue: device area, 4). */
export function sectionDifferences(
  section: SettingSection | undefined,
  readings: Readings,
): SectionDifferences | undefined {
  if (!section) return undefined
  if (section.reason === 'offline' || section.reason === 'waiting') {
    return { reason: section.reason, rows: differencesOf(section, section.desired ?? {}, readings) }
  }
  if (section.refusal) return { reason: 'refused', rows: differencesOf(section, section.refusal.asked, readings) }
  // Sensor and off times move the backlight all day long: that it is elsewhere now says nothing.
  const { [BACKLIGHT.key]: _, ...lasting } = section.desired ?? {}
  const rows = differencesOf(section, lasting, readings)
  return rows.length > 0 ? { reason: 'changedOnDevice', rows } : undefined
}
