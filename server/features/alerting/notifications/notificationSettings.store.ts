import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface EmailSwitch {
  readonly isEmailOn: boolean
  readonly email: string
}

export interface NotificationSettingsStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Locks the row within a transaction, so that the audit row's before and after are true. */
  readonly find: (userId: UserId, transaction?: Tx) => Promise<EmailSwitch | undefined>
  readonly set: (userId: UserId, isEmailOn: boolean, transaction: Tx) => Promise<void>
}

export function createNotificationSettingsStore(db: Db): NotificationSettingsStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    find: (userId, transaction) =>
      (transaction ?? db)
        .selectFrom('app_user')
        .select(['is_email_on as isEmailOn', 'email'])
        .where('id', '=', userId)
        .where('deleted_at', 'is', null)
        .$if(transaction !== undefined, (user) => user.forUpdate())
        .executeTakeFirst(),

    set: async (userId, isEmailOn, transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ is_email_on: isEmailOn, updated_at: sql<Date>`now()`, updated_by: userId })
        .where('id', '=', userId)
        .execute()
    },
  }
}
