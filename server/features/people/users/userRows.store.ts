import { sql } from 'kysely'
import type { AppUser } from '#contract/http/people/users.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'
import { usersWithin } from '#server/people/usersWithin.store.ts'

export const usersIn = (db: Db, scope: Scope) =>
  db
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .leftJoin('customer', 'customer.id', 'app_user.customer_id')
    .where('app_user.deleted_at', 'is', null)
    .where(usersWithin(scope))

/** Selects the author, as far as the scope may know them. */
const by = (column: string, scope: Scope) =>
  scope.kind === 'everything'
    ? sql<AppUser['createdBy']>`${sql.ref(column)}`
    : sql<AppUser['createdBy']>`(select a.id from app_user a
        where a.id = ${sql.ref(column)} and a.customer_id = ${scope.customerId})`

const userColumns = (scope: Scope) =>
  [
    'app_user.id',
    'app_user.username',
    'app_user.first_name',
    'app_user.last_name',
    'app_user.email',
    'app_user.role_id',
    'app_user.customer_id',
    'app_user.is_lab',
    'app_user.is_disabled',
    'app_user.created_at',
    'app_user.updated_at',
    'app_user.deleted_at',
    by('app_user.created_by', scope).as('created_by'),
    by('app_user.updated_by', scope).as('updated_by'),
    by('app_user.deleted_by', scope).as('deleted_by'),
    'app_role.name as role_name',
    'customer.name as customer_name',
    functionsOfRole.as('functions'),
    sql<boolean>`app_user.password_hash is not null`.as('has_password'),
    sql<number>`(select account_id from installation)`.as('account_id'),
  ] as const

export const rowsOf = (db: Db, scope: Scope) => usersIn(db, scope).select(userColumns(scope))
type UserRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

export function toUser(row: UserRow): AppUser {
  return {
    id: row.id,
    accountId: row.account_id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    roleId: row.role_id,
    customerId: row.customer_id,
    password: row.has_password ? 'set' : 'pending',
    isAdmin: row.functions.includes(FUNCTION.admin),
    isLab: row.is_lab,
    isDisabled: row.is_disabled,
    created: row.created_at.toISOString(),
    createdBy: row.created_by,
    updated: row.updated_at?.toISOString() ?? null,
    updatedBy: row.updated_by,
    deleted: row.deleted_at?.toISOString() ?? null,
    deletedBy: row.deleted_by,
    roleName: row.role_name,
    customerName: row.customer_name ?? '',
  }
}
