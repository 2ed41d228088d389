import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'

export function readCustomers(db: Db, scope: Scope) {
  const all = db
    .selectFrom('customer')
    .select(['id', 'name', 'is_active as isActive'])
    .orderBy(sql`name_order(name)`)
    .orderBy('id')
  return (scope.kind === 'everything' ? all : all.where('id', '=', scope.customerId)).execute()
}

export const readCountries = (db: Db) =>
  db.selectFrom('country').select(['id', 'name']).orderBy(sql`name_order(name)`).orderBy('id').execute()
