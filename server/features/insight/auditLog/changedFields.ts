import type { Call } from '#contract/call/call.ts'
import { CALLS } from '#contract/http/table.ts'
import { COMMANDS } from '#contract/mqtt/command.ts'
import { SETTINGS_SECTIONS, type SettingsSection } from '#contract/mqtt/settings.ts'

/** The words of the screens, where the name of a recorded field does not hold them. */
const WORDS: Readonly<Record<string, string>> = {
  backlightLevel: 'Backlight brightness',
  backlightAutomaticStatus: 'Automatic brightness',
  minBacklight: 'Minimum brightness',
  maxBacklight: 'Maximum brightness',
  brightness: 'Black level',
  valueDec: 'Threshold limit',
  valueText: 'Threshold limit',
  isOff: 'Switched off',
  components: 'Component models and serial numbers',
  feeds: 'Power and signal feeds',
}

const SECTION_WORDS: Readonly<Record<SettingsSection, string>> = {
  display: 'Display settings',
  ambientSensor: 'Ambient light sensor',
  turnOff: 'Turn display(s) off',
  dayPlan: 'Brightness by time, backlight by time',
  batteryTest: 'Battery test',
  dataBudget: 'Data budget',
}

const shapeOf = ({ body }: Call) => (body !== undefined && 'shape' in body ? Object.keys(body.shape as object) : [])

/** Changes are recorded by the names of what calls and commands are given. */
const FIELDS: readonly string[] = [
  ...new Set([
    ...Object.keys(WORDS),
    ...Object.values(COMMANDS).flatMap(({ shape }) => Object.keys(shape)),
    ...CALLS.filter(({ changes }) => changes !== undefined).flatMap(shapeOf),
  ]),
]

/** "Time zone" and `timeZone` are the same. */
const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

export interface ChangedFields {
  readonly fields: readonly string[]
  readonly sections: readonly SettingsSection[]
}

/** Finds the fields and the sections of settings that are called so, here or on the screens. */
export function changedFields(text: string): ChangedFields {
  const asked = folded(text)
  if (asked === '') return { fields: [], sections: [] }
  const isCalledSo = (...names: readonly string[]) => names.some((name) => folded(name).includes(asked))
  return {
    fields: FIELDS.filter((field) => isCalledSo(field, WORDS[field] ?? '')),
    sections: SETTINGS_SECTIONS.filter((section) => isCalledSo(section, SECTION_WORDS[section])),
  }
}
