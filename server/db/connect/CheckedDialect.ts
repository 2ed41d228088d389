import { CompiledQuery, type DatabaseConnection, type Driver, PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'
import { isTorn, knownOutcome, outcomeOf } from './commitOutcome.ts'
import { patienceOf } from './pool.ts'

/** The dialect of Kysely, and a commit whose answer is lost counts as what it is: done, undone, or unknown. */
export class CheckedDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new CheckedDriver(this.#pool)
  }
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

/** The number is null while the transaction has neither written nor locked anything. */
const NUMBER = CompiledQuery.raw('select pg_current_xact_id_if_assigned()::text as number')

class CheckedDriver extends PostgresDriver {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    // The database is asked for the number before the commit, because afterwards there may be no connection to ask by.
    const { rows } = await connection.executeQuery<{ number: string | null }>(NUMBER)
    const number = rows[0]?.number ?? null
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      if (number === null || !isTorn(error)) throw error
      const outcome = await outcomeOf(patienceOf(this.#pool).outcomeWithinMs, async () => {
        const asked = this.#pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [number])
        return (await asked).rows[0]?.status
      })
      knownOutcome(outcome, error)
    }
  }

  /** The database undoes by itself what a dead connection left, so its failure must not hide why the work failed. */
  override async rollbackTransaction(connection: Connection): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isTorn(error)) throw error
    })
  }

  /** The pool belongs to whoever opened it. */
  override async destroy(): Promise<void> {}
}
