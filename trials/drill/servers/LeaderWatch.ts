import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { isHeldLock } from '#server/db/advisoryLocks.ts'

const LOOK_EVERY_MS = 100
const LEADER_SQL = `select l.pid from pg_locks l where ${isHeldLock('l', 'lead')}`

/** Watches which session leads, and for how long none does. */
export class LeaderWatch {
  readonly #database: pg.Client
  readonly #stopping = new AbortController()
  readonly #watching: Promise<void>
  readonly #gapsMs: number[] = []
  #leader: number | undefined
  #seenAtMs = performance.now()

  static async open(ownerUrl: string): Promise<LeaderWatch> {
    const database = new pg.Client({ connectionString: ownerUrl, application_name: 'drill leader watch' })
    database.on('error', () => undefined)
    await database.connect()
    return new LeaderWatch(database)
  }

  private constructor(database: pg.Client) {
    this.#database = database
    this.#watching = this.#watch()
  }

  async stop(): Promise<{ readonly changes: number; readonly longestGapSeconds: number }> {
    this.#stopping.abort()
    await this.#watching
    await this.#database.end()
    // A gap that has not ended counts with its length so far.
    const open = this.#leader === undefined ? [performance.now() - this.#seenAtMs] : []
    const longest = Math.max(0, ...this.#gapsMs, ...open)
    return { changes: this.#gapsMs.length, longestGapSeconds: longest / SECOND_MS }
  }

  async #watch(): Promise<void> {
    let before: number | undefined
    while (!this.#stopping.signal.aborted) {
      const { rows } = await this.#database.query<{ pid: number }>(LEADER_SQL)
      const nowMs = performance.now()
      const leader = rows[0]?.pid
      if (leader !== undefined) {
        if (before !== undefined && leader !== before) this.#gapsMs.push(nowMs - this.#seenAtMs)
        before = leader
        this.#seenAtMs = nowMs
      }
      this.#leader = leader
      await sleep(LOOK_EVERY_MS)
    }
  }
}
