import { DAY_PLAN_GROUPS, entriesLabel } from '#console/deviceParts/dayPlanLabels.ts'
import { withUnit } from '#console/ui/number/NumberSlider.tsx'
import type { TurnOffTimes } from '#contract/http/devices/setup.ts'
import type { CommandArguments } from '#contract/mqtt/command.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import { isDarkAllDay } from '#domain/displays/offTimes.ts'
import type { SettingValues } from '#domain/displays/presentSettings.ts'

export type DisplayChoice = Omit<CommandArguments<'display.apply'>, 'displayNumber'>
export type AmbientChoice = Partial<Omit<CommandArguments<'ambientSensor.apply'>, 'number'>>
export type OffTimesChoice = Partial<TurnOffTimes>
export type DayPlanChoice = Partial<DayPlan>

export interface BulkField {
  readonly name: string
  readonly shortName?: string
  readonly keys: readonly string[]
  readonly write: (values: SettingValues) => string | undefined
}

const numbered = (name: string, key: string, unit?: string): BulkField => ({
  name,
  keys: [key],
  write: ({ [key]: value }) => (typeof value === 'number' ? withUnit(value, unit) : undefined),
})

const offTimes = (group: string, from: keyof TurnOffTimes, to: keyof TurnOffTimes): BulkField => ({
  name: `off times of ${group}`,
  shortName: group,
  keys: [from, to],
  write: (values) => {
    if (!(from in values)) return undefined
    const [start, end] = [values[from], values[to]] as (string | null)[]
    if (!start || !end) return 'never off'
    return isDarkAllDay(start, end) ? `dark 24 h from ${start}` : `${start}–${end}`
  },
})

export const BULK_FIELDS = {
  display: [
    numbered('backlight', 'backlightLevel', '%'),
    numbered('brightness', 'brightness'),
    numbered('gamma', 'gammaValue'),
    numbered('red colour balance', 'redColorBalance'),
    numbered('green colour balance', 'greenColorBalance'),
    numbered('blue colour balance', 'blueColorBalance'),
    {
      name: 'touch screen',
      keys: ['touchScreenStatus'],
      write: ({ touchScreenStatus: status }) => (status === undefined ? undefined : status === 'ON' ? 'on' : 'off'),
    },
  ],
  ambientSensor: [
    {
      name: 'automatic backlight',
      keys: ['backlightAutomaticStatus'],
      write: ({ backlightAutomaticStatus: isOn }) => (isOn === undefined ? undefined : isOn ? 'on' : 'off'),
    },
    numbered('minimum backlight', 'minBacklight', '%'),
    numbered('maximum backlight', 'maxBacklight', '%'),
    numbered('minimum ambient light', 'minAmbientLight', 'lux'),
    numbered('maximum ambient light', 'maxAmbientLight', 'lux'),
  ],
  turnOff: [
    offTimes('workdays', 'wdTimeOffFrom', 'wdTimeOffTo'),
    offTimes('weekends', 'wkndTimeOffFrom', 'wkndTimeOffTo'),
    offTimes('holidays', 'holTimeOffFrom', 'holTimeOffTo'),
  ],
  dayPlan: DAY_PLAN_GROUPS.map(
    ({ key, name }): BulkField => ({
      name: `day plan of ${name.toLowerCase()}`,
      shortName: name.toLowerCase(),
      keys: [key],
      write: (values) => (key in values ? entriesLabel(values[key]) : undefined),
    }),
  ),
} as const satisfies Readonly<Record<string, readonly BulkField[]>>
