/** What happened to an alert, as far as it tells when its condition was met. */
export interface AlertMove {
  readonly kind: string
  /** ISO 8601. */
  readonly at: string
}

/** A stretch of time in which the condition was met. */
export interface Occurrence {
  readonly from: string
  /** Undefined: it is met still, or was when the alert was closed and nobody looked further. */
  readonly to: string | undefined
}

const BEGINS = new Set(['opened', 'active'])

/**
 * When a condition was met, newest first, of what happened to its alert.
 *
 * @param moves oldest first; where their beginning is cut off, what began before is left out
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
