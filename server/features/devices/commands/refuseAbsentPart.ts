import { CATEGORY } from '#domain/components/componentFields.ts'
import { type FittedDevice, fittedLabel, fittedNumbers, type PartKind } from '#domain/components/fittedParts.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { PowerCommand } from './powerCommands.ts'

export interface CommandedDevice extends FittedDevice {
  readonly components: readonly {
    readonly componentModelId: number
    readonly categoryId: number
    readonly number: number
    readonly optionPort1: string
    readonly optionPort2: string
  }[]
}

/**
 * Refuses a command for a part that the device does not have. The server knows its components, and an offline device
 * could not refuse.
 * @throws CallError `invalid_request` with what the device has instead
 */
export function refuseAbsentPart(command: PowerCommand, device: CommandedDevice): void {
  const { name, args } = command
  if (name === 'driver.test') refuseUnreportedPart(args.part, device)
  // The number of these parts is in the name of the call, so no parameter can be named.
  if (name.startsWith('ups.')) refuseUnless(device, 'ups', 1)
  if (name === 'router.reset') refuseUnless(device, 'networkSwitch', args.number)
  if (name === 'powerSwitch.set' || name === 'powerSwitch.reset') refuseUnless(device, 'powerSwitch', args.number)
  if (name === 'routerRelay.set' || name === 'routerRelay.reset' || name === 'routerRelay.portReset') {
    refuseUnless(device, 'router', args.number, 'number')
  }
  if (name === 'relay.set' || name === 'relay.reset') refuseUnless(device, 'relay', args.number, 'number')
  if (name === 'relay.set') refuseResetOnlyPort(args, device)
}

/** @param parameter carries the number, where the name of the call does not */
function refuseUnless(device: FittedDevice, kind: PartKind, number: number, parameter?: 'number'): void {
  if (fittedNumbers(device, kind).includes(number)) return
  const words = fittedLabel(device, kind)
  const sentence = parameter ? `${notValid(parameter)}: ${words}` : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  throw new CallError('invalid_request', sentence)
}

/** Refuses to switch a port in mode RESET, because it feeds something that must not stay off (rules/commands 9). */
function refuseResetOnlyPort(
  { number, port }: { number: number; port: number },
  { components }: CommandedDevice,
): void {
  const relay = components.find((one) => one.categoryId === CATEGORY.networkRelay && one.number === number)
  const mode = port === 1 ? relay?.optionPort1 : relay?.optionPort2
  if (mode !== 'RESET') return
  throw new CallError('invalid_request', `${notValid('port')}: port ${port} of relay ${number} can only be reset`)
}

function refuseUnreportedPart(part: string, { modelId, components }: CommandedDevice): void {
  if (reportedComponents(modelId, components).some((one) => partKey(one) === part)) return
  throw new CallError('invalid_request', `${notValid('part')}: this device has no ${part}`)
}
