import { keyOf, type SwitchingCommand } from './consequence.ts'
import { type FeedChain, type FeedPart, type PartKey, partOf, supplyOf } from './feedChain.ts'

/** Takes power, or the network, away for a moment. */
export type ResetCommand = Extract<
  SwitchingCommand,
  {
    readonly name:
      | 'ups.reboot'
      | 'ups.groupReset'
      | 'powerSwitch.reset'
      | 'relay.reset'
      | 'routerRelay.reset'
      | 'router.reset'
  }
>

/** Returns the command that interrupts the power, or the network, of a part; undefined if there is none. */
export function resetCommandOf({ kind, number, port }: FeedPart): ResetCommand | undefined {
  switch (kind) {
    case 'ups':
      return { name: 'ups.reboot', args: {} }
    case 'upsGroup':
      return { name: 'ups.groupReset', args: { group: number } }
    case 'powerSwitch':
      return { name: 'powerSwitch.reset', args: { number } }
    case 'relayPort':
      return port === undefined ? undefined : { name: 'relay.reset', args: { number, port } }
    case 'router':
      return { name: 'routerRelay.reset', args: { number } }
    case 'networkSwitch':
      return { name: 'router.reset', args: { number } }
    default:
      return undefined
  }
}

/** The client itself restarts the computer that it runs on. */
export type RebootCommand = Extract<SwitchingCommand, { readonly name: 'computer.reboot' }>

export interface Restart<Command = ResetCommand> {
  readonly target: FeedPart
  /** The part to reset, which feeds the target or is the target. */
  readonly part: FeedPart
  readonly command: Command
}

/** Returns every way to restart a computer, the gentlest first: the client's own restart takes nothing else down. */
export function restartsOf(chain: FeedChain, key: PartKey): readonly Restart<ResetCommand | RebootCommand>[] {
  const target = partOf(chain, key)
  const byPower = restartOf(chain, key)
  return [
    ...(target?.kind === 'computer'
      ? [{ target, part: target, command: { name: 'computer.reboot', args: {} } as const }]
      : []),
    ...(byPower ? [byPower] : []),
  ]
}

/**
 * Returns the gentlest power cycle of a part: a reset of the nearest feeder that can be reset. Whatever is further up
 * feeds that as well, so it takes at least as much down.
 *
 * @returns undefined if no feeder can be reset remotely
 */
export function restartOf(chain: FeedChain, key: PartKey): Restart | undefined {
  const target = partOf(chain, key)
  const part = supplyOf(chain, key).find((feeder) => resetCommandOf(feeder) !== undefined)
  const command = part && resetCommandOf(part)
  return target && part && command && { target, part, command }
}

/** Names the control on the Setup tab for a command: a toggle by its part, a button also by its action. */
export const controlOf = (command: SwitchingCommand): string =>
  'on' in command.args ? keyOf(command) : `${keyOf(command)}/${command.name.split('.')[1]}`
