import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const LOOK_EVERY_MS = 250
/** Whatever hangs: calls have to be answered. */
const LOOK_WITHIN_MS = 3_000
/** The backend was ended, or its connection broke: perhaps after the commit. */
const TORN = /^(08|57P)/

/** A change was asked to be committed, and nobody can say whether it is. It must never be told to try again. */
class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  readonly code = 'OUTCOME_UNKNOWN'
}

/**
 * What became of a transaction whose end was not heard of.
 *
 * @param withinMs how long it is looked for
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
    // Its backend may still be at it, or not know yet that nobody is there any more.
    await sleep(LOOK_EVERY_MS, undefined, { ref: false })
  }
  return 'unknown'
}

/** @throws why it was not committed, or that nobody knows */
export function knownOutcome(outcome: 'committed' | 'aborted' | 'unknown', error: unknown): void {
  if (outcome === 'aborted') throw error
  if (outcome === 'unknown') throw new OutcomeUnknown('It is not known whether it was committed.', { cause: error })
}

/** Whether the connection is gone, so that the answer of the database is not known. */
export function isTorn(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || TORN.test(error.code ?? '')
}
