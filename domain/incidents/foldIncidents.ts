import { MINUTE_MS } from '../units/time.ts'
import { joinOfDevices, joinOfSites } from './foldLinks.ts'
import { feedRank, type Occurrence } from './occurrence.ts'
import { Union } from './Union.ts'
import { type FleetSize, joinOfWaves } from './waves.ts'

/** Reports of one event arrive within this time. */
const AT_ONE_MOMENT_MS = 2 * MINUTE_MS

/**
 * Returns which occurrences form one incident. The result depends on the facts, not on the order in which they became
 * known: after late, moved or withdrawn alerts, folding everything again gives the same.
 *
 * One incident has occurrences of one device or one site that began within ten minutes of each other, what follows on a
 * device while a part that feeds it has a lasting problem, and devices that fall silent together in greater number than
 * by chance. What people merged or split stays so, and what is near to it joins the nearest.
 *
 * @returns for each occurrence the number of its incident: the index of one occurrence of it
 */
export function foldIncidents(all: readonly Occurrence[], size: FleetSize): readonly number[] {
  const union = new Union(all.length)
  const byOnset = [...all.keys()].toSorted((one, other) => compare(all[one], all[other]))
  joinOfDevices(all, byOnset, union)
  joinOfSites(all, byOnset, union)
  joinOfWaves(all, byOnset, size, union)
  const found = all.map((_, index) => union.rootOf(index))
  if (all.every(({ groupId }) => groupId === 0)) return found
  return withGroups(all, byOnset, found)
}

/** Keeps groups that people made; if one natural incident has several, each remaining occurrence joins the nearest. */
function withGroups(all: readonly Occurrence[], byOnset: readonly number[], found: readonly number[]): number[] {
  const groups = all.map(({ groupId }) => groupId)
  for (const members of Map.groupBy(byOnset, (index) => found[index]).values()) {
    const held = members.filter((index) => (all[index]?.groupId ?? 0) !== 0)
    if (held.length === 0) continue
    for (const index of members) groups[index] = all[nearest(all, index, held)]?.groupId ?? 0
  }
  const first = new Map<number, number>()
  return found.map((root, index) => {
    const group = groups[index] ?? 0
    if (group === 0) return root
    const known = first.get(group)
    if (known === undefined) first.set(group, index)
    return known ?? index
  })
}

/** Prefers the same device, then the nearest in time, then the first. */
function nearest(all: readonly Occurrence[], index: number, held: readonly number[]): number {
  const one = all[index]
  if (one === undefined || one.groupId !== 0) return index
  const distance = (at: number) => Math.abs((all[at]?.onsetMs ?? 0) - one.onsetMs)
  const isOther = (at: number) => Number(all[at]?.deviceId !== one.deviceId)
  return held.reduce((best, at) => {
    const order = isOther(at) - isOther(best) || distance(at) - distance(best)
    return order < 0 ? at : best
  })
}

/** Returns the root cause: of the earliest occurrences the nearest to the mains, then the first. */
export function firstCause<One extends Occurrence>(members: readonly One[]): One | undefined {
  const first = members.reduce((earliest, { onsetMs }) => Math.min(earliest, onsetMs), Number.POSITIVE_INFINITY)
  return members
    .filter(({ onsetMs }) => onsetMs <= first + AT_ONE_MOMENT_MS)
    .toSorted((one, other) => feedRank(one.fieldId) - feedRank(other.fieldId) || compare(one, other))[0]
}

function compare(one: Occurrence | undefined, other: Occurrence | undefined): number {
  if (one === undefined || other === undefined) return 0
  return (
    one.onsetMs - other.onsetMs ||
    one.raisedMs - other.raisedMs ||
    one.deviceId - other.deviceId ||
    one.alertId - other.alertId
  )
}
