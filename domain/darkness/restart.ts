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

/** The command that takes the power, or the network, of a part away for a moment; undefined where none does. */
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

/** Of the computer that the client runs on, by the client itself. */
export type RebootCommand = Extract<SwitchingCommand, { readonly name: 'computer.reboot' }>

export interface Restart<Command = ResetCommand> {
  /** What is restarted. */
  readonly target: FeedPart
  /** What gives it its power and is reset, or the target itself. */
  readonly part: FeedPart
  readonly command: Command
}

/**
 * Every way to restart a computer that is worth to be tried, the gentlest first: what the client can do by itself takes
 * nothing else down.
 */
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
 * The gentlest way to restart a part by its power: by the nearest thing that feeds it and can be reset. Whatever is further up feeds
 * that as well, so it takes at least as much down.
 *
 * @returns undefined where nothing that feeds it can be reset from here
 */
export function restartOf(chain: FeedChain, key: PartKey): Restart | undefined {
  const target = partOf(chain, key)
  const part = supplyOf(chain, key).find((feeder) => resetCommandOf(feeder) !== undefined)
  const command = part && resetCommandOf(part)
  return target && part && command && { target, part, command }
}

/** Name of the control on the Setup tab that gives a command: of a toggle its part, of a button also what it does. */
export const controlOf = (command: SwitchingCommand): string =>
  'on' in command.args ? keyOf(command) : `${keyOf(command)}/${command.name.split('.')[1]}`
