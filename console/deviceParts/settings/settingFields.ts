import type { SettingsSection } from '#contract/mqtt/settings.ts'
import { isTouchEnabled } from '#domain/catalogue/displayRules.ts'
import { type DataBudget, dataBudgetLabel } from '#domain/dataBudget/dataUse.ts'
import { isSameValue } from '#domain/displays/presentSettings.ts'
import { roundedForDisplay, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type BatteryTestSchedule, batteryTestLabel } from '#domain/ups/batteryTest.ts'
import { DAY_PLAN_GROUPS, entriesLabel } from '../dayPlanLabels.ts'
import { OFF_GROUPS } from './offGroups.ts'
import { AMBIENT_NUMBERS, DISPLAY_NUMBERS } from './settingNumbers.ts'

export interface SettingField {
  readonly key: string
  readonly label: string
  /** The name has no prefix of the display; it is absent for a value that no report carries. */
  readonly reading?: string
  readonly write: (value: unknown) => string
}

const numberText = (unit: string | undefined) => (value: unknown) =>
  typeof value === 'number' ? `${roundedForDisplay(value)}${unit ? ` ${unit}` : ''}` : UNKNOWN_TEXT

/** Each section lists its values in the order and with the labels of its form. */
export const SETTING_FIELDS: Record<SettingsSection, readonly SettingField[]> = {
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
  batteryTest: [{ key: 'schedule', label: 'Test', write: scheduleText }],
  dataBudget: [{ key: 'budget', label: 'Budget', write: budgetText }],
  dayPlan: DAY_PLAN_GROUPS.map(({ key, name }) => ({ key, label: name, write: entriesLabel })),
}

function touchText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Enabled' : 'Disabled'
  if (value === 'ON' || value === 'OFF') return value === 'ON' ? 'Enabled' : 'Disabled'
  const isEnabled = isTouchEnabled(typeof value === 'string' ? value : undefined)
  if (isEnabled === undefined) return 'Unknown'
  return isEnabled ? 'Enabled' : 'Disabled'
}

function scheduleText(value: unknown): string {
  return batteryTestLabel((value ?? null) as BatteryTestSchedule | null)
}

function budgetText(value: unknown): string {
  return dataBudgetLabel((value ?? null) as DataBudget | null)
}

function timeText(value: unknown): string {
  return typeof value === 'string' ? value : 'none'
}

/** It returns the values in which two records of a section differ, in words; a value that neither names is left out. */
export function settingChanges(
  section: SettingsSection,
  from: Readonly<Record<string, unknown>> | null,
  to: Readonly<Record<string, unknown>> | null,
) {
  return SETTING_FIELDS[section].flatMap(({ key, label, write }) => {
    if (to?.[key] === undefined || isSameValue(from?.[key], to[key])) return []
    return [
      { key, label, before: from?.[key] === undefined ? UNKNOWN_TEXT : write(from[key]), after: write(to[key]), write },
    ]
  })
}
