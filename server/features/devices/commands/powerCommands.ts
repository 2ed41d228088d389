import type { Call, ReadQueryOf } from '#contract/call/call.ts'
import * as calls from '#contract/http/devices/commands.ts'
import type { CommandArguments, CommandName } from '#contract/mqtt/command.ts'

/** A command as the device receives it (contract/mqtt/command.ts). */
export type PowerCommand = { readonly [Name in CommandName]: { name: Name; args: CommandArguments<Name> } }[CommandName]

export interface PowerCall<C extends Call = Call> {
  readonly call: C
  readonly commandOf: (query: ReadQueryOf<C>) => PowerCommand
}

const power = <C extends Call>(call: C, commandOf: (query: ReadQueryOf<C>) => PowerCommand) =>
  ({ call, commandOf }) as unknown as PowerCall<(typeof calls.POWER_CALLS)[number]>

/** Maps each power call to its command (rules/commands 7). */
export const POWER_COMMANDS = [
  power(calls.upsReboot, () => ({ name: 'ups.reboot', args: {} })),
  power(calls.upsShutdown, () => ({ name: 'ups.shutdown', args: {} })),
  power(calls.upsGroup1Reset, () => ({ name: 'ups.groupReset', args: { group: 1 } })),
  power(calls.upsGroup2Reset, () => ({ name: 'ups.groupReset', args: { group: 2 } })),
  power(calls.router1Reset, () => ({ name: 'router.reset', args: { number: 1 } })),
  power(calls.router2Reset, () => ({ name: 'router.reset', args: { number: 2 } })),
  power(calls.powerSwitch1TurnOn, () => ({ name: 'powerSwitch.set', args: { number: 1, on: true } })),
  power(calls.powerSwitch1TurnOff, () => ({ name: 'powerSwitch.set', args: { number: 1, on: false } })),
  power(calls.powerSwitch1Reset, () => ({ name: 'powerSwitch.reset', args: { number: 1 } })),
  power(calls.powerSwitch2TurnOn, () => ({ name: 'powerSwitch.set', args: { number: 2, on: true } })),
  power(calls.powerSwitch2TurnOff, () => ({ name: 'powerSwitch.set', args: { number: 2, on: false } })),
  power(calls.powerSwitch2Reset, () => ({ name: 'powerSwitch.reset', args: { number: 2 } })),
  power(calls.resetRouterWithRelay, ({ number }) => ({ name: 'routerRelay.reset', args: { number } })),
  power(calls.resetRouterWithRelayPort, ({ number }) => ({ name: 'routerRelay.portReset', args: { number } })),
  power(calls.setRouterWithRelayOnOff, ({ number, on }) => ({ name: 'routerRelay.set', args: { number, on } })),
  power(calls.resetNetworkRelay, ({ number, port }) => ({ name: 'relay.reset', args: { number, port } })),
  power(calls.setNetworkRelayOnOff, ({ number, port, on }) => ({ name: 'relay.set', args: { number, port, on } })),
  power(calls.upsBatteryTest, () => ({ name: 'ups.batteryTest', args: {} })),
  power(calls.restartComputer, () => ({ name: 'computer.reboot', args: {} })),
]
