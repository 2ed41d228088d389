import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { messages } from '#console/lib/call/messages.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import type { Readings } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { isBacklightAutomatic } from '../section/settingValues.ts'
import { plannedByView } from './planOfView.ts'

interface Overrule {
  /** Undefined while it is unknown. */
  readonly isAutomatic: boolean | undefined
  /** What sets the backlight again; undefined where a level that is set by hand stays. */
  readonly note: string | undefined
  /** The message after a level was applied. */
  readonly applied: string
}

/** It says which rule sets the backlight of a display again, in the order in which they go over each other. */
export function useOverrule(display: DisplaySection, view: DeviceSettingsView, readings: Readings): Overrule {
  const minute = useOnTime((now) => now.toISOString().slice(0, 16))
  const isAutomatic = isBacklightAutomatic(readings, display, (sensor) => sectionOf(view, 'ambientSensor', sensor))
  const { rule } = plannedByView(view, new Date(`${minute}Z`))
  if (rule === 'offTimes') {
    return { isAutomatic, note: deviceMessages.backlightUndoneByOffTimes, applied: deviceMessages.appliedInOffTimes }
  }
  if (rule === 'dayPlan') {
    return { isAutomatic, note: deviceMessages.backlightUndoneByPlan, applied: deviceMessages.appliedUnderPlan }
  }
  if (isAutomatic) {
    return { isAutomatic, note: deviceMessages.backlightUndone, applied: deviceMessages.appliedUnderLight }
  }
  return { isAutomatic, note: undefined, applied: messages.applied }
}
