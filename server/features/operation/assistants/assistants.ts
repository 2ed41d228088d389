import type { Call } from '#contract/call/call.ts'
import { createMaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import { deleteDevice, setDeviceStatus } from '#contract/http/devices/details.ts'
import { consequenceOf, isSwitching, type SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { FeedChain } from '#domain/darkness/feedChain.ts'
import { CONSEQUENCES } from '#domain/devices/commandLabels.ts'
import { DEVICE_STATUS, deviceStatusName } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { createConfirmations } from '#server/http/mcp/confirmations.store.ts'

type Deps = Pick<Given, 'db' | 'addresses'> & ConsequenceParts

export const assistantsFeature = ({ db, addresses, ...parts }: Deps) => ({
  ownUrl: () => addresses().httpUrl,
  confirmations: createConfirmations(db),
  consequenceOf: (call: Call, input: Readonly<Record<string, unknown>>, caller: Caller) =>
    describeConsequence(parts, call, input, caller),
})

interface ConsequenceParts {
  /** Finds the power command of a call; undefined when it gives none. */
  readonly commandOf: (call: Call, query: object) => { readonly name: string; readonly args: object } | undefined
  readonly feedChainOf: (deviceId: DeviceId, scope: Scope) => Promise<FeedChain>
}

type Input = Readonly<Record<string, unknown>>

/** Describes to an assistant what a change would do: as the console's dialogs do, else as the call is described. */
async function describeConsequence(
  { commandOf, feedChainOf }: ConsequenceParts,
  call: Call,
  input: Input,
  caller: Caller,
): Promise<string> {
  const command = commandOf(call, input)
  if (command && (isSwitching(command) || command.name === 'ups.batteryTest')) {
    const chain = await feedChainOf(input.deviceId as DeviceId, scopeOf(caller))
    return `${call.summary} ${consequenceOf(chain, command as SwitchingCommand).sentence}`
  }
  const said = SAID.get(call)?.(input)
  return said ?? `${call.summary} ${LASTING[call.changes?.action ?? ''] ?? ''}`.trim()
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  [DEVICE_STATUS.deactivated]: CONSEQUENCES.deactivated,
  [DEVICE_STATUS.maintenance]: CONSEQUENCES.maintenance,
}

const SAID = new Map<Call, (input: Input) => string>([
  [deleteDevice, ({ id }) => `This deletes device ${id} ${CONSEQUENCES.deleted}`],
  [
    setDeviceStatus,
    ({ id, statusId }) =>
      `Set the status of device ${id} to ${deviceStatusName(Number(statusId))}. ${STATUS_WORDS[Number(statusId)] ?? ''}`.trim(),
  ],
  [createMaintenanceWindow, () => `${createMaintenanceWindow.summary} ${CONSEQUENCES.window}`],
])

const LASTING: Readonly<Record<string, string>> = {
  Delete: 'It cannot be taken back.',
  Command: 'It goes to the device at once, or when it connects again where the call says so.',
  Send: 'It is sent at once and cannot be called back.',
}
