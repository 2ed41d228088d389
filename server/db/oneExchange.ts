import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Connection, Submittable } from 'pg'
import { isTorn, knownOutcome, outcomeOf } from './commitOutcome.ts'
import { patienceOf, watched } from './pool.ts'

interface Exchange {
  /** In this order; none may need what another answers. */
  readonly statements: readonly CompiledQuery<unknown>[]
  /** Whether what they write is there, where the connection broke before it said anything. */
  readonly isThere: () => Promise<boolean>
}

/**
 * Everything, or nothing, in one round trip. Statements that are sent before the database is asked to answer are one
 * transaction by themselves, committed when it is ready again. A commit whose answer is lost counts as what it is: done,
 * undone, or unknown.
 */
export async function commitInOneExchange(pool: pg.Pool, { statements, isThere }: Exchange): Promise<void> {
  const connection = await pool.connect()
  const { processID } = watched(connection)
  const sent = new SentTogether(statements)
  try {
    await sent.on(connection)
    connection.release()
  } catch (error) {
    connection.release(isTorn(error) || undefined)
    if (!isTorn(error)) throw error
    const outcome = await outcomeOf(patienceOf(pool).outcomeWithinMs, async () => {
      if (sent.number !== undefined) {
        const asked = pool.query<{ status: string | null }>('select pg_xact_status($1::xid8) as status', [sent.number])
        return (await asked).rows[0]?.status
      }
      // While its backend is there it may still commit.
      const { rowCount } = await pool.query('select from pg_stat_activity where pid = $1', [processID])
      if (rowCount !== 0) return undefined
      return (await isThere()) ? 'committed' : 'aborted'
    })
    knownOutcome(outcome, error)
  }
}

const NUMBER = 'select pg_current_xact_id()::text'

/** Events that `pg` hands to a running query; its types leave them out. */
class SentTogether implements Submittable {
  /** Of the transaction, as soon as it is heard of: by it one finds out what became of it. */
  number: string | undefined
  readonly #statements: readonly CompiledQuery<unknown>[]
  #settle: (error?: Error) => void = () => undefined

  constructor(statements: readonly CompiledQuery<unknown>[]) {
    this.#statements = statements
  }

  on(connection: pg.PoolClient): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve())
      connection.query(this)
    })
  }

  submit(connection: Connection) {
    const { stream } = connection
    stream.cork()
    send(connection, NUMBER, [])
    for (const { sql, parameters } of this.#statements) send(connection, sql, parameters.map(asWritten))
    connection.sync()
    stream.uncork()
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }) {
    this.number ??= fields[0] ?? undefined
  }

  handleRowDescription() {}
  handleCommandComplete() {}
  handleEmptyQuery() {}

  handleError(error: Error) {
    this.#settle(error)
  }

  handleReadyForQuery() {
    this.#settle()
  }
}

function send(connection: Connection, text: string, values: (string | Buffer | null)[]): void {
  connection.parse({ name: '', text, types: [] }, true)
  connection.bind({ values }, true)
  connection.execute(null, true)
}

function asWritten(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError(`A value of the type ${typeof value} is not sent in one exchange.`)
}
