import { type ExpressionBuilder, sql } from 'kysely'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'

export interface OwnSession {
  readonly id: number
  readonly tokenHash: Buffer
  readonly isBound: boolean
  readonly userAgent: string
  readonly address: string
  readonly startedAt: Date
  readonly lastUsedAt: Date
  readonly endsAt: Date
}

/** The sessions of a user that end: one, all, or all but the caller's own. */
export type SessionsToEnd = { readonly id: number } | 'all' | { readonly allBut: Buffer | undefined }

export interface SessionOwner {
  readonly username: string
  readonly customerId: CustomerId | null
  readonly functions: readonly FunctionId[]
}

export interface SessionStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Lists the sessions that are alive, the most recently used first. */
  readonly list: (userId: UserId) => Promise<readonly OwnSession[]>
  /** Ends sessions, which takes effect at their next request in every process, and answers those that ended. */
  readonly end: (
    userId: UserId,
    which: SessionsToEnd,
    transaction: Tx,
  ) => Promise<readonly { readonly id: number; readonly userAgent: string }[]>
  /** Finds a user within the scope, and the functions of their role. */
  readonly findUser: (userId: UserId, scope: Scope) => Promise<SessionOwner | undefined>
  readonly timeZone: (userId: UserId, transaction: Tx) => Promise<string>
  readonly setTimeZone: (userId: UserId, timeZone: string, transaction: Tx) => Promise<void>
}

export function createSessionStore(db: Db, { idleHours }: { readonly idleHours: number }): SessionStore {
  const isAlive = sql<boolean>`expires_at > now() and last_used_at > now() - make_interval(hours => ${idleHours})`
  return {
    transaction: (work) => db.transaction().execute(work),

    list: (userId) =>
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
        .where(isAlive)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    end: (userId, which, transaction) =>
      // The row stays until the housekeeping, because it shows from where its owner usually signs in.
      transaction
        .updateTable('app_session')
        .set({ expires_at: sql<Date>`now()` })
        .where('user_id', '=', userId)
        .where(isAlive)
        .where((session) => isMeant(which, session))
        .returning(['id', 'user_agent as userAgent'])
        .execute(),

    findUser: (userId, scope) =>
      db
        .selectFrom('app_user')
        .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
        .select(['app_user.username', 'app_user.customer_id as customerId', functionsOfRole.as('functions')])
        .where('app_user.id', '=', userId)
        .where('app_user.deleted_at', 'is', null)
        .$if(scope.kind === 'customer', (user) =>
          user.where('app_user.customer_id', '=', scope.kind === 'customer' ? scope.customerId : null),
        )
        .executeTakeFirst(),

    timeZone: async (userId, transaction) => {
      const user = await transaction
        .selectFrom('app_user')
        .select('time_zone as timeZone')
        .where('id', '=', userId)
        .forUpdate()
        .executeTakeFirst()
      return user?.timeZone ?? ''
    },

    setTimeZone: async (userId, timeZone, transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ time_zone: timeZone, updated_at: sql<Date>`now()`, updated_by: userId })
        .where('id', '=', userId)
        .execute()
    },
  }
}

function isMeant(which: SessionsToEnd, session: ExpressionBuilder<Database, 'app_session'>) {
  if (which === 'all') return session.lit(true)
  if ('id' in which) return session('id', '=', which.id)
  return which.allBut === undefined ? session.lit(true) : session('token_hash', '<>', which.allBut)
}
