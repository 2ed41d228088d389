import pg from 'pg'
import { inThisSpan } from '#server/metrics/tracing.ts'
import { ConnectionWatch } from './ConnectionWatch.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { APPLICATION_ROLE } from './roleNames.ts'
import { WatchedClient } from './WatchedClient.ts'

// Counters and audit ids are far below 2^53; as text they would compare wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const STATEMENT_TIMEOUT_MS = 30_000
/** The database has ended the statement by then, and the answer will not come. */
const BEYOND_TIMEOUT_MS = 5_000
const FREE_WITHIN_MS = 10_000
const KEPT_IDLE_MS = 10_000
/** A process that is gone without a word must not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000

export interface PoolOptions {
  readonly maximumConnections: number
  readonly name: string
  /** Connections take the application's role after connecting, where only the owner's address is known. */
  readonly asApplication?: boolean
  /** 0 means no limit, for work that may take long. */
  readonly statementTimeoutMs?: number
  /** An unused connection is kept this long, because its plans would have to be made anew. 0 means for ever. */
  readonly keptIdleMs?: number | undefined
  /** The watch of all connections to this address; a pool without it makes its own. */
  readonly watch?: ConnectionWatch
}

const patienceOfPools = new WeakMap<pg.Pool, Patience>()

export const patienceOf = (pool: pg.Pool): Patience => patienceOfPools.get(pool) ?? PATIENCE

/** Opens a bounded pool. A broken or silent connection is dropped and replaced. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, watch = new ConnectionWatch(url) } = options
  const askedWithinMs = statementTimeoutMs > 0 ? statementTimeoutMs + BEYOND_TIMEOUT_MS : 0
  class PooledClient extends WatchedClient {
    constructor({ connectionTimeoutMillis: _, ...config }: pg.ClientConfig = {}) {
      super(config, askedWithinMs)
    }
  }
  const pool = new pg.Pool({
    connectionString: url,
    Client: PooledClient,
    max: options.maximumConnections,
    application_name: `wayside ${options.name}`,
    connectionTimeoutMillis: FREE_WITHIN_MS,
    idleTimeoutMillis: options.keptIdleMs ?? KEPT_IDLE_MS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: options.asApplication ? `-c role=${APPLICATION_ROLE}` : undefined,
  })
  patienceOfPools.set(pool, watch.patience)
  calledBackInSpans(pool)
  // An idle connection that the database closes would end the process without a listener.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => watch.add(watched(client)))
  pool.on('acquire', (client) => {
    watched(client).isResting = false
  })
  pool.on('release', (_error, client) => {
    watched(client).isResting = true
  })
  return pool
}

/** A waiting caller is called back from the code that returns a connection, so its own span must be restored. */
function calledBackInSpans(pool: pg.Pool): void {
  const { connect } = pool
  pool.connect = ((given?: (...found: never[]) => void) =>
    Reflect.apply(connect, pool, given === undefined ? [] : [inThisSpan(given)])) as typeof connect
}

/** Every connection of these pools is a WatchedClient. */
export const watched = (client: pg.ClientBase) => client as unknown as WatchedClient
