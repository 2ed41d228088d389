import { Kysely } from 'kysely'
import type pg from 'pg'
import { CheckedDialect } from './connect/CheckedDialect.ts'
import type { Database } from './schema.ts'

/** Gives stores typed access. It ends with the pool, so nobody destroys it separately. */
export type Db = Kysely<Database>

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new CheckedDialect(pool) })
}
