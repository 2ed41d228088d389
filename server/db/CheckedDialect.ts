import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { isTorn, knownOutcome, outcomeOf } from './commitOutcome.ts'
import { Exchange, knowsPlanOnce, PLAN_ONCE, type Request } from './Exchange.ts'
import { patienceOf } from './pool.ts'
import { prepared } from './prepared.ts'

interface Later extends CompiledQuery<unknown> {
  readonly isLater: true
}

/**
 * A statement of a transaction whose answer nobody waits for: it is sent with the next one, or with the commit, and what is
 * wrong with it is told there. Answered with the number of the transaction (`transactionNumber`), as it has to say
 * itself where that is not known yet and it is sent at once.
 */
export const later = (query: CompiledQuery<unknown>): Later => ({ ...query, isLater: true })

interface Planned {
  readonly isPlannedOnce: true
}

/**
 * A statement that each connection parses and plans once, for all values (`plannedOnce`): where making its plan takes
 * longer than carrying it out, and of few texts. Within a transaction as any other.
 */
export function planned<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  const marked: CompiledQuery<Row> & Planned = { ...query, isPlannedOnce: true }
  return marked
}

const isPlanned = (query: CompiledQuery): query is CompiledQuery & Planned => 'isPlannedOnce' in query

interface Together extends CompiledQuery<unknown> {
  readonly parts: readonly CompiledQuery<unknown>[]
}

/** Statements of which none needs what another answers, in one round trip; in this order. */
export async function together<Rows extends readonly unknown[]>(
  executor: Pick<Kysely<never>, 'executeQuery'>,
  parts: { readonly [Index in keyof Rows]: CompiledQuery<Rows[Index]> },
): Promise<{ readonly [Index in keyof Rows]: Rows[Index][] }> {
  const question: Together = { ...CompiledQuery.raw(parts.map(({ sql }) => sql).join('; ')), parts }
  return (await executor.executeQuery(question)).rows as never
}

/**
 * Transactions that begin with their first statement and end with their last, in as few round trips as their work
 * allows. A commit whose answer is lost counts as what it is: done, undone, or unknown.
 */
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

class CheckedDriver implements Driver {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new CheckedConnection(await this.#pool.connect(), this.#pool)
  }

  async beginTransaction(connection: CheckedConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) throw new Error('Transactions are of the usual kind.')
    connection.begin()
  }

  commitTransaction(connection: CheckedConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: CheckedConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(connection: CheckedConnection): Promise<void> {
    connection.release()
  }

  /** The pool is its owner's. */
  async destroy(): Promise<void> {}
}

const BEGIN = CompiledQuery.raw('begin')
const COMMIT = CompiledQuery.raw('commit')
/** Null as long as nothing was written or locked. */
const NUMBER = CompiledQuery.raw('select pg_current_xact_id_if_assigned()::text as number')

class CheckedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #pool: pg.Pool
  #isInTransaction = false
  #isOfNoUse = false
  /** Sent with what comes next. */
  #ahead: CompiledQuery[] = []
  /** Of the transaction, as soon as it has one: by it one finds out what became of it. */
  #number: string | undefined

  constructor(client: pg.PoolClient, pool: pg.Pool) {
    this.#client = client
    this.#pool = pool
  }

  begin(): void {
    this.#isInTransaction = true
    this.#number = undefined
    this.#ahead = [BEGIN]
  }

  async executeQuery<Row>(query: CompiledQuery | Later | Together): Promise<QueryResult<Row>> {
    if ('parts' in query) {
      const results = await this.#sent(query.parts)
      return { rows: results.map(({ rows }) => rows) as Row[] }
    }
    if (!this.#isInTransaction && !isPlanned(query)) return resultOf(await this.#alone(query))
    if ('isLater' in query && this.#number !== undefined) {
      this.#ahead.push(query)
      return { rows: [{ transactionNumber: this.#number }] as Row[] }
    }
    const [result] = await this.#sent([query])
    return resultOf(result as pg.QueryResult)
  }

  /**
   * By a callback: what the promises that `pg` makes itself were answered with is found by no small collection of garbage,
   * so that each result stayed until a large one.
   */
  #alone({ sql: text, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    const answered = new Promise<pg.QueryResult>((resolve, reject) => {
      this.#client.query(text, [...parameters], (error, result) => (error ? reject(error) : resolve(result)))
    })
    // As `pg` does it: the trace names who asked instead of the socket.
    return answered.catch((error: Error) => {
      Error.captureStackTrace(error)
      throw error
    })
  }

  /** With what was to go ahead. */
  async #sent(queries: readonly CompiledQuery[]): Promise<readonly pg.QueryResult[]> {
    const ahead = this.#taken()
    const asksNumber = this.#isInTransaction && this.#number === undefined
    const results = await this.#exchange([...ahead, ...queries, ...(asksNumber ? [NUMBER] : [])])
    if (asksNumber) {
      const [row] = (results.at(-1)?.rows ?? []) as { readonly number: string | null }[]
      this.#number = row?.number ?? undefined
    }
    return results.slice(ahead.length, ahead.length + queries.length)
  }

  async commit(): Promise<void> {
    const ahead = this.#taken()
    this.#isInTransaction = false
    if (ahead.includes(BEGIN)) return
    const results = await this.#exchange([...ahead, COMMIT]).catch(async (error: unknown) => {
      const number = this.#number
      if (number === undefined || !isTorn(error)) throw error
      const outcome = await outcomeOf(patienceOf(this.#pool).outcomeWithinMs, async () => {
        const asked = this.#pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [number])
        return (await asked).rows[0]?.status
      })
      knownOutcome(outcome, error)
      return undefined
    })
    if (results && results.at(-1)?.command !== 'COMMIT') throw new Error('The transaction was undone, not committed.')
  }

  /** On a dead connection the database does it by itself; what went wrong before is what counts. */
  async rollback(): Promise<void> {
    this.#isInTransaction = false
    if (this.#taken().includes(BEGIN)) return
    await this.#client.query('rollback').catch((error: unknown) => {
      this.#isOfNoUse = true
      if (!isTorn(error)) throw error
    })
  }

  release(): void {
    this.#client.release(this.#isOfNoUse)
  }

  // biome-ignore lint/correctness/useYield: nobody asks for one
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows of statements are not streamed.')
  }

  #taken(): CompiledQuery[] {
    const ahead = this.#ahead
    this.#ahead = []
    return ahead
  }

  async #exchange(queries: readonly CompiledQuery[]): Promise<readonly pg.QueryResult[]> {
    const plansOnce = !this.#isInTransaction && queries.some(isPlanned)
    if (plansOnce && !knowsPlanOnce(this.#client)) await this.#client.query(PLAN_ONCE)
    const { promise, resolve, reject } = Promise.withResolvers<readonly pg.QueryResult[]>()
    const results: pg.QueryResult[] = []
    const asked = queries.map(
      (query): Request => ({
        config: configOf(query, plansOnce),
        answered: (result) => void results.push(result),
        failed: reject,
      }),
    )
    this.#client.query(new Exchange(asked, (fault) => (fault ? reject(fault) : resolve(results)), plansOnce))
    return promise
  }
}

function configOf(query: CompiledQuery, plansOnce: boolean): pg.QueryConfig {
  const values = [...query.parameters]
  return plansOnce && isPlanned(query)
    ? prepared(query.sql, values)
    : ({ text: query.sql, values, queryMode: 'extended' } as pg.QueryConfig)
}

const COUNTED = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

const resultOf = <Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> => ({
  rows,
  ...(COUNTED.includes(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
})
