import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

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

/** Which sessions of a user end: one, or all but the one that asks. */
export type SessionsToEnd = { readonly id: number } | { readonly allBut: Buffer | undefined }

export interface SessionStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Those that are alive, the one used last first. */
  readonly list: (userId: UserId) => Promise<readonly OwnSession[]>
  /** At the next request of any of them, in every process. Answers those that ended. */
  readonly end: (
    userId: UserId,
    which: SessionsToEnd,
    transaction: Tx,
  ) => Promise<readonly { readonly id: number; readonly userAgent: string }[]>
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
      // Kept until the housekeeping: its row tells from where its owner usually comes.
      transaction
        .updateTable('app_session')
        .set({ expires_at: sql<Date>`now()` })
        .where('user_id', '=', userId)
        .where(isAlive)
        .$if('id' in which, (session) => session.where('id', '=', 'id' in which ? which.id : 0))
        .$if('allBut' in which && which.allBut !== undefined, (session) =>
          session.where('token_hash', '<>', ('allBut' in which && which.allBut) || Buffer.alloc(0)),
        )
        .returning(['id', 'user_agent as userAgent'])
        .execute(),

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
