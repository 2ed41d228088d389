import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { COOKIE_DAYS } from './browserCookie.ts'

/** A newer key signs new cookies after this time. */
const SIGNS_FOR_DAYS = 30
const SECRET_BYTES = 32
/** Showing many cookies must not make the database work harder. */
const READ_AGAIN_AFTER_MS = 10_000

export interface BrowserKey {
  readonly id: number
  readonly secret: Buffer
}

type KeyRow = BrowserKey & { readonly signs: boolean }

/** Keeps the keys that all servers on one database share, so that each knows the browsers of the others. */
export class BrowserKeys {
  readonly #db: Db
  #rows: readonly KeyRow[] = []
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Db) {
    this.#db = db
  }

  find(id: number): Promise<BrowserKey | undefined> {
    return this.#known((row) => row.id === id)
  }

  /** Finds the newest key, and makes a new one when it is due. */
  async newest(): Promise<BrowserKey> {
    const found = await this.#known(({ signs }) => signs)
    if (found) return found
    const secret = randomBytes(SECRET_BYTES)
    const made = await this.#db.insertInto('browser_key').values({ secret }).returning('id').executeTakeFirstOrThrow()
    const row = { id: made.id, secret, signs: true }
    this.#rows = [row, ...this.#rows]
    return row
  }

  /**
   * Uses known keys while they are read again, because keys are only added, and deleted long after their last cookie.
   */
  async #known(isMeant: (row: KeyRow) => boolean): Promise<KeyRow | undefined> {
    const found = this.#rows.find(isMeant)
    if (found === undefined) return (await this.#read()).find(isMeant)
    this.#read().catch(() => undefined)
    return found
  }

  async #read(): Promise<readonly KeyRow[]> {
    if (performance.now() - this.#readAtMs < READ_AGAIN_AFTER_MS) return this.#rows
    this.#rows = await this.#db
      .selectFrom('browser_key')
      .select(['id', 'secret', sql<boolean>`made_at > now() - make_interval(days => ${SIGNS_FOR_DAYS})`.as('signs')])
      .where('made_at', '>', sql<Date>`now() - make_interval(days => ${SIGNS_FOR_DAYS + COOKIE_DAYS})`)
      .orderBy('id', 'desc')
      .execute()
    this.#readAtMs = performance.now()
    return this.#rows
  }
}
