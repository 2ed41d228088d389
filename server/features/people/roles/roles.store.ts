import { type SqlBool, sql } from 'kysely'
import type { RoleId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'
import { usersWithin } from '#server/people/usersWithin.store.ts'

export type RoleRow = Awaited<ReturnType<typeof listAllRoles>>[number]
export type RoleFunctionRow = Awaited<ReturnType<typeof functionRowsOf>>[number]

/** These columns of a role do not concern its functions. */
export const ROLE_FLAGS = ['requiresBoundSession', 'allowsAssistants'] as const

/** The number of active users counts those within the scope. */
const rolesIn = (db: Db, scope: Scope) =>
  db
    .selectFrom('app_role')
    .select([
      'app_role.id',
      'app_role.name',
      'app_role.created_at as createdAt',
      'app_role.requires_bound_session as requiresBoundSession',
      'app_role.factor_grace_days as factorGraceDays',
      sql<number>`(select account_id from installation)`.as('accountId'),
      functionsOfRole.as('functions'),
      'app_role.allows_assistants as allowsAssistants',
      sql<number>`(select count(*)::int from app_user u where u.role_id = app_role.id
        and u.deleted_at is null and not u.is_disabled and ${usersWithin(scope, 'u')})`.as('activeUsers'),
    ])
    .where('app_role.deleted_at', 'is', null)

/** Lists the roles that exist, by name. */
export const listAllRoles = (db: Db, scope: Scope) =>
  rolesIn(db, scope).orderBy(sql`name_order(app_role.name)`).orderBy('app_role.id').execute()

export const findRole = (db: Db, id: RoleId, scope: Scope) =>
  rolesIn(db, scope).where('app_role.id', '=', id).executeTakeFirst()

export const functionRowsOf = (db: Db, id: RoleId) =>
  db
    .selectFrom('app_role_function')
    .select([sql<FunctionId>`function_id::int`.as('functionId'), 'created_at as createdAt', 'created_by as createdBy'])
    .where('role_id', '=', id)
    .orderBy('function_id')
    .execute()

export const readKnownRole = (transaction: Tx, id: RoleId) =>
  transaction
    .selectFrom('app_role')
    .select([
      'name',
      'requires_bound_session as requiresBoundSession',
      'allows_assistants as allowsAssistants',
      'factor_grace_days as factorGraceDays',
      functionsOfRole.as('functions'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export async function isRoleNameTaken(transaction: Tx, name: string, exceptId: number): Promise<boolean> {
  const found = await transaction
    .selectFrom('app_role')
    .select('id')
    .where(sql<SqlBool>`lower(name) = lower(${name})`)
    .where(sql<SqlBool>`id <> ${exceptId}`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function addRole(transaction: Tx, name: string, by: UserId): Promise<RoleId> {
  const { id } = await transaction
    .insertInto('app_role')
    .values({ name, created_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const updateOf = (transaction: Tx, id: RoleId, by: UserId) =>
  transaction.updateTable('app_role').set({ updated_at: sql<Date>`now()`, updated_by: by }).where('id', '=', id)

export async function renameRole(transaction: Tx, id: RoleId, name: string, by: UserId): Promise<void> {
  await updateOf(transaction, id, by).set({ name }).execute()
}

export async function setRoleFlags(
  transaction: Tx,
  id: RoleId,
  { requiresBoundSession, allowsAssistants }: Pick<RoleRow, (typeof ROLE_FLAGS)[number]>,
  by: UserId,
): Promise<void> {
  await updateOf(transaction, id, by)
    .set({ requires_bound_session: requiresBoundSession, allows_assistants: allowsAssistants })
    .execute()
}

/** A changed number of days counts from the same moment as before. */
export async function setFactorGrace(transaction: Tx, id: RoleId, days: number | null, by: UserId): Promise<void> {
  await updateOf(transaction, id, by)
    .set({
      factor_grace_days: days,
      factor_required_at: days === null ? null : sql<Date>`coalesce(factor_required_at, now())`,
    })
    .execute()
}

/** Functions that stay keep the day on which they were granted. */
export async function setRoleFunctions(
  transaction: Tx,
  id: RoleId,
  functions: readonly FunctionId[],
  by: UserId,
): Promise<void> {
  await sql`delete from app_role_function where role_id = ${id}
    and function_id <> all(${[...functions]}::smallint[])`.execute(transaction)
  await sql`insert into app_role_function (role_id, function_id, created_by)
    select ${id}, f, ${by} from unnest(${[...functions]}::smallint[]) f
    on conflict do nothing`.execute(transaction)
}

/** Tells whether an existing user has the role, disabled or not. */
export async function isRoleInUse(transaction: Tx, id: RoleId): Promise<boolean> {
  const user = await transaction
    .selectFrom('app_user')
    .select('id')
    .where('role_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}

export async function removeRole(transaction: Tx, id: RoleId, by: UserId): Promise<void> {
  await transaction
    .updateTable('app_role')
    .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
    .where('id', '=', id)
    .execute()
}
