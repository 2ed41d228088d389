import { type FeedChain, type FeedPart, fedFrom, type PartKey, partOf } from './feedChain.ts'

type Numbered = { readonly number: number }
type Port = Numbered & { readonly port: number }

/** Every command that switches or resets (rules/commands 7), in the words of contract/mqtt/command.ts. */
export type SwitchingCommand =
  | { readonly name: 'ups.reboot'; readonly args: Readonly<Record<never, never>> }
  | { readonly name: 'ups.shutdown'; readonly args: Readonly<Record<never, never>> }
  /** The test itself takes no power away. */
  | { readonly name: 'ups.batteryTest'; readonly args: Readonly<Record<never, never>> }
  | { readonly name: 'ups.groupReset'; readonly args: { readonly group: number } }
  | { readonly name: 'router.reset'; readonly args: Numbered }
  | { readonly name: 'powerSwitch.reset'; readonly args: Numbered }
  | { readonly name: 'routerRelay.reset'; readonly args: Numbered }
  | { readonly name: 'routerRelay.portReset'; readonly args: Numbered }
  | { readonly name: 'powerSwitch.set' | 'routerRelay.set'; readonly args: Numbered & { readonly on: boolean } }
  | { readonly name: 'relay.set'; readonly args: Port & { readonly on: boolean } }
  | { readonly name: 'relay.reset'; readonly args: Port }
  | { readonly name: 'computer.reboot'; readonly args: Readonly<Record<never, never>> }

/** `reachable` throughout, `comesBack` after a while without help, or `lost` until somebody travels there. */
export type Reach = 'reachable' | 'comesBack' | 'lost'

export interface Consequence {
  /** False if it is not known what the part feeds. */
  readonly isKnown: boolean
  readonly takesDown: readonly string[]
  readonly reach: Reach
  readonly sentence: string
}

/** Returns what a command would do to this device, from its wiring; the operator sees it before confirming. */
export function consequenceOf(chain: FeedChain, command: SwitchingCommand): Consequence {
  const key = keyOf(command)
  const part = partOf(chain, key)
  if (!part) return { ...unaffected('What this feeds is not known here.'), isKnown: false }
  if ('on' in command.args && command.args.on) return unaffected(turnedOn(chain, part))
  if (command.name === 'ups.batteryTest') return unaffected(testLabel(fedFrom(chain, part.key).filter(isEnd)))
  const downParts = downBy(chain, command, part)
  const down = new Set(downParts.map((it) => it.key))
  const cut = [part.key, ...down].find((it) => it === 'computer' || chain.uplink.includes(it))
  const staysOff = isLasting(command)
  const reach = cut === undefined ? 'reachable' : staysOff ? 'lost' : 'comesBack'
  const ends = downParts.filter(isEnd)
  return {
    isKnown: true,
    takesDown: ends.map(({ name }) => name),
    reach,
    sentence: sentenceOf({ part, command, ends, reach, staysOff }),
  }
}

const SWITCHING: readonly string[] = [
  'ups.reboot',
  'ups.shutdown',
  'ups.groupReset',
  'router.reset',
  'powerSwitch.reset',
  'routerRelay.reset',
  'routerRelay.portReset',
  'powerSwitch.set',
  'routerRelay.set',
  'relay.set',
  'relay.reset',
  'computer.reboot',
] satisfies readonly SwitchingCommand['name'][]

export const isSwitching = ({ name }: { readonly name: string }): boolean => SWITCHING.includes(name)

/** Whether a command that was carried out took the power of a part away, permanently or for a moment. */
export function cutsPowerOf(
  chain: FeedChain,
  command: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  key: PartKey,
): boolean {
  if (!isSwitching(command) || command.args.on === true) return false
  const switching = command as SwitchingCommand
  const part = partOf(chain, keyOf(switching))
  return part !== undefined && downBy(chain, switching, part).some((down) => down.key === key)
}

/** People notice the loss of these parts; outlets on the way only pass power on. */
const isEnd = ({ kind }: FeedPart) => kind !== 'upsGroup' && kind !== 'powerSwitch' && kind !== 'relayPort'

const unaffected = (sentence: string): Consequence => ({
  isKnown: true,
  takesDown: [],
  reach: 'reachable',
  sentence,
})

export function keyOf({ name, args }: SwitchingCommand): PartKey {
  switch (name) {
    case 'ups.reboot':
    case 'ups.shutdown':
    case 'ups.batteryTest':
      return 'ups'
    case 'ups.groupReset':
      return `upsGroup/${args.group}`
    case 'router.reset':
      return `networkSwitch/${args.number}`
    case 'powerSwitch.set':
    case 'powerSwitch.reset':
      return `powerSwitch/${args.number}`
    case 'routerRelay.set':
    case 'routerRelay.reset':
    case 'routerRelay.portReset':
      return `router/${args.number}`
    case 'relay.set':
    case 'relay.reset':
      return `relayPort/${args.number}/${args.port}`
    case 'computer.reboot':
      return 'computer'
  }
}

/** Returns the parts that lose power; a loss of network takes none away. */
function downBy(chain: FeedChain, { name }: SwitchingCommand, part: FeedPart): readonly FeedPart[] {
  if (name === 'routerRelay.portReset' || name === 'router.reset' || name === 'ups.batteryTest') return []
  if (name === 'computer.reboot') return [part]
  return fedFrom(chain, part.key)
}

/** Whether the parts stay without power until somebody acts. */
export const isLasting = ({ name, args }: SwitchingCommand) => name === 'ups.shutdown' || ('on' in args && !args.on)

function testLabel(fed: readonly FeedPart[]): string {
  const begins = 'For about a minute the UPS runs what is connected to it on its battery, and reports the result.'
  if (fed.length === 0) return begins
  return `${begins} Nothing goes down while the battery is good; if it is worn out, ${listed(fed)} may lose power.`
}

function turnedOn(chain: FeedChain, part: FeedPart): string {
  const fed = fedFrom(chain, part.key).filter(isEnd)
  return fed.length > 0
    ? `${part.name} feeds ${listed(fed)}: ${fed.length > 1 ? 'they get power and start' : 'it gets power and starts'}.`
    : `${part.name} gets power.`
}

interface Told {
  readonly part: FeedPart
  readonly command: SwitchingCommand
  readonly ends: readonly FeedPart[]
  readonly reach: Reach
  readonly staysOff: boolean
}

function sentenceOf(told: Told): string {
  const { part, ends, reach, staysOff, command } = told
  if (command.name === 'computer.reboot') {
    return `${part.name} restarts and nothing loses power: the device is offline meanwhile and comes back.`
  }
  const isNetwork = part.kind === 'router' || part.kind === 'networkSwitch'
  if (reach === 'lost') {
    if (command.name === 'ups.shutdown') {
      return `The UPS feeds everything here: after the shutdown you cannot reach this device, and a visit may be needed. Down: ${listed(ends)}.`
    }
    if (isNetwork) return `${part.name} is the only way to this device: after Off you cannot reach this device.`
    const computer = ends.find(({ key }) => key === 'computer')
    const why = computer
      ? `feeds ${inSentence(computer)}, which alone can switch it back on`
      : 'feeds the only way to this device'
    return `${part.name} ${why}: after Off you cannot reach this device.${alsoDown(ends)}`
  }
  if (isNetwork && reach === 'comesBack') {
    return `${part.name} is the only way to this device: it is offline meanwhile and comes back automatically.`
  }
  if (ends.length === 0) {
    return isNetwork
      ? `${part.name} is not the way to this device: it stays reachable.`
      : `Nothing is known to depend on ${inSentence(part)}; the device stays reachable.`
  }
  const downs = `${usually(part, ends)}${part.name} feeds ${listed(ends)}`
  if (reach === 'comesBack') return `${downs}: the device is offline meanwhile and comes back automatically.`
  return staysOff
    ? `${downs}: down until you turn it on again; the device stays reachable, so that you can.`
    : `${downs}: down for a moment; the device stays reachable.`
}

/** Names the parts that lose power beside the computer, which was named already. */
function alsoDown(ends: readonly FeedPart[]): string {
  const others = ends.filter(({ key }) => key !== 'computer')
  return others.length > 0 ? ` Down with it: ${listed(others)}.` : ''
}

/** A relay's load depends on the wiring of a device, not on its model, unless somebody has configured it. */
const usually = ({ kind }: FeedPart, ends: readonly FeedPart[]) =>
  kind === 'relayPort' && ends.every(({ fedBy, defaultFedBy }) => fedBy === defaultFedBy)
    ? 'As this model is usually wired: '
    : ''

/** Quotes labels that operators gave. */
export function inSentence({ kind, name }: Pick<FeedPart, 'kind' | 'name'>): string {
  const isLabelled = kind === 'display' || kind === 'camera' || kind === 'router' || kind === 'networkSwitch'
  return isLabelled ? `"${name}"` : name.replace(/^(The|Port|Group|Power) /, (word) => word.toLowerCase())
}

function listed(parts: readonly FeedPart[]): string {
  const words = parts.map(inSentence)
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
