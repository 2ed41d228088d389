import type pg from 'pg'
import { isHeldLock, tryShareUntilDisconnected } from '../db/advisoryLocks.ts'
import type { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import { openPool, watched } from '../db/connect/pool.ts'
import type { WatchedClient } from '../db/connect/WatchedClient.ts'
import { createSerialQueue } from './serialQueue.ts'

const MOST = 4
const SETTINGS = `set idle_in_transaction_session_timeout = '60s'`

interface LeadDeps {
  readonly watch: ConnectionWatch
  /** The lock of this session is the lead. */
  readonly leader: Pick<WatchedClient, 'processID'>
  readonly over: AbortSignal
  readonly lost: AbortSignal
}

/**
 * Lends the connections on which the jobs of one leader run. A leader that does not know yet that it lost the lead must
 * write nothing. Before each run its connection shares a lock with the others of this leader; then it checks that the
 * leader still leads and nobody else holds that lock. A leader that finds another's connections ends them first. So
 * whoever passes the check has ended all who passed it for an earlier leader, and a latecomer of that one no longer
 * passes: a transaction of jobs commits only while nobody else works.
 */
export class WorkConnections {
  readonly #deps: LeadDeps
  readonly #pool: pg.Pool
  /** Connections that are not broken and were not given up; in the database others may live on. */
  readonly #own = new Set<WatchedClient>()
  /** Connections start one after the other: the next would take one that has just got the lock for a stranger's. */
  readonly #queue = createSerialQueue()

  constructor(deps: LeadDeps) {
    const { watch, lost } = deps
    this.#deps = deps
    this.#pool = openPool(watch.url, { maximumConnections: MOST, name: 'jobs', statementTimeoutMs: 0, watch })
    this.#pool.on('connect', (client) => {
      const connection = watched(client)
      this.#own.add(connection)
      connection.once('end', () => this.#own.delete(connection))
      if (lost.aborted) connection.giveUp()
    })
    lost.addEventListener('abort', () => {
      for (const connection of this.#own) connection.giveUp()
    })
  }

  /** @throws when none is free in time, and when another process leads by now */
  async lend<Result>(work: (connection: WatchedClient) => Promise<Result>): Promise<Result> {
    const lent = await this.#free()
    const connection = watched(lent)
    let result: Result
    try {
      await this.#queue(() => this.#fence(connection))
      result = await work(connection)
    } catch (error) {
      // A failed job leaves its connection in an unknown state.
      this.#own.delete(connection)
      lent.release(true)
      throw error
    }
    lent.release()
    return result
  }

  /** Call it after all connections were returned. */
  async end(): Promise<void> {
    await this.#pool.end()
  }

  /** Waits no longer than the lead lasts. */
  #free(): Promise<pg.PoolClient> {
    const { over } = this.#deps
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('The lead is over.'))
      over.addEventListener('abort', giveUp)
      this.#pool
        .connect()
        .then((client) => (over.aborted ? client.release() : resolve(client)), reject)
        .finally(() => over.removeEventListener('abort', giveUp))
    })
  }

  async #fence(connection: WatchedClient): Promise<void> {
    if (await this.#isAlone(connection)) return
    await connection.query(SETTINGS)
    await connection.query(END_OTHERS_SQL, this.#parties())
    await connection.query(`select ${tryShareUntilDisconnected('jobs')}`)
    if (await this.#isAlone(connection)) return
    // One of our own connections may have broken meanwhile.
    await connection.query(END_OTHERS_SQL, this.#parties())
    if (!(await this.#isAlone(connection))) throw new Error('Another process does the jobs.')
  }

  async #isAlone(connection: WatchedClient): Promise<boolean> {
    const { rows } = await connection.query<{ is: boolean }>(IS_ALONE_SQL, this.#parties())
    return rows[0]?.is === true
  }

  #parties(): [leader: number | null, own: (number | null)[]] {
    const own = [...this.#own].filter(({ isOver }) => !isOver)
    return [this.#deps.leader.processID, own.map(({ processID }) => processID)]
  }
}

/** One query must see all locks at the same moment. */
const IS_ALONE_SQL = `
  select bool_or(${isHeldLock('held', 'lead')} and held.pid = $1)
    and bool_or(${isHeldLock('held', 'jobs')} and held.pid = pg_backend_pid())
    and not bool_or(${isHeldLock('held', 'jobs')} and held.pid <> all($2::int[])) as is
  from pg_locks held`

/** Ends whoever worked before: another leader, or this one on a connection whose death the database has not noticed. */
const END_OTHERS_SQL = `
  select pg_terminate_backend(work.pid, 2000) from pg_locks work
  where ${isHeldLock('work', 'jobs')} and work.pid <> all($2::int[]) and exists (
    select from pg_locks lead where ${isHeldLock('lead', 'lead')} and lead.pid = $1)`
