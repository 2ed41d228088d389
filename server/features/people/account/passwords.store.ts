import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'
import { usersWithin } from '#server/people/usersWithin.store.ts'

/** This limits one client, whatever the names: a whole office may have forgotten its passwords over the holidays. */
const RESET_REQUESTS: Allowance = { atOnce: 200, perHour: 600 }

export type PasswordMailKind = 'activation' | 'reset'

/** Locks the user, so that the second of two mails requested at once ends the link of the first. */
export const lockMailable = (transaction: Tx, id: UserId, scope: Scope) =>
  transaction
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .select(['app_user.id', 'username', 'customer_id as customerId', functionsOfRole.as('functions')])
    .select(
      sql<boolean>`not is_disabled and (customer_id is null
        or exists (select from customer c where c.id = customer_id and c.is_active))`.as('maySignIn'),
    )
    .where('app_user.id', '=', id)
    .where('app_user.deleted_at', 'is', null)
    .where(usersWithin(scope))
    .forUpdate('app_user')
    .executeTakeFirst()

export async function countRecentMails(
  transaction: Tx,
  { userId, askedBy }: { readonly userId: UserId; readonly askedBy: UserId },
) {
  const counted = await sql<{ readonly toUser: number; readonly byAsker: number }>`
    select (select count(*)::int from password_mail where user_id = ${userId}
              and queued_at > now() - interval '1 hour') as "toUser",
           (select count(*)::int from password_mail where asked_by = ${askedBy}
              and queued_at > now() - interval '1 hour') as "byAsker"`.execute(transaction)
  return onlyRow(counted)
}

/** Queues a mail, and ends earlier links and waiting mails. */
export async function queueMail(
  transaction: Tx,
  { id, username }: { readonly id: UserId; readonly username: string },
  kind: PasswordMailKind,
  askedBy: UserId,
): Promise<void> {
  await endLinks(transaction, id)
  await sql`insert into password_mail (user_id, kind, username, asked_by, message_id)
    values (${id}, ${kind}, ${username}, ${askedBy}, gen_random_uuid())`.execute(transaction)
}

/** @returns seconds that this client has to wait; 0 when its request was counted */
export const takeResetRequest = (db: Db, client: string): Promise<number> =>
  takeAllowance(db, `reset-request:${client}`, RESET_REQUESTS)

/** Reads what somebody who guesses this user's password would know: names, addresses, the customer. */
export async function personalTermsOf(db: Db, userId: UserId): Promise<readonly string[]> {
  const user = await db
    .selectFrom('app_user')
    .leftJoin('customer', 'customer.id', 'app_user.customer_id')
    .select(['username', 'email', 'first_name', 'last_name', 'customer.name'])
    .where('app_user.id', '=', userId)
    .executeTakeFirst()
  return Object.values(user ?? {}).filter((word) => word !== null)
}

export async function noteResetRequest(transaction: Tx, username: string): Promise<void> {
  await transaction
    .insertInto('password_reset_request')
    .values({ username: username.trim().toLowerCase() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Finds the link of this token while it is valid. */
export const findLink = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('password_link')
    .innerJoin('password_mail', 'password_mail.id', 'password_link.mail_id')
    .innerJoin('app_user', 'app_user.id', 'password_mail.user_id')
    .select([
      'app_user.id as userId',
      'app_user.username',
      'app_user.customer_id as customerId',
      'password_link.expires_at as expiresAt',
    ])
    .where('token_hash', '=', tokenHash)
    .where('password_link.expires_at', '>', sql<Date>`now()`)
    .where('app_user.is_disabled', '=', false)
    .where('app_user.deleted_at', 'is', null)
    // The link ends when the user's address has changed since, because the old mailbox may be somebody else's.
    .where(sql<boolean>`lower(app_user.username) = lower(password_mail.username)`)
    .executeTakeFirst()

/** @returns false when somebody used it meanwhile */
export async function takeLink(transaction: Tx, tokenHash: Buffer): Promise<boolean> {
  const taken = await transaction
    .deleteFrom('password_link')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('mail_id')
    .execute()
  return taken.length > 0
}

/** Sets the password, and ends every link and waiting mail of the user. */
export async function storePassword(transaction: Tx, userId: UserId, passwordHash: string): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ password_hash: passwordHash, updated_at: sql<Date>`now()`, updated_by: userId })
    .where('id', '=', userId)
    .execute()
  await endLinks(transaction, userId)
}

async function endLinks(transaction: Tx, userId: UserId): Promise<void> {
  await sql`select end_password_links(${userId})`.execute(transaction)
}
