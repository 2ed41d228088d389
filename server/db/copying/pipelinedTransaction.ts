import type { Connection, PoolClient, Submittable } from 'pg'

export interface Step {
  readonly sql: string
  readonly copy?: Buffer
}

/** `pg` hands these events to a running query; its types leave them out. */
class PipelinedQuery implements Submittable {
  /** All statements, where queries of `pg` have theirs. */
  readonly text: string
  readonly #steps: readonly Step[]
  readonly #settle: (error?: Error) => void
  #failed = false

  constructor(steps: readonly Step[], settle: (error?: Error) => void) {
    this.text = steps.map(({ sql }) => sql).join(';\n')
    this.#steps = steps
    this.#settle = settle
  }

  submit(connection: Connection) {
    const { stream } = connection
    stream.cork()
    connection.query(this.text)
    // The server skips copy data of a transaction that has failed, so nothing has to be waited for.
    for (const { copy } of this.#steps) if (copy !== undefined) stream.write(copy)
    stream.uncork()
  }

  handleCopyInResponse() {}
  handleRowDescription() {}
  handleDataRow() {}
  handleCommandComplete() {}
  handleEmptyQuery() {}

  handleError(error: Error) {
    this.#failed = true
    this.#settle(error)
  }

  handleReadyForQuery() {
    if (!this.#failed) this.#settle()
  }
}

/** Runs all steps in one round trip: several statements in one simple query are one transaction. */
export function runPipelined(connection: PoolClient, steps: readonly Step[]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(new PipelinedQuery(steps, (error) => (error ? reject(error) : resolve())))
  })
}

/** Quotes a text as an SQL literal; relies on standard_conforming_strings, which no supported version turns off. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
