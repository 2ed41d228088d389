import pg, { type Connection, type Submittable } from 'pg'

/** One question, and where its answer goes. */
export interface Request {
  readonly config: pg.QueryConfig
  readonly answered: (result: pg.QueryResult) => void
  readonly failed: (error: Error) => void
}

const MODE_NAME = 'plan once'
/** Until the end of the transaction, which is that of the exchange. */
export const PLAN_ONCE = { name: MODE_NAME, text: `select set_config('plan_cache_mode', 'force_generic_plan', true)` }

/** What `pg` keeps of a connection and calls on a query; its types leave it out. */
interface Parsing extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>
}
interface QueryOfPg extends Submittable {
  readonly name: string
  readonly text: string
  readonly _result: ResultOfPg
  _accumulateRows: boolean
  submit(connection: Connection): Error | null
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}
/** What `pg` makes of the description of a statement's rows. */
interface ResultOfPg {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}
type Told = (error: Error | null, result: pg.QueryResult) => void
const QueryOfPg = pg.Query as unknown as new (config: pg.QueryConfig, told: Told) => QueryOfPg

/** How the rows of a named statement are read, as long as its connection lives: PostgreSQL refuses a plan whose rows changed. */
interface Described extends ResultOfPg {
  readonly types: unknown
}

const described = new WeakMap<
  Connection,
  { readonly byName: Map<string, Described>; readonly undescribed: Connection }
>()

function describedOn(connection: Connection) {
  let known = described.get(connection)
  if (known === undefined) {
    // All of the connection but that the database is not asked how the rows look.
    known = { byName: new Map(), undescribed: Object.create(connection, { describe: { value: () => undefined } }) }
    described.set(connection, known)
  }
  return known
}

/** Leaves it to the exchange when the database is to answer, and asks for a description of named statements only once. */
class Unsynced extends QueryOfPg {
  readonly #types: unknown
  #byName: Map<string, Described> | undefined

  constructor(config: pg.QueryConfig, told: Told) {
    super(config, told)
    this.#types = config.types
  }

  override prepare(connection: Connection): void {
    const { byName, undescribed } = describedOn(connection)
    const known = this.name ? byName.get(this.name) : undefined
    if (known !== undefined && known.types === this.#types) {
      const { types: _, ...rows } = known
      Object.assign(this._result, rows)
      this._accumulateRows = true
      super.prepare(undescribed)
    } else {
      if (this.name) this.#byName = byName
      super.prepare(connection)
    }
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#byName?.set(this.name, { types: this.#types, fields, _parsers, _prebuiltEmptyResultObject })
  }

  protected _getRows(connection: Connection): void {
    connection.execute(null, true)
  }
}

export const knowsPlanOnce = ({ connection }: { readonly connection: Connection }): boolean =>
  (connection as Parsing).parsedStatements[MODE_NAME] !== undefined

/** Statements that are sent together and answered one after the other. Where one fails, those behind it are not carried out. */
export class Exchange implements Submittable {
  readonly #asked: readonly Request[]
  readonly #queries: readonly QueryOfPg[]
  readonly #settle: (error?: Error) => void
  readonly #plansOnce: boolean
  /** -1: the mode. */
  #current: number

  /**
   * @param settle once; with what was wrong, which those that are unanswered have still to be told
   * @param plansOnce on a connection that knows `PLAN_ONCE`
   */
  constructor(asked: readonly Request[], settle: (error?: Error) => void, plansOnce = false) {
    this.#asked = asked
    this.#settle = settle
    this.#plansOnce = plansOnce
    this.#current = plansOnce ? -1 : 0
    this.#queries = asked.map(
      ({ config, answered, failed }) =>
        new Unsynced(config, (error, result) => (error ? failed(error) : answered(result))),
    )
  }

  /** The first of them is the one that failed. */
  get unanswered(): readonly Request[] {
    return this.#asked.slice(Math.max(0, this.#current))
  }

  /** What `pg` notes as parsed, or as not. */
  get name(): string {
    return this.#query?.name ?? ''
  }

  get text(): string {
    return this.#query?.text ?? ''
  }

  get #query(): QueryOfPg | undefined {
    return this.#queries[this.#current]
  }

  submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    if (this.#plansOnce) {
      connection.bind({ statement: MODE_NAME, values: [] }, true)
      connection.execute(null, true)
    }
    for (const query of this.#queries) {
      const fault = query.submit(connection)
      if (fault) stream.destroy(fault)
    }
    connection.sync()
    stream.uncork()
  }

  handleRowDescription(message: unknown): void {
    this.#query?.handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#query?.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    const query = this.#query
    query?.handleCommandComplete(message, connection)
    this.#current++
    query?.handleReadyForQuery(connection)
  }

  handleError(error: Error): void {
    this.#settle(error)
  }

  handleReadyForQuery(): void {
    this.#settle()
  }
}
