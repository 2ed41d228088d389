import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import pg from 'pg'
import { patienceOf } from './pool.ts'

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

/** A dialect by which a commit whose answer is lost counts as what it is: done, undone, or unknown. */
export class CheckedDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new CheckedDriver({ pool: this.#pool }, this.#pool)
  }
}

type Connection = Parameters<PostgresDriver['commitTransaction']>[0] &
  Parameters<PostgresDriver['rollbackTransaction']>[0]

class CheckedDriver extends PostgresDriver {
  readonly #pool: pg.Pool

  constructor(config: PostgresDialectConfig, pool: pg.Pool) {
    super(config)
    this.#pool = pool
  }

  override async commitTransaction(connection: Connection): Promise<void> {
    const { rows } = await connection.executeQuery<{ number: string | null }>(NUMBER_QUERY)
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      const number = rows[0]?.number ?? null
      if (number === null || !isTorn(error)) throw error
      const outcome = await outcomeOf(patienceOf(this.#pool).outcomeWithinMs, async () => {
        const asked = this.#pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [number])
        return (await asked).rows[0]?.status
      })
      knownOutcome(outcome, error)
    }
  }

  /** On a dead connection the database does it by itself; what went wrong before is what counts. */
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isTorn(error)) throw error
    })
  }
}

/** Null when nothing was written. */
const NUMBER_QUERY = CompiledQuery.raw('select pg_current_xact_id_if_assigned()::text as number')

/** Whether the connection is gone, so that the answer of the database is not known. */
export function isTorn(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || TORN.test(error.code ?? '')
}
