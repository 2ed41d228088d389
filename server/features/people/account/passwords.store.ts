import { sql } from 'kysely'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'

/** This limits one client, whatever the names: a whole office may have forgotten its passwords over the holidays. */
const RESET_REQUESTS: Allowance = { atOnce: 200, perHour: 600 }

export type PasswordMailKind = 'activation' | 'reset'

export interface MailableUser {
  readonly id: UserId
  readonly username: string
  readonly customerId: CustomerId | null
  readonly functions: readonly FunctionId[]
  /** The user is not disabled, and their customer is active. */
  readonly maySignIn: boolean
}

export interface OpenLink {
  readonly userId: UserId
  readonly username: string
  readonly customerId: CustomerId | null
  readonly expiresAt: Date
}

export interface PasswordStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Locks the user, so that the second of two mails requested at once ends the link of the first. */
  readonly findMailable: (id: UserId, scope: Scope, transaction: Tx) => Promise<MailableUser | undefined>
  readonly countRecentMails: (about: { userId: UserId; askedBy: UserId }, transaction: Tx) => Promise<RecentMails>
  /** Queues a mail, and ends earlier links and waiting mails. */
  readonly queueMail: (user: MailableUser, kind: PasswordMailKind, askedBy: UserId, transaction: Tx) => Promise<void>
  /** @returns seconds that this client has to wait; 0 when its request was counted */
  readonly takeResetRequest: (client: string) => Promise<number>
  /** Reads what somebody who guesses this user's password would know: names, addresses, the customer. */
  readonly personalTerms: (userId: UserId) => Promise<readonly string[]>
  readonly noteResetRequest: (username: string, transaction: Tx) => Promise<void>
  /** Finds the link of this token while it is valid. */
  readonly findLink: (tokenHash: Buffer) => Promise<OpenLink | undefined>
  /** @returns false when somebody used it meanwhile */
  readonly takeLink: (tokenHash: Buffer, transaction: Tx) => Promise<boolean>
  /** Sets the password, and ends every link and waiting mail of the user. */
  readonly setPassword: (userId: UserId, passwordHash: string, transaction: Tx) => Promise<void>
}

export interface RecentMails {
  readonly toUser: number
  readonly byAsker: number
}

export function createPasswordStore(db: Db): PasswordStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    findMailable: (id, scope, transaction) =>
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
        .$if(scope.kind === 'customer', (user) =>
          user.where('customer_id', '=', scope.kind === 'customer' ? scope.customerId : null),
        )
        .forUpdate('app_user')
        .executeTakeFirst(),

    countRecentMails: async ({ userId, askedBy }, transaction) => {
      const { rows } = await sql<RecentMails>`
        select (select count(*)::int from password_mail where user_id = ${userId}
                  and queued_at > now() - interval '1 hour') as "toUser",
               (select count(*)::int from password_mail where asked_by = ${askedBy}
                  and queued_at > now() - interval '1 hour') as "byAsker"`.execute(transaction)
      return rows[0] ?? { toUser: 0, byAsker: 0 }
    },

    queueMail: async ({ id, username }, kind, askedBy, transaction) => {
      await endLinks(id, transaction)
      await sql`insert into password_mail (user_id, kind, username, asked_by, message_id)
        values (${id}, ${kind}, ${username}, ${askedBy}, gen_random_uuid())`.execute(transaction)
    },

    takeResetRequest: (client) => takeAllowance(db, `reset-request:${client}`, RESET_REQUESTS),

    personalTerms: async (userId) => {
      const user = await db
        .selectFrom('app_user')
        .leftJoin('customer', 'customer.id', 'app_user.customer_id')
        .select(['username', 'email', 'first_name', 'last_name', 'customer.name'])
        .where('app_user.id', '=', userId)
        .executeTakeFirst()
      return Object.values(user ?? {}).filter((word) => word !== null)
    },

    noteResetRequest: async (username, transaction) => {
      await transaction
        .insertInto('password_reset_request')
        .values({ username: username.trim().toLowerCase() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    findLink: (tokenHash) =>
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
        .executeTakeFirst(),

    takeLink: async (tokenHash, transaction) => {
      const taken = await transaction
        .deleteFrom('password_link')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('mail_id')
        .execute()
      return taken.length > 0
    },

    setPassword: async (userId, passwordHash, transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ password_hash: passwordHash, updated_at: sql<Date>`now()`, updated_by: userId })
        .where('id', '=', userId)
        .execute()
      await endLinks(userId, transaction)
    },
  }
}

async function endLinks(userId: UserId, transaction: Tx): Promise<void> {
  await sql`select end_password_links(${userId})`.execute(transaction)
}
