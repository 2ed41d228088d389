import { NEVER_OFF } from '#console/deviceParts/settings/offGroups.ts'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import { type LightPlace, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import { type PlannedLight, plannedLightAt } from '#domain/displays/plannedLight.ts'
import { sectionOf } from '../read/useSetup.ts'

export const placeOf = ({ timeZone, position }: DeviceSettingsView): LightPlace => ({
  timeZone,
  position: position ?? undefined,
})

export const holidaysOf = ({ holidays }: DeviceSettingsView): ReadonlySet<string> =>
  new Set(holidays.map(({ date }) => date))

const wanted = (view: DeviceSettingsView, name: SettingsSection) => {
  const section = sectionOf(view, name, 1)
  return section?.desired ?? section?.reported ?? undefined
}

export const offTimesOf = (view: DeviceSettingsView): OffTimes => ({ ...NEVER_OFF, ...wanted(view, 'turnOff') })

export const plannedByView = (view: DeviceSettingsView, at: Date): PlannedLight =>
  plannedLightAt(
    { offTimes: offTimesOf(view), dayPlan: { ...NO_DAY_PLAN, ...wanted(view, 'dayPlan') } },
    placeOf(view),
    holidaysOf(view),
    at,
  )
