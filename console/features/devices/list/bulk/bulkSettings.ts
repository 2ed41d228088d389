import type { AnswerOf } from '#contract/call/call.ts'
import type { compareDeviceSettings } from '#contract/http/devices/setup.ts'
import { DEVICE_STATUS, type DeviceStatusId, deviceStatusName } from '#domain/devices/status.ts'
import { changedTags, MOST_TAGS } from '#domain/devices/tags.ts'
import { type AmbientCurve, ambientCurveError } from '#domain/displays/ambientCurve.ts'
import { dayPlanRefusal, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import { isSameValue, type SettingValues } from '#domain/displays/presentSettings.ts'
import { tooManyTags } from '#domain/validation/messages.ts'
import {
  type AmbientChoice,
  BULK_FIELDS,
  type BulkField,
  type DayPlanChoice,
  type DisplayChoice,
  type OffTimesChoice,
} from './bulkSections.ts'

export type WhichOnes = 'all' | number

/** Whatever can be set on one device can be set on every selected device. */
export type BulkChange =
  | { readonly kind: 'addTags' | 'removeTags'; readonly tags: readonly string[] }
  | { readonly kind: 'status'; readonly statusId: DeviceStatusId | undefined }
  | { readonly kind: 'display'; readonly which: WhichOnes; readonly chosen: DisplayChoice }
  | { readonly kind: 'ambientSensor'; readonly which: WhichOnes; readonly chosen: AmbientChoice }
  | { readonly kind: 'turnOff'; readonly chosen: OffTimesChoice }
  | { readonly kind: 'dayPlan'; readonly chosen: DayPlanChoice }
export type BulkKind = BulkChange['kind']
export type TagsChange = Extract<BulkChange, { readonly tags: unknown }>
export type SettingsChange = Exclude<BulkChange, TagsChange | { readonly kind: 'status' }>
export type SettingsKind = SettingsChange['kind']

export type ComparedDevice = AnswerOf<typeof compareDeviceSettings>[number]

export interface Comparison {
  readonly device: ComparedDevice
  /** `leftOut` means that the device cannot have it and is not asked. */
  readonly verdict: 'differs' | 'same' | 'leftOut'
  readonly numbers: readonly number[]
  readonly changes: readonly string[]
  /** It words the present and the future value, or why the device is left out. */
  readonly words: readonly string[]
  readonly isUndoneByLight: boolean
}

export function compared(change: BulkChange, device: ComparedDevice): Comparison {
  const base = { device, numbers: [1], changes: [], isUndoneByLight: false }
  if (change.kind === 'status') {
    const words = [deviceStatusName(device.statusId)]
    if (device.statusId === change.statusId) return { ...base, verdict: 'same', words }
    return { ...base, verdict: 'differs', changes: ['status'], words }
  }
  if ('tags' in change) return comparedTags(change, device, base)
  const leftOut = (why: string): Comparison => ({ ...base, verdict: 'leftOut', numbers: [], words: [why] })
  if (device.statusId === DEVICE_STATUS.deactivated) return leftOut('Deactivated: it takes no settings.')
  const parts = partsOf(change, device)
  if (parts.length === 0) return leftOut(ABSENT[change.kind])
  const refused = parts.map((part) => refusalOf(change, part, device)).find((refusal) => refusal !== undefined)
  if (refused !== undefined) return leftOut(refused)

  const changing = parts.filter(({ changes }) => changes.length > 0)
  const numbers = (changing.length > 0 ? changing : parts).map(({ number }) => number)
  return {
    device,
    verdict: changing.length > 0 ? 'differs' : 'same',
    numbers,
    changes: [...new Set(changing.flatMap(({ changes }) => changes))],
    words: parts.map(({ number, words }) =>
      parts.length > 1 ? `${PART_NAMES[change.kind]} ${number}: ${words}` : words,
    ),
    isUndoneByLight:
      change.kind === 'display' &&
      (change.chosen.backlightLevel ?? undefined) !== undefined &&
      numbers.some((number) => device.automaticDisplays.includes(number)),
  }
}

export const tagChangeOf = ({ kind, tags }: TagsChange) =>
  kind === 'addTags' ? { add: [...tags] } : { remove: [...tags] }

function comparedTags(
  change: TagsChange,
  device: ComparedDevice,
  base: Pick<Comparison, 'device' | 'numbers' | 'changes' | 'isUndoneByLight'>,
): Comparison {
  const write = (tags: readonly string[]) => (tags.length === 0 ? 'no tags' : tags.join(' · '))
  const after = changedTags(device.tags, tagChangeOf(change))
  if (after.length > MOST_TAGS) {
    return { ...base, verdict: 'leftOut', numbers: [], words: [tooManyTags('Tags', MOST_TAGS, after.length)] }
  }
  if (after.join() === device.tags.join()) return { ...base, verdict: 'same', words: [write(device.tags)] }
  return { ...base, verdict: 'differs', changes: ['tags'], words: [`${write(device.tags)} → ${write(after)}`] }
}

const ABSENT: Readonly<Record<SettingsKind, string>> = {
  display: 'It has no such display.',
  ambientSensor: 'It has no such ambient sensor.',
  turnOff: 'It has no display.',
  dayPlan: 'It has no display.',
}
export const PART_NAMES: Readonly<Record<SettingsKind, string>> = {
  display: 'Display',
  ambientSensor: 'Sensor',
  turnOff: 'Display',
  dayPlan: 'Display',
}

interface Part {
  readonly number: number
  /** The device reports these values; an unknown one is absent. */
  readonly present: SettingValues
  readonly onItsWay: SettingValues
  readonly changes: readonly string[]
  readonly words: string
}

function partsOf(change: SettingsChange, { present, sections, displayNumbers }: ComparedDevice): readonly Part[] {
  if (isOfWholeDevice(change) && displayNumbers.length === 0) return []
  return present
    .filter(({ section, number }) => section === change.kind && isMeant(change, number))
    .map(({ number, values }) => {
      const row = sections.find((one) => one.section === change.kind && one.number === number)
      const isPending = row?.reason === 'offline' || row?.reason === 'waiting'
      const onItsWay = (isPending && row?.desired) || {}
      const part = { number, present: values, onItsWay }
      return { ...part, ...judged(change, part) }
    })
}

export const isMeant = (change: SettingsChange, number: number) =>
  isOfWholeDevice(change) || change.which === 'all' || change.which === number

const isOfWholeDevice = (
  change: SettingsChange,
): change is Extract<SettingsChange, { readonly kind: 'turnOff' | 'dayPlan' }> =>
  change.kind === 'turnOff' || change.kind === 'dayPlan'

function judged({ kind, chosen }: SettingsChange, { present, onItsWay }: Pick<Part, 'present' | 'onItsWay'>) {
  const fields: readonly BulkField[] = BULK_FIELDS[kind]
  const isChosen = ({ keys }: BulkField) => keys.some((key) => (chosen as SettingValues)[key] !== undefined)
  const about = fields.filter(isChosen)
  const changes: string[] = []
  const words = about.map(({ name, shortName = name, keys, write }) => {
    const differsFrom = (values: SettingValues) =>
      keys.some((key) => key in values && !isSameValue(values[key], (chosen as SettingValues)[key]))
    const isKnown = keys.every((key) => key in present)
    const becomes = write(chosen)
    if (!isKnown || differsFrom(present) || differsFrom(onItsWay)) {
      changes.push(name)
      const now = differsFrom(onItsWay) ? `${write(onItsWay)} on its way` : (write(present) ?? 'not known')
      return `${shortName} ${now} → ${becomes}`
    }
    return `${shortName} ${becomes}`
  })
  if (about.length > 0) return { changes, words: words.join(' · ') }
  const all = fields.map(({ name, shortName = name, write }) => `${shortName} ${write(present) ?? 'not known'}`)
  return { changes, words: all.join(' · ') }
}

/** It returns what the device would surely refuse: a sensor is set as a whole, and its curve must be valid. */
function refusalOf(
  { kind, chosen }: SettingsChange,
  { present, onItsWay }: Part,
  device: ComparedDevice,
): string | undefined {
  if (kind === 'dayPlan')
    return dayPlanRefusal({ ...NO_DAY_PLAN, ...present, ...onItsWay, ...chosen }, device)?.sentence
  if (kind !== 'ambientSensor' || Object.keys(chosen).length === 0) return undefined
  const whole = { ...present, ...onItsWay, ...chosen }
  const error = ambientCurveError(whole as Partial<AmbientCurve>)
  if (error !== undefined) return error
  const missing = BULK_FIELDS.ambientSensor.filter(({ keys }) => keys.some((key) => !(key in whole)))
  if (missing.length === 0) return undefined
  return `It has never reported ${missing.map(({ name }) => name).join(', ')}. Choose that as well.`
}

export const isNothingChosen = (change: BulkChange): boolean =>
  'tags' in change
    ? change.tags.length === 0
    : change.kind === 'status'
      ? change.statusId === undefined
      : Object.keys(change.chosen).length === 0
