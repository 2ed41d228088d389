import { sql } from 'kysely'
import type { AppUser } from '#contract/http/people/users.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { endSessions, functionsOfRole } from '#server/people/peopleChange.store.ts'
import { rowsOf, toUser, usersIn } from './userRows.store.ts'

type UserDetails = Pick<AppUser, 'firstName' | 'lastName' | 'email' | 'roleId' | 'customerId' | 'isLab' | 'isDisabled'>

interface NewUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly roleId: RoleId
  readonly customerId: CustomerId | null
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

export async function findUser(db: Db, id: UserId, scope: Scope): Promise<AppUser | undefined> {
  const row = await rowsOf(db, scope).where('app_user.id', '=', id).executeTakeFirst()
  return row && toUser(row)
}

export const readKnownUser = (transaction: Tx, id: UserId, scope: Scope) =>
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
    .executeTakeFirst()

export async function functionsOfRoleId(transaction: Tx, id: RoleId): Promise<readonly FunctionId[] | undefined> {
  const role = await transaction
    .selectFrom('app_role')
    .select(functionsOfRole.as('functions'))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return role?.functions
}

/** Counts how often in the last hour this customer's people were answered that a username is taken. */
export async function countTakenNames(transaction: Tx, customerId: CustomerId): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from audit_log
    where coalesce(customer_id, author_customer_id) = ${customerId} and author_customer_id = ${customerId}
      and inserted_at > now() - interval '1 hour' and call = 'AppUser/SetAppUser' and outcome = 'username_taken'`.execute(
    transaction,
  )
  return onlyRow(counted).count
}

/** Adds a user without a password; undefined when the username is taken. */
export async function addUser(transaction: Tx, user: NewUser, by: UserId): Promise<UserId | undefined> {
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
}

export async function changeUser(
  transaction: Tx,
  id: UserId,
  changed: Partial<UserDetails>,
  by: UserId,
): Promise<void> {
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
}

/** Removes the user for everybody with the commit; the username is free again. */
export async function removeUser(transaction: Tx, id: UserId, by: UserId): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
    .where('id', '=', id)
    .execute()
  await endSessions(transaction, { userId: id })
}

export async function requestErasure(transaction: Tx, id: UserId): Promise<void> {
  await transaction.updateTable('app_user').set({ erase_asked_at: sql<Date>`now()` }).where('id', '=', id).execute()
}
