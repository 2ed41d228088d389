import { sql } from 'kysely'
import type { AppUser } from '#contract/http/people/users.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { ManagedUser } from '#domain/permissions/people.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { endSessions, functionsOfRole } from '#server/people/peopleChange.store.ts'
import { toUser, userColumns, usersIn } from './userRows.store.ts'

export type UserDetails = Pick<
  AppUser,
  'firstName' | 'lastName' | 'email' | 'roleId' | 'customerId' | 'isLab' | 'isDisabled'
>

export type KnownUser = ManagedUser & UserDetails & { readonly id: UserId; readonly username: string }

export interface NewUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly roleId: RoleId
  readonly customerId: CustomerId | null
}

export interface UserStore {
  readonly find: (id: UserId, scope: Scope) => Promise<AppUser | undefined>
  readonly customer: (id: CustomerId, transaction?: Tx) => Promise<{ readonly isActive: boolean } | undefined>
  readonly known: (id: UserId, scope: Scope, transaction: Tx) => Promise<KnownUser | undefined>
  readonly roleFunctions: (id: RoleId, transaction: Tx) => Promise<readonly FunctionId[] | undefined>
  /** Counts how often in the last hour this customer's people were answered that a username is taken. */
  readonly countTaken: (customerId: CustomerId, transaction: Tx) => Promise<number>
  /** Adds a user without a password; undefined when the username is taken. */
  readonly add: (user: NewUser, by: UserId, transaction: Tx) => Promise<UserId | undefined>
  readonly change: (id: UserId, changed: Partial<UserDetails>, by: UserId, transaction: Tx) => Promise<void>
  /** Removes the user for everybody with the commit; the username is free again. */
  readonly remove: (id: UserId, by: UserId, transaction: Tx) => Promise<void>
  readonly askErasure: (id: UserId, transaction: Tx) => Promise<void>
}

const COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  roleId: 'role_id',
  customerId: 'customer_id',
  isLab: 'is_lab',
  isDisabled: 'is_disabled',
} as const satisfies Record<keyof UserDetails, string>

export function createUserStore(db: Db): UserStore {
  return {
    find: async (id, scope) => {
      const row = await usersIn(db, scope).select(userColumns(scope)).where('app_user.id', '=', id).executeTakeFirst()
      return row && toUser(row)
    },

    customer: (id, transaction) =>
      (transaction ?? db)
        .selectFrom('customer')
        .select('is_active as isActive')
        .where('id', '=', id)
        .executeTakeFirst(),

    known: (id, scope, transaction) =>
      usersIn(transaction, scope)
        .select([
          'app_user.id',
          'app_user.username',
          'app_user.first_name as firstName',
          'app_user.last_name as lastName',
          'app_user.email',
          'app_user.role_id as roleId',
          'app_user.customer_id as customerId',
          'app_user.is_lab as isLab',
          'app_user.is_disabled as isDisabled',
          functionsOfRole.as('functions'),
        ])
        .where('app_user.id', '=', id)
        .executeTakeFirst(),

    roleFunctions: async (id, transaction) => {
      const role = await transaction
        .selectFrom('app_role')
        .select(functionsOfRole.as('functions'))
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return role?.functions
    },

    countTaken: async (customerId, transaction) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from audit_log
        where coalesce(customer_id, author_customer_id) = ${customerId} and author_customer_id = ${customerId}
          and inserted_at > now() - interval '1 hour' and call = 'AppUser/SetAppUser' and outcome = 'username_taken'`.execute(
        transaction,
      )
      return rows[0]?.count ?? 0
    },

    add: async (user, by, transaction) => {
      const added = await transaction
        .insertInto('app_user')
        .values({
          username: user.username,
          first_name: user.firstName,
          last_name: user.lastName,
          email: user.email,
          role_id: user.roleId,
          customer_id: user.customerId,
          created_by: by,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return added?.id
    },

    change: async (id, changed, by, transaction) => {
      const names = Object.keys(changed) as (keyof UserDetails)[]
      if (names.length === 0) return
      await transaction
        .updateTable('app_user')
        .set({
          ...Object.fromEntries(names.map((name) => [COLUMNS[name], changed[name]])),
          ...(changed.roleId !== undefined && { role_since: sql<Date>`now()` }),
          updated_at: sql<Date>`now()`,
          updated_by: by,
        })
        .where('id', '=', id)
        .execute()
      if (changed.isDisabled) await endSessions(transaction, { userId: id })
    },

    remove: async (id, by, transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
        .where('id', '=', id)
        .execute()
      await endSessions(transaction, { userId: id })
    },

    askErasure: async (id, transaction) => {
      await transaction.updateTable('app_user').set({ erase_asked_at: sql<Date>`now()` }).where('id', '=', id).execute()
    },
  }
}
