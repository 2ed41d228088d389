import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '#server/http/call/caller.ts'

/** SQL: tells whether a scope may see a user. The table is `app_user` or an alias of it. */
export const usersWithin = (scope: Scope, table = 'app_user'): RawBuilder<SqlBool> =>
  scope.kind === 'everything' ? sql`true` : sql`${sql.ref(`${table}.customer_id`)} = ${scope.customerId}`
