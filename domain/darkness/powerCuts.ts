import { cutsPowerOf } from './consequence.ts'
import type { CommandFact, DarknessFacts, Reading } from './facts.ts'
import { type FeedChain, type FeedPart, type PartKey, supplyOf } from './feedChain.ts'

const ON = 1

export function outletField({ kind, number, port }: FeedPart): string {
  if (kind === 'powerSwitch') return `ps_port${number}_status`
  return `${number === 1 ? 'r_' : `r${number}_`}port${port}_status`
}

export const isOutlet = ({ kind }: FeedPart): boolean => kind === 'powerSwitch' || kind === 'relayPort'

/** Returns when an outlet last went off: the first report of its newest period of being off. */
function wentOffAt(history: readonly Reading[]): Date | undefined {
  return history.findLast(({ value }, index) => value !== ON && (history[index - 1]?.value ?? ON) === ON)?.at
}

/**
 * Returns when the power of a part was last switched off, as far as is known, by anything that feeds it: an outlet that
 * reported it, or a command that did it. A command that is not known to have failed may have been carried out, at the
 * latest when it was given up.
 */
export function lastCutOf({ outletHistory, commands }: DarknessFacts, chain: FeedChain) {
  const known = new Map<PartKey, Date | undefined>()
  return (key: PartKey): Date | undefined => {
    if (!known.has(key)) known.set(key, latest([...byOutlets(key), ...byCommands(key)]))
    return known.get(key)
  }

  function byOutlets(key: PartKey) {
    const outlets = supplyOf(chain, key).filter(isOutlet)
    return outlets.map((part) => wentOffAt(outletHistory.get(outletField(part)) ?? []))
  }

  function byCommands(key: PartKey) {
    return commands.filter((one) => mayHaveHappened(one) && cutsPowerOf(chain, one, key)).map(momentOf)
  }
}

const mayHaveHappened = ({ state }: CommandFact) => state === 'done' || state === 'sent' || state === 'unknown'
const momentOf = ({ endedAt, sentAt }: CommandFact) => endedAt ?? sentAt

function latest(moments: readonly (Date | undefined)[]): Date | undefined {
  const known = moments.filter((at) => at !== undefined).map(Number)
  return known.length === 0 ? undefined : new Date(Math.max(...known))
}
