/** An event of an alert, as far as it shows when its condition was met. */
export interface AlertMove {
  readonly kind: string
  readonly at: string
}

export interface Occurrence {
  readonly from: string
  /** Undefined while it is met, or if the alert was closed while it was met. */
  readonly to: string | undefined
}

const BEGINS = new Set(['opened', 'active'])

/**
 * Returns when a condition was met, newest first, from the events of its alert.
 *
 * @param moves oldest first; if their beginning is missing, earlier occurrences are left out
 */
export function occurrencesOf(moves: readonly AlertMove[]): readonly Occurrence[] {
  const occurrences: Occurrence[] = []
  let from: string | undefined
  for (const { kind, at } of moves) {
    if (BEGINS.has(kind)) {
      if (from !== undefined) occurrences.push({ from, to: at })
      from = at
    } else if (from !== undefined && (kind === 'notActive' || kind === 'closed')) {
      occurrences.push({ from, to: at })
      from = undefined
    }
  }
  if (from !== undefined) occurrences.push({ from, to: undefined })
  return occurrences.toReversed()
}
