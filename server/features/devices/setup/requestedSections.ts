import type { ReadBodyOf } from '#contract/call/call.ts'
import {
  type applyAmbientSensorSettings,
  type applyBatteryTestSettings,
  type applyDataBudgetSettings,
  type applyDayPlanSettings,
  type applyDisplaySettings,
  type applyTurnDisplayOffSettings,
  type TurnOffTimes,
  turnOffTimes,
} from '#contract/http/devices/setup.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { SettingValues } from '#domain/displays/presentSettings.ts'
import type { DeviceId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

/** A requested change of one section of a device. Only what it names is changed. */
export interface RequestedSection {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  /** Undefined means the only one that the device has. */
  readonly number: number | undefined
  readonly chosen: SettingValues
  /** The moment when the section was last set, as the author read it; undefined replaces it unconditionally. */
  readonly basedOn: string | null | undefined
}

export function displayRequested(body: ReadBodyOf<typeof applyDisplaySettings>): RequestedSection {
  const chosen = named({
    brightness: body.dBrightness,
    touchScreenStatus: body.dTouchScreenStatus,
    backlightLevel: body.dBacklightLevel,
    gammaValue: body.dGammaValue,
    redColorBalance: body.dRedColorBalance,
    greenColorBalance: body.dGreenColorBalance,
    blueColorBalance: body.dBlueColorBalance,
  })
  return { deviceId: body.deviceId, section: 'display', number: body.displayNumber, chosen, basedOn: body.basedOn }
}

export function ambientRequested(body: ReadBodyOf<typeof applyAmbientSensorSettings>): RequestedSection {
  const status = body.dBacklightAutomaticStatus
  const chosen = named({
    backlightAutomaticStatus: status === undefined ? undefined : Boolean(status),
    minBacklight: body.dMinBacklight,
    maxBacklight: body.dMaxBacklight,
    minAmbientLight: body.dMinAmbientLight,
    maxAmbientLight: body.dMaxAmbientLight,
  })
  return { deviceId: body.deviceId, section: 'ambientSensor', number: body.number, chosen, basedOn: body.basedOn }
}

/** @throws CallError when a group has one time and not the other (rules/setup 9) */
export function turnOffRequested(body: ReadBodyOf<typeof applyTurnDisplayOffSettings>): RequestedSection {
  const { deviceId, leaveOthers = false, basedOn } = body
  const times: Partial<Record<keyof TurnOffTimes, string | null>> = {}
  for (const group of ['wd', 'wknd', 'hol'] as const) {
    const [from, to] = [`${group}TimeOffFrom`, `${group}TimeOffTo`] as const
    if (leaveOthers && body[from] === undefined && body[to] === undefined) continue
    times[from] = body[from] ?? null
    times[to] = body[to] ?? null
    if ((times[from] === null) !== (times[to] === null)) {
      throw new CallError('invalid_request', required(times[from] === null ? from : to))
    }
  }
  return { deviceId, section: 'turnOff', number: 1, chosen: times, basedOn }
}

export function dayPlanRequested(body: ReadBodyOf<typeof applyDayPlanSettings>): RequestedSection {
  const { deviceId, workdays, weekends, holidays, basedOn } = body
  return { deviceId, section: 'dayPlan', number: 1, chosen: named({ workdays, weekends, holidays }), basedOn }
}

export function batteryTestRequested(body: ReadBodyOf<typeof applyBatteryTestSettings>): RequestedSection {
  const { deviceId, schedule, basedOn } = body
  return { deviceId, section: 'batteryTest', number: 1, chosen: { schedule }, basedOn }
}

export function dataBudgetRequested(body: ReadBodyOf<typeof applyDataBudgetSettings>): RequestedSection {
  const { deviceId, budget, basedOn } = body
  return { deviceId, section: 'dataBudget', number: 1, chosen: { budget }, basedOn }
}

const named = (values: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export const NEVER_OFF: TurnOffTimes = Object.fromEntries(
  Object.keys(turnOffTimes.shape).map((time) => [time, null]),
) as TurnOffTimes
