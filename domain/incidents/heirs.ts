import type { IncidentId } from '../ids.ts'

interface Member {
  /** Before; undefined: it was in none. */
  readonly incidentId: IncidentId | undefined
  readonly onsetMs: number
}

export interface Heirs {
  /** For each whole its number; undefined: it needs a new one. */
  readonly ids: readonly (IncidentId | undefined)[]
  /** Numbers that are taken no more, each with the index of the whole that has what was in it. */
  readonly joined: ReadonlyMap<IncidentId, number>
}

/**
 * Which whole keeps which number: a number goes where the first of its members went, and of several numbers in one whole
 * the oldest stays.
 *
 * @param wholes each with its members, none empty
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
