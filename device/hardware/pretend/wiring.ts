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

/** Between the order and the loss of power or network, so that the answer still gets out. */
export const POWER_OFF_AFTER_MS = 4000

/** Something on the way of power or network, by its name in the registers. */
interface Feeder {
  readonly register: string
  /** What takes the device itself away waits with that until it has answered. */
  readonly delayMs: number
}

interface Wiring {
  readonly feeders: ReadonlyMap<PartKey, readonly Feeder[]>
  /** What carries the network to the server, with its own switch. */
  readonly uplink: readonly { readonly part: PartKey; readonly switches: readonly Feeder[] }[]
  /** What takes the device itself away, by name in the registers. */
  readonly lifelines: ReadonlySet<string>
}

const wirings = new WeakMap<WiredFitting, Wiring>()

/** What feeds what: the same rule by which consequences and diagnoses are told. */
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
      // A computer that starts again is away as if its power were.
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

/** Without it the device cannot be reached. */
function isLifeline(chain: FeedChain, part: FeedPart): boolean {
  const down = [part, ...fedFrom(chain, part.key)]
  return down.some(({ key }) => key === 'computer' || chain.uplink.includes(key))
}

/** As it is kept on disk. */
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

/** Of the ports of a router, which can be reset without it. */
export const portsOf = (register: string) => `${register}/ports`

/** Whether nobody could switch this on again from afar. */
export const isLifelineOf = (fitting: WiredFitting, register: string) => wiringOf(fitting).lifelines.has(register)

/** Whether a switch is on, or what was reset is back. */
export function isOn({ off, away }: Registers, register: string, atMs: number, delayMs = 0): boolean {
  const offSinceMs = off[register]
  if (offSinceMs !== undefined && atMs >= offSinceMs + delayMs) return false
  const gone = away[register]
  return gone === undefined || atMs < gone.fromMs + delayMs || atMs >= gone.untilMs
}

/** Whether power reaches a part: nothing on its way is off. */
export function hasPower({ fitting, registers }: World, key: PartKey, atMs: number): boolean {
  const feeders = wiringOf(fitting).feeders.get(key) ?? []
  return feeders.every(({ register, delayMs }) => isOn(registers, register, atMs, delayMs))
}

/** Whether the device can speak to the server, as long as its computer runs. */
export function hasNetwork(world: World, atMs: number): boolean {
  return wiringOf(world.fitting).uplink.every(
    ({ part, switches }) =>
      hasPower(world, part, atMs) &&
      switches.every(({ register, delayMs }) => isOn(world.registers, register, atMs, delayMs)),
  )
}

/** When its power came back last; undefined: it was never away. */
export function powerBackMs({ fitting, registers: { away } }: World, key: PartKey, atMs: number): number | undefined {
  const feeders = wiringOf(fitting).feeders.get(key) ?? []
  const ends = feeders.map(({ register }) => away[register]?.untilMs ?? Number.POSITIVE_INFINITY)
  const past = ends.filter((endMs) => endMs <= atMs)
  return past.length === 0 ? undefined : Math.max(...past)
}
