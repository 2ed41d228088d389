import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

const emailSwitch = (db: Db | Tx, userId: UserId) =>
  db
    .selectFrom('app_user')
    .select(['is_email_on as isEmailOn', 'email'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)

export const findEmailSwitch = (db: Db, userId: UserId) => emailSwitch(db, userId).executeTakeFirst()

/** The lock keeps what the audit row says of before and after true. */
export const lockEmailSwitch = (transaction: Tx, userId: UserId) =>
  emailSwitch(transaction, userId).forUpdate().executeTakeFirst()

export async function setEmailSwitch(transaction: Tx, userId: UserId, isEmailOn: boolean): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ is_email_on: isEmailOn, updated_at: sql<Date>`now()`, updated_by: userId })
    .where('id', '=', userId)
    .execute()
}
