import pg from 'pg'
import { APPLICATION_ROLE } from './roles.ts'

// Counters and audit ids are far below 2^53; as text they would compare wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000

export interface PoolOptions {
  readonly maximumConnections: number
  /** Shown in pg_stat_activity. */
  readonly name: string
  /** Take the application's role after connecting, where only the owner's address is known. */
  readonly asApplication?: boolean
  /** 0: none, for work that may take long. */
  readonly statementTimeoutMs?: number
}

/** A bounded pool; a broken idle connection is dropped and replaced by the next query. */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maximumConnections,
    application_name: `wayside ${options.name}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    options: options.asApplication ? `-c role=${APPLICATION_ROLE}` : undefined,
    keepAlive: true,
  })
  // Without a listener an idle connection that the database closes would end the process.
  pool.on('error', () => undefined)
  // So would one that breaks while it is lent out, after its query was already told of the failure.
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  return pool
}
