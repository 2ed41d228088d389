import { SETTING_FIELDS } from '#console/deviceParts/settings/settingFields.ts'
import { BACKLIGHT } from '#console/deviceParts/settings/settingNumbers.ts'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import { settingOnDevice } from '#domain/displays/presentSettings.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type Readings, wireName } from '../read/readings.ts'

export interface Difference {
  readonly label: string
  readonly wanted: string
  /** It is a dash where the value is unknown. */
  readonly present: string
}

function differencesOf(
  section: SettingSection,
  asked: Readonly<Record<string, unknown>>,
  readings: Readings,
): readonly Difference[] {
  return SETTING_FIELDS[section.section].flatMap(({ key, label, reading, write }) => {
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

/** It returns why a section differs from the desired settings, or undefined if it does not. */
export function sectionDifferences(
  section: SettingSection | undefined,
  readings: Readings,
): SectionDifferences | undefined {
  if (!section) return undefined
  if (section.reason === 'offline' || section.reason === 'waiting') {
    return { reason: section.reason, rows: differencesOf(section, section.desired ?? {}, readings) }
  }
  if (section.refusal) return { reason: 'refused', rows: differencesOf(section, section.refusal.asked, readings) }
  // Sensor and off times move the backlight all day long, so a different present value says nothing.
  const { [BACKLIGHT.key]: _, ...lasting } = section.desired ?? {}
  const rows = differencesOf(section, lasting, readings)
  return rows.length > 0 ? { reason: 'changedOnDevice', rows } : undefined
}
