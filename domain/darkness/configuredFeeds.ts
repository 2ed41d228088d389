import { type FeedChain, type FeedPart, type PartKey, type PartKind, partOf } from './feedChain.ts'

/** The differences of a device's wiring from its model: a part, and the part that feeds it. */
export type Feeds = Readonly<Record<PartKey, PartKey>>

const FEEDING_KINDS: readonly PartKind[] = [
  'mains',
  'ups',
  'upsGroup',
  'powerSwitch',
  'relayPort',
  'router',
  'networkSwitch',
]

/** The groups of a UPS are its own outlets, and nothing here feeds the mains. */
export const isWireable = ({ kind }: FeedPart): boolean => kind !== 'mains' && kind !== 'upsGroup'

/** Returns what can feed a part: everything that passes power on and is not fed by it. */
export function possibleFeeders(chain: FeedChain, part: FeedPart): readonly FeedPart[] {
  if (!isWireable(part)) return []
  return chain.parts.filter((it) => FEEDING_KINDS.includes(it.kind) && !hangsOn(chain, it.key, part.key))
}

/** Whether a part is another one, or gets its power through it. */
function hangsOn(chain: FeedChain, key: PartKey, on: PartKey): boolean {
  let at: PartKey | undefined = key
  // No chain is longer than its number of parts, so the limit also ends a circle.
  for (let steps = 0; at !== undefined && steps <= chain.parts.length; steps++) {
    if (at === on) return true
    at = partOf(chain, at)?.fedBy
  }
  return false
}

const rewired = (chain: FeedChain, key: PartKey, fedBy: PartKey): FeedChain => ({
  ...chain,
  parts: chain.parts.map((part) => (part.key === key ? { ...part, fedBy } : part)),
})

/**
 * Returns a model's chain with the configured wiring. An entry whose part no longer exists, or that would make a part
 * feed itself, falls back to the default.
 */
export function withFeeds(chain: FeedChain, feeds: Feeds): FeedChain {
  let wired = chain
  // This repeats, because one part may have to move before another can be fed by it.
  for (let before: FeedChain | undefined; before !== wired; ) {
    before = wired
    for (const part of wired.parts) wired = rewiredIfPossible(wired, part.key, feeds[part.key])
  }
  return wired
}

function rewiredIfPossible(chain: FeedChain, key: PartKey, fedBy: PartKey | undefined): FeedChain {
  const part = partOf(chain, key)
  if (part === undefined || fedBy === undefined || part.fedBy === fedBy) return chain
  return possibleFeeders(chain, part).some((feeder) => feeder.key === fedBy) ? rewired(chain, key, fedBy) : chain
}

/** Returns why a device cannot be wired like this, naming the part; undefined when it can. */
export function feedsProblem(chain: FeedChain, feeds: Feeds): string | undefined {
  for (const [key, fedBy] of Object.entries(feeds)) {
    const [part, feeder] = [partOf(chain, key), partOf(chain, fedBy)]
    if (!part) return `This device has no part "${key}".`
    if (!feeder) return `${part.name} cannot be fed by "${fedBy}": this device has no such part.`
    if (!isWireable(part)) return `What feeds ${midSentence(part)} cannot be changed.`
    if (key === fedBy) return `${part.name} cannot feed itself.`
    if (!FEEDING_KINDS.includes(feeder.kind))
      return `${feeder.name} passes no power on: it cannot feed ${midSentence(part)}.`
  }
  const wired = Object.entries(feeds).reduce((before, [key, fedBy]) => rewired(before, key, fedBy), chain)
  const circle = wired.parts.map((part) => circleFrom(wired, part)).find((names) => names !== undefined)
  return circle && `${circle[0]} would feed itself: ${circle.toReversed().join(' → ')}.`
}

function circleFrom(chain: FeedChain, start: FeedPart): readonly string[] | undefined {
  const names = [start.name]
  for (let at = start; at.fedBy !== undefined && names.length <= chain.parts.length; ) {
    const next = partOf(chain, at.fedBy)
    if (!next) return undefined
    names.push(next.name)
    if (next.key === start.key) return names
    at = next
  }
  return undefined
}

const midSentence = ({ name }: FeedPart) => name.replace(/^(The|Port|Group|Power) /, (word) => word.toLowerCase())

/** Returns the entries that differ from the model. */
export function changedFeeds(chain: FeedChain, feeds: Feeds): Feeds {
  return Object.fromEntries(Object.entries(feeds).filter(([key, fedBy]) => partOf(chain, key)?.defaultFedBy !== fedBy))
}
