import { type ExpressionBuilder, sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'
import { usersWithin } from '#server/people/usersWithin.store.ts'

/** The sessions of a user that end: one, all, or all but the caller's own. */
type SessionsToEnd = { readonly id: number } | 'all' | { readonly allBut: Buffer }

const isAlive = (idleHours: number) =>
  sql<boolean>`expires_at > now() and last_used_at > now() - make_interval(hours => ${idleHours})`

/** Lists the sessions that are alive, the most recently used first. */
export const listSessionsOf = (db: Db, userId: UserId, idleHours: number) =>
  db
    .selectFrom('app_session')
    .select([
      'id',
      'token_hash as tokenHash',
      sql<boolean>`binding_hash is not null`.as('isBound'),
      'user_agent as userAgent',
      'address',
      'created_at as startedAt',
      'last_used_at as lastUsedAt',
      'expires_at as endsAt',
    ])
    .where('user_id', '=', userId)
    .where(isAlive(idleHours))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/**
 * Ends sessions, which takes effect at their next request in every process, and answers those that ended. The rows stay
 * until the housekeeping, because they show from where their owner usually signs in.
 */
export const endSessionsOf = (transaction: Tx, userId: UserId, which: SessionsToEnd, idleHours: number) =>
  transaction
    .updateTable('app_session')
    .set({ expires_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where(isAlive(idleHours))
    .where((session) => isMeant(which, session))
    .returning(['id', 'user_agent as userAgent'])
    .execute()

function isMeant(which: SessionsToEnd, session: ExpressionBuilder<Database, 'app_session'>) {
  if (which === 'all') return session.lit(true)
  return 'id' in which ? session('id', '=', which.id) : session('token_hash', '<>', which.allBut)
}

/** Finds a user within the scope, and the functions of their role. */
export const findSessionOwner = (db: Db, userId: UserId, scope: Scope) =>
  db
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .select(['app_user.username', 'app_user.customer_id as customerId', functionsOfRole.as('functions')])
    .where('app_user.id', '=', userId)
    .where('app_user.deleted_at', 'is', null)
    .where(usersWithin(scope))
    .executeTakeFirst()

export async function lockTimeZone(transaction: Tx, userId: UserId): Promise<string> {
  const user = await transaction
    .selectFrom('app_user')
    .select('time_zone as timeZone')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return user?.timeZone ?? ''
}

export async function storeTimeZone(transaction: Tx, userId: UserId, timeZone: string): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ time_zone: timeZone, updated_at: sql<Date>`now()`, updated_by: userId })
    .where('id', '=', userId)
    .execute()
}
