import type { IncidentId } from '../ids.ts'

interface Member {
  /** The former incident; undefined if it was in none. */
  readonly incidentId: IncidentId | undefined
  readonly onsetMs: number
}

export interface Heirs {
  /** The number of each group; undefined if it needs a new one. */
  readonly ids: readonly (IncidentId | undefined)[]
  /** The numbers that are no longer used, each with the index of the group that took its members. */
  readonly joined: ReadonlyMap<IncidentId, number>
}

/**
 * Decides which group keeps which number: a number goes where the first of its members went, and of several numbers in
 * one group the oldest stays.
 *
 * @param wholes groups with their members, none empty
 */
export function heirsOf(wholes: readonly (readonly Member[])[]): Heirs {
  const heirs = new Map<IncidentId, { readonly whole: number; readonly onsetMs: number }>()
  for (const [whole, members] of wholes.entries()) {
    for (const { incidentId, onsetMs } of members) {
      if (incidentId === undefined) continue
      const known = heirs.get(incidentId)
      if (known === undefined || onsetMs < known.onsetMs) heirs.set(incidentId, { whole, onsetMs })
    }
  }
  const ids: (IncidentId | undefined)[] = wholes.map(() => undefined)
  const joined = new Map<IncidentId, number>()
  for (const [id, { whole }] of [...heirs].toSorted(([one], [other]) => one - other)) {
    if (ids[whole] === undefined) ids[whole] = id
    else joined.set(id, whole)
  }
  return { ids, joined }
}
