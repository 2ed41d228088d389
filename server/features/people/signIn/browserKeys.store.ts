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

export interface BrowserKeys {
  readonly find: (id: number) => Promise<BrowserKey | undefined>
  /** Finds the newest key, and makes a new one when it is due. */
  readonly newest: () => Promise<BrowserKey>
}

type KeyRow = BrowserKey & { readonly signs: boolean }

/** Keeps the keys that all servers on one database share, so that each knows the browsers of the others. */
export function createBrowserKeys(db: Db): BrowserKeys {
  let rows: readonly KeyRow[] = []
  let readAtMs = Number.NEGATIVE_INFINITY

  async function read(): Promise<readonly KeyRow[]> {
    if (performance.now() - readAtMs < READ_AGAIN_AFTER_MS) return rows
    rows = await db
      .selectFrom('browser_key')
      .select(['id', 'secret', sql<boolean>`made_at > now() - make_interval(days => ${SIGNS_FOR_DAYS})`.as('signs')])
      .where('made_at', '>', sql<Date>`now() - make_interval(days => ${SIGNS_FOR_DAYS + COOKIE_DAYS})`)
      .orderBy('id', 'desc')
      .execute()
    readAtMs = performance.now()
    return rows
  }

  /**
   * Uses known keys while they are read again, because keys are only added, and deleted long after their last cookie.
   */
  async function known(isMeant: (row: KeyRow) => boolean): Promise<KeyRow | undefined> {
    const found = rows.find(isMeant)
    if (found === undefined) return (await read()).find(isMeant)
    read().catch(() => undefined)
    return found
  }

  return {
    find: (id) => known((row) => row.id === id),
    newest: async () => {
      const found = await known(({ signs }) => signs)
      if (found) return found
      const secret = randomBytes(SECRET_BYTES)
      const made = await db.insertInto('browser_key').values({ secret }).returning('id').executeTakeFirstOrThrow()
      const row = { id: made.id, secret, signs: true }
      rows = [row, ...rows]
      return row
    },
  }
}
