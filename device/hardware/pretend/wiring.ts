import { withFeeds } from '#domain/darkness/configuredFeeds.ts'
import {
  defaultFeedChain,
  type FeedChain,
  type FeedPart,
  fedFrom,
  type PartKey,
  partOf,
  supplyOf,
} from '#domain/darkness/feedChain.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import type { Registers } from './registers.ts'
import type { WiredFitting, World } from './world.ts'

/** Power or network is lost this long after the command, so that the reply still gets out. */
export const POWER_OFF_AFTER_MS = 4000

interface Feeder {
  readonly register: string
  /** What disconnects the device itself waits until it has replied. */
  readonly delayMs: number
}

interface Wiring {
  readonly feeders: ReadonlyMap<PartKey, readonly Feeder[]>
  /** The parts that carry the network to the server, with their switches. */
  readonly uplink: readonly { readonly part: PartKey; readonly switches: readonly Feeder[] }[]
  /** The registers that disconnect the device itself. */
  readonly lifelines: ReadonlySet<string>
}

const wirings = new WeakMap<WiredFitting, Wiring>()

/** The wiring comes from the rule that also tells operators of consequences and diagnoses. */
function wiringOf(fitting: WiredFitting): Wiring {
  const known = wirings.get(fitting)
  if (known) return known
  const { modelId, components, feeds = {} } = fitting
  const asMade = defaultFeedChain(
    modelId as DeviceModelId,
    components.map((component) => ({ ...component, label: '' })),
  )
  const chain = withFeeds(asMade, feeds)
  const feeder = (part: FeedPart): Feeder => ({
    register: registerOf(part),
    delayMs: isLifeline(chain, part) ? POWER_OFF_AFTER_MS : 0,
  })
  const wiring: Wiring = {
    feeders: new Map(
      // A restarting computer is as unreachable as one without power.
      chain.parts.map((part) => [
        part.key,
        [...(part.kind === 'computer' ? [part] : []), ...supplyOf(chain, part.key)].map(feeder),
      ]),
    ),
    uplink: chain.uplink.flatMap((key) => {
      const part = partOf(chain, key)
      if (!part) return []
      const own = feeder(part)
      return [{ part: key, switches: [own, { ...own, register: portsOf(own.register) }] }]
    }),
    lifelines: new Set(
      chain.parts
        .filter((part) => isLifeline(chain, part))
        .map(registerOf)
        .flatMap((register) => [register, portsOf(register)]),
    ),
  }
  wirings.set(fitting, wiring)
  return wiring
}

/** The device cannot be reached if this part is off. */
function isLifeline(chain: FeedChain, part: FeedPart): boolean {
  const down = [part, ...fedFrom(chain, part.key)]
  return down.some(({ key }) => key === 'computer' || chain.uplink.includes(key))
}

/** Names the part as the registers on disk do. */
function registerOf({ key, kind, number, port }: FeedPart): string {
  switch (kind) {
    case 'powerSwitch':
      return `power-switch/${number}`
    case 'relayPort':
      return `relay/${number}/${port}`
    case 'router':
      return `router-relay/${number}`
    case 'networkSwitch':
      return `router/${number}`
    default:
      return key
  }
}

/** The ports of a router can be reset without it. */
export const portsOf = (register: string) => `${register}/ports`

/** True if it could not be switched on again remotely. */
export const isLifelineOf = (fitting: WiredFitting, register: string) => wiringOf(fitting).lifelines.has(register)

/** True if a switch is on, or the end of a reset has come. */
export function isOn({ off, away }: Registers, register: string, atMs: number, delayMs = 0): boolean {
  const offSinceMs = off[register]
  if (offSinceMs !== undefined && atMs >= offSinceMs + delayMs) return false
  const gone = away[register]
  return gone === undefined || atMs < gone.fromMs + delayMs || atMs >= gone.untilMs
}

/** True if no switch on the power path of the part is off. */
export function hasPower({ fitting, registers }: World, key: PartKey, atMs: number): boolean {
  const feeders = wiringOf(fitting).feeders.get(key) ?? []
  return feeders.every(({ register, delayMs }) => isOn(registers, register, atMs, delayMs))
}

/** True if the device can reach the server while its computer runs. */
export function hasNetwork(world: World, atMs: number): boolean {
  return wiringOf(world.fitting).uplink.every(
    ({ part, switches }) =>
      hasPower(world, part, atMs) &&
      switches.every(({ register, delayMs }) => isOn(world.registers, register, atMs, delayMs)),
  )
}

/** Returns when its power came back last; undefined if it was never off. */
export function powerBackMs({ fitting, registers: { away } }: World, key: PartKey, atMs: number): number | undefined {
  const feeders = wiringOf(fitting).feeders.get(key) ?? []
  const ends = feeders.map(({ register }) => away[register]?.untilMs ?? Number.POSITIVE_INFINITY)
  const past = ends.filter((endMs) => endMs <= atMs)
  return past.length === 0 ? undefined : Math.max(...past)
}
