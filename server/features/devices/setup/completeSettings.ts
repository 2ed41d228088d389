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

/** A display or sensor as the device reports it, or as it confirmed since; what is not known is absent. */
export function presentOf(known: KnownDevice, section: ReportedSection, number: number): SettingValues {
  const readings = known.readings.get(number)
  return presentSettings(section, (name) => readings?.get(name), rowOf(known, section, number))
}

/** Off times that the device confirmed last; nothing while it has not. */
export const presentOffTimes = (known: KnownDevice): SettingValues => rowOf(known, 'turnOff', 1)?.reported ?? {}

/** The same of its day plan; whom nobody ever gave one has none. */
export function presentDayPlan(known: KnownDevice): SettingValues {
  const row = rowOf(known, 'dayPlan', 1)
  return row ? (row.reported ?? {}) : { ...NO_DAY_PLAN }
}

/** Whether the light sets the backlight of this display; undefined while nobody knows. */
export function isAutomatic(known: KnownDevice, displayNumber: number): boolean | undefined {
  const sensor = sensorOfDisplays(known.components).get(displayNumber)
  if (sensor === undefined) return undefined
  return presentOf(known, 'ambientSensor', sensor).backlightAutomaticStatus as boolean | undefined
}

/**
 * The whole wish that a call stands for. What is still on its way to the device stays wanted; everything else that was
 * not named is as the device reports it.
 *
 * @throws CallError `invalid_request` where it cannot be made whole; `settings_changed` where somebody else has set other
 *   values since the author read them
 */
export function completeSettings(asked: RequestedSection, known: KnownDevice): CompleteSection {
  const { deviceId, section, chosen } = asked
  if (Object.keys(chosen).length === 0) throw new CallError('invalid_request', 'Nothing to set: no setting is named.')
  const { number, unchanged } = unchangedOf(asked, known)
  const row = rowOf(known, section, number)
  refuseOvertaken(asked, row)
  // Nothing reports them, so what is wanted is what there is.
  const isReported = section === 'display' || section === 'ambientSensor'
  const onItsWay = row?.differs || !isReported ? row?.desired : undefined
  const args = { ...unchanged, ...onItsWay, ...chosen }
  if (section === 'ambientSensor') refuseNoCurve(args)
  if (section === 'batteryTest' && chosen.schedule !== null) refuseWithoutUps(known)
  refuseOlderClient(asked, known)
  if (section === 'dayPlan') refuseNotCarriedOut(args as unknown as DayPlan, known)
  // The contract has checked what was named, and only what fits was added.
  return { deviceId, section, number, args, desired: { ...row?.desired, ...args } } as CompleteSection
}

/** Two who look at the same form: the second is told, and decides with both values before them. */
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

/** A level that is reported may be the plan's, not the one that was set. */
const hasDayPlan = (known: KnownDevice): boolean => {
  const row = rowOf(known, 'dayPlan', 1)
  return [row?.desired, row?.reported].some((plan) => plan && isPlanned({ ...NO_DAY_PLAN, ...plan }))
}

/** @throws CallError `invalid_request` for a number that the device does not have, or one of several that is left out */
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

/** A device may report what its own command does not take. */
function fitting(section: ReportedSection, values: SettingValues): SettingValues {
  const shape: Readonly<Record<string, z.ZodType>> = COMMANDS[`${section}.apply`].shape
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => shape[key]?.safeParse(value).success))
}

/** A sensor is set as a whole: no minimum exceeds its maximum, and what nobody knows is not made up. */
function refuseNoCurve(args: SettingValues): void {
  const error = ambientCurveError(args as Partial<AmbientCurve>)
  if (error !== undefined) throw new CallError('invalid_request', error)
  const missing = Object.keys(COMMANDS['ambientSensor.apply'].shape).filter((key) => args[key] === undefined)
  if (missing.length === 0) return
  const sentences = missing.map((key) => required(`d${key.charAt(0).toUpperCase()}${key.slice(1)}`)).join('; ')
  const them = missing.length === 1 ? 'it' : 'them'
  throw new CallError('invalid_request', `${sentences}: the device has never reported ${them}`)
}

/** Before anything is sent: a plan that nobody would follow. Taking one back needs nothing to be known. */
function refuseNotCarriedOut(plan: DayPlan, known: KnownDevice): void {
  const error = dayPlanError(plan)
  if (error !== undefined) throw new CallError('invalid_request', error)
  const refusal = dayPlanRefusal(plan, known)
  if (refusal) throw new CallError(refusal.code, refusal.sentence)
}

/** What a client that is too old would leave unanswered; taking it back is no matter. */
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
