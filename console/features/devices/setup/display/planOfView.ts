import { NEVER_OFF } from '#console/deviceParts/settings/offGroups.ts'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import { type DayPlan, type LightPlace, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import { type LightPlan, type PlannedLight, plannedLightAt } from '#domain/displays/plannedLight.ts'
import type { LightWithoutPlan } from '#domain/displays/resultingLight.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { isBacklightAutomatic } from '../section/settingValues.ts'

export const placeOf = ({ timeZone, position }: DeviceSettingsView): LightPlace => ({
  timeZone,
  position: position ?? undefined,
})

export const holidaysOf = ({ holidays }: DeviceSettingsView): ReadonlySet<string> =>
  new Set(holidays.map(({ date }) => date))

const wanted = (view: DeviceSettingsView, name: SettingsSection, number = 1) => {
  const section = sectionOf(view, name, number)
  return section?.desired ?? section?.reported ?? undefined
}

export const planOfView = (view: DeviceSettingsView): LightPlan & { offTimes: OffTimes; dayPlan: DayPlan } => ({
  offTimes: { ...NEVER_OFF, ...wanted(view, 'turnOff') },
  dayPlan: { ...NO_DAY_PLAN, ...wanted(view, 'dayPlan') },
})

export const plannedByView = (view: DeviceSettingsView, at: Date): PlannedLight =>
  plannedLightAt(planOfView(view), placeOf(view), holidaysOf(view), at)

/** While a plan holds, the reported level is the plan's, so only one that was set counts then. */
export function withoutPlanOf(
  view: DeviceSettingsView,
  readings: Readings,
  display: DisplaySection,
  now: Date,
): LightWithoutPlan {
  const isAutomatic = isBacklightAutomatic(readings, display, (sensor) => sectionOf(view, 'ambientSensor', sensor))
  const set = wanted(view, 'display', display.number)?.backlightLevel
  const isPlanned = plannedByView(view, now).rule !== 'none'
  const reported = isPlanned ? undefined : numberIn(readings, wireName('display', display.number, 'backlight_level'))
  return {
    isAutomatic: isAutomatic === true,
    backlightPercent: typeof set === 'number' ? set : (reported ?? null),
  }
}
