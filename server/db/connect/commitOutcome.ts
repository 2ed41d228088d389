import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const LOOK_EVERY_MS = 250
/** Calls have to be answered even when the database hangs. */
const LOOK_WITHIN_MS = 3_000
/** The backend was ended or its connection broke, perhaps after the commit. */
const TORN = /^(08|57P)/

/** Nobody can say whether a commit happened. The caller must not be told to try again, or it could happen twice. */
class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  readonly code = 'OUTCOME_UNKNOWN'
}

/**
 * Finds out what became of a transaction whose end was not heard of.
 *
 * @param withinMs how long to look for it
 * @param status what `pg_xact_status` says of the number that `pg_current_xact_id()` gave
 */
export async function outcomeOf(
  withinMs: number,
  status: () => Promise<string | null | undefined>,
): Promise<'committed' | 'aborted' | 'unknown'> {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    const looked = status().catch(() => undefined)
    const found = await Promise.race([looked, sleep(LOOK_WITHIN_MS, undefined, { ref: false })])
    if (found === 'committed' || found === 'aborted') return found
    // The backend may still work on it, or not know yet that its connection is gone.
    await sleep(LOOK_EVERY_MS, undefined, { ref: false })
  }
  return 'unknown'
}

/** @throws the error for which it was not committed, or OutcomeUnknown */
export function knownOutcome(outcome: 'committed' | 'aborted' | 'unknown', error: unknown): void {
  if (outcome === 'aborted') throw error
  if (outcome === 'unknown') throw new OutcomeUnknown('It is not known whether it was committed.', { cause: error })
}

/** Returns true when the connection is gone, so that the answer of the database is unknown. */
export function isTorn(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || TORN.test(error.code ?? '')
}
