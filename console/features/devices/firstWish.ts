import { NEVER_OFF } from '#console/lib/offGroups.ts'
import { AMBIENT_NUMBERS, DISPLAY_NUMBERS, type NumberSetting } from '#console/lib/settingNumbers.ts'
import { COMMANDS } from '#contract/mqtt/command.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { type BulkKind, type BulkWish, type ComparedDevice, desiredArguments } from './bulkWish.ts'

const defaults = <Key extends string>(settings: readonly NumberSetting<Key>[]) =>
  Object.fromEntries(settings.map(({ key, default: byDefault }) => [key, byDefault])) as Record<Key, number>

/**
 * What the form starts with: the settings that all of the devices share, so that one value can be changed and the rest
 * stays; else the defaults (P1 §9).
 */
export function firstWish(kind: BulkKind, devices: readonly ComparedDevice[]): BulkWish {
  if (kind === 'status') return { kind, statusId: DEVICE_STATUS.active }
  const desired = sharedArguments(kind, devices)
  if (kind === 'display') {
    const shared = COMMANDS['display.apply'].safeParse(desired)
    return { kind, args: shared.success ? shared.data : { displayNumber: 1, ...defaults(DISPLAY_NUMBERS) } }
  }
  if (kind === 'ambientSensor') {
    const shared = COMMANDS['ambientSensor.apply'].safeParse(desired)
    const args = { number: 1, backlightAutomaticStatus: true, ...defaults(AMBIENT_NUMBERS) }
    return { kind, args: shared.success ? shared.data : args }
  }
  const shared = COMMANDS['turnOff.apply'].safeParse(desired)
  return { kind, args: shared.success ? shared.data : NEVER_OFF }
}

function sharedArguments(kind: Exclude<BulkKind, 'status'>, devices: readonly ComparedDevice[]) {
  const [first, ...others] = devices.map((device) => desiredArguments(device, kind, 1))
  const isShared = first && others.every((other) => other && isSame(first, other))
  return isShared ? first : undefined
}

function isSame(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].every((key) => one[key] === other[key])
}
