import type { z } from 'zod'
import { COMMANDS } from '#contract/mqtt/command.ts'
import { fittedLabel, fittedNumbers } from '#domain/components/fittedParts.ts'
import { sensorOfDisplays } from '#domain/components/sensorOfDisplays.ts'
import { type AmbientCurve, ambientCurveError } from '#domain/displays/ambientCurve.ts'
import { type DayPlan, dayPlanError, dayPlanRefusal, isPlanned, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import {
  isSameValue,
  keptDisplaySettings,
  presentSettings,
  type ReportedSection,
  SETTING_READINGS,
  type SettingValues,
} from '#domain/displays/presentSettings.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { CompleteSection, KnownDevice, SettingRow } from './knownDevice.ts'
import { NEVER_OFF, type RequestedSection } from './requestedSections.ts'

const rowOf = ({ rows }: KnownDevice, section: SettingRow['section'], number: number) =>
  rows.find((row) => row.section === section && row.number === number)

/** Reads what a display or sensor has, as the device reported or confirmed it. Unknown values are left out. */
export function presentOf(known: KnownDevice, section: ReportedSection, number: number): SettingValues {
  const readings = known.readings.get(number)
  return presentSettings(section, (name) => readings?.get(name), rowOf(known, section, number))
}

/** The off times that the device confirmed last; empty before it confirmed any. */
export const presentOffTimes = (known: KnownDevice): SettingValues => rowOf(known, 'turnOff', 1)?.reported ?? {}

/** The day plan that the device confirmed last; a device that was never given one has none. */
export function presentDayPlan(known: KnownDevice): SettingValues {
  const row = rowOf(known, 'dayPlan', 1)
  return row ? (row.reported ?? {}) : { ...NO_DAY_PLAN }
}

/** Tells whether a sensor sets the backlight of this display; undefined while that is unknown. */
export function isAutomatic(known: KnownDevice, displayNumber: number): boolean | undefined {
  const sensor = sensorOfDisplays(known.components).get(displayNumber)
  if (sensor === undefined) return undefined
  return presentOf(known, 'ambientSensor', sensor).backlightAutomaticStatus as boolean | undefined
}

/**
 * Completes a call to the desired settings of the whole section. What is still on its way to the device stays desired;
 * everything else that was not named is as the device reports it.
 * @throws CallError `invalid_request` when a value is unknown, `settings_changed` when somebody else has set other
 * values since the author read them
 */
export function completeSettings(asked: RequestedSection, known: KnownDevice): CompleteSection {
  const { deviceId, section, chosen } = asked
  if (Object.keys(chosen).length === 0) throw new CallError('invalid_request', 'Nothing to set: no setting is named.')
  const { number, unchanged } = unchangedOf(asked, known)
  const row = rowOf(known, section, number)
  refuseOvertaken(asked, row)
  // Devices do not report these sections, so the desired settings are the only source.
  const isReported = section === 'display' || section === 'ambientSensor'
  const onItsWay = row?.differs || !isReported ? row?.desired : undefined
  const args = { ...unchanged, ...onItsWay, ...chosen }
  if (section === 'ambientSensor') refuseNoCurve(args)
  if (section === 'batteryTest' && chosen.schedule !== null) refuseWithoutUps(known)
  refuseOlderClient(asked, known)
  if (section === 'dayPlan') refuseNotCarriedOut(args as unknown as DayPlan, known)
  // The contract has checked the named values, and only fitting ones were added.
  return { deviceId, section, number, args, desired: { ...row?.desired, ...args } } as CompleteSection
}

/** Refuses a change when somebody else has set other values since the author read them, and shows both. */
function refuseOvertaken({ basedOn, chosen }: RequestedSection, row: SettingRow | undefined): void {
  if (basedOn === undefined) return
  const seenAtMs = basedOn === null ? undefined : Date.parse(basedOn)
  if (row?.desiredAt?.getTime() === seenAtMs) return
  const isSameAnyway = Object.entries(chosen).every(([key, value]) => isSameValue(row?.desired?.[key], value))
  if (isSameAnyway) return
  const who = row?.desiredBy
  throw new CallError(
    'settings_changed',
    ...(who ? [`${who} has set this meanwhile. Nothing of yours was sent: see both, and apply again.`] : []),
  )
}

function unchangedOf({ section, number: asked }: RequestedSection, known: KnownDevice) {
  if (section === 'turnOff') return { number: 1, unchanged: NEVER_OFF }
  if (section === 'dayPlan') return { number: 1, unchanged: { ...NO_DAY_PLAN } }
  if (section === 'batteryTest' || section === 'dataBudget') return { number: 1, unchanged: {} }
  if (section === 'display') {
    const number = fittedNumber(asked, known, section)
    const wished = rowOf(known, section, number)?.desired ?? {}
    const kept = keptDisplaySettings(presentOf(known, section, number), wished, {
      isSteered: isAutomatic(known, number) === true || hasDayPlan(known),
      isDark: known.readings.get(number)?.get(SETTING_READINGS.display.backlightLevel)?.value === 0,
    })
    return { number, unchanged: { ...fitting(section, kept), displayNumber: number } }
  }
  const number = fittedNumber(asked, known, 'ambientSensor')
  const wished = rowOf(known, 'ambientSensor', number)?.desired ?? {}
  return {
    number,
    unchanged: { ...wished, ...fitting('ambientSensor', presentOf(known, 'ambientSensor', number)), number },
  }
}

/** Under a day plan, a reported level may be the plan's instead of the one that was set. */
const hasDayPlan = (known: KnownDevice): boolean => {
  const row = rowOf(known, 'dayPlan', 1)
  return [row?.desired, row?.reported].some((plan) => plan && isPlanned({ ...NO_DAY_PLAN, ...plan }))
}

/** @throws CallError `invalid_request` for an absent number, or a missing one where there are several */
function fittedNumber(asked: number | undefined, known: KnownDevice, section: ReportedSection): number {
  const numbers = fittedNumbers(known, section)
  const number = asked ?? (numbers.length === 1 ? numbers[0] : undefined)
  if (number !== undefined && numbers.includes(number)) return number
  const parameter = section === 'display' ? 'displayNumber' : 'number'
  const sentence = asked === undefined ? required(parameter) : notValid(parameter)
  throw new CallError('invalid_request', `${sentence}: ${fittedLabel(known, section)}`)
}

function refuseWithoutUps(known: KnownDevice): void {
  if (fittedNumbers(known, 'ups').length > 0) return
  throw new CallError('invalid_request', `${notValid('schedule')}: ${fittedLabel(known, 'ups')}`)
}

/** Leaves out reported values that the device's own command would not accept. */
function fitting(section: ReportedSection, values: SettingValues): SettingValues {
  const shape: Readonly<Record<string, z.ZodType>> = COMMANDS[`${section}.apply`].shape
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => shape[key]?.safeParse(value).success))
}

/** A sensor is set as a whole: no minimum may exceed its maximum, and unknown values must not be invented. */
function refuseNoCurve(args: SettingValues): void {
  const error = ambientCurveError(args as Partial<AmbientCurve>)
  if (error !== undefined) throw new CallError('invalid_request', error)
  const missing = Object.keys(COMMANDS['ambientSensor.apply'].shape).filter((key) => args[key] === undefined)
  if (missing.length === 0) return
  const sentences = missing.map((key) => required(`d${key.charAt(0).toUpperCase()}${key.slice(1)}`)).join('; ')
  const them = missing.length === 1 ? 'it' : 'them'
  throw new CallError('invalid_request', `${sentences}: the device has never reported ${them}`)
}

/** Refuses a plan that the device would not follow, before anything is sent. Removing a plan is always possible. */
function refuseNotCarriedOut(plan: DayPlan, known: KnownDevice): void {
  const error = dayPlanError(plan)
  if (error !== undefined) throw new CallError('invalid_request', error)
  const refusal = dayPlanRefusal(plan, known)
  if (refusal) throw new CallError(refusal.code, refusal.sentence)
}

/** Refuses what an old client would not answer. Removing it is always possible. */
function refuseOlderClient(
  { section, chosen }: RequestedSection,
  { knowsBatteryTests, knowsDataBudgets }: KnownDevice,
): void {
  const refuse = (what: string) => {
    const sentence = `The client of this device does not know ${what}. Update the client first; nothing was sent.`
    throw new CallError('client_too_old', sentence)
  }
  if (section === 'batteryTest' && chosen.schedule !== null && knowsBatteryTests === false) refuse('battery tests')
  if (section === 'dataBudget' && chosen.budget !== null && knowsDataBudgets === false) refuse('data budgets')
}
