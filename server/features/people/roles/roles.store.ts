import { type SqlBool, sql } from 'kysely'
import type { RoleId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'

export interface RoleRow {
  readonly id: RoleId
  readonly name: string
  readonly accountId: number
  readonly createdAt: Date
  readonly functions: readonly FunctionId[]
  readonly allowsAssistants: boolean
  /** Users within the scope who are not disabled. */
  readonly activeUsers: number
  readonly requiresBoundSession: boolean
  /** Null when the role requires no second factor. */
  readonly factorGraceDays: number | null
}

/** These columns of a role do not concern its functions. */
export const ROLE_FLAGS = ['requiresBoundSession', 'allowsAssistants'] as const
export type RoleFlags = Pick<RoleRow, (typeof ROLE_FLAGS)[number]>

export type KnownRole = Pick<RoleRow, 'name' | 'functions' | 'factorGraceDays'> & RoleFlags

export interface RoleFunctionRow {
  readonly functionId: FunctionId
  readonly createdAt: Date
  readonly createdBy: UserId | null
}

export interface RoleStore {
  /** Lists the roles that exist, by name. */
  readonly list: (scope: Scope) => Promise<readonly RoleRow[]>
  readonly find: (id: RoleId, scope: Scope) => Promise<RoleRow | undefined>
  readonly functionsOf: (id: RoleId) => Promise<readonly RoleFunctionRow[]>
  readonly known: (id: RoleId, transaction: Tx) => Promise<KnownRole | undefined>
  readonly isNameTaken: (name: string, exceptId: number, transaction: Tx) => Promise<boolean>
  readonly add: (name: string, by: UserId, transaction: Tx) => Promise<RoleId>
  readonly rename: (id: RoleId, name: string, by: UserId, transaction: Tx) => Promise<void>
  readonly setFlags: (id: RoleId, flags: RoleFlags, by: UserId, transaction: Tx) => Promise<void>
  /** A changed number of days counts from the same moment as before. */
  readonly setFactorGrace: (id: RoleId, days: number | null, by: UserId, transaction: Tx) => Promise<void>
  /** Functions that stay keep the day on which they were granted. */
  readonly setFunctions: (id: RoleId, functions: readonly FunctionId[], by: UserId, transaction: Tx) => Promise<void>
  /** Tells whether an existing user has the role, disabled or not. */
  readonly isInUse: (id: RoleId, transaction: Tx) => Promise<boolean>
  readonly remove: (id: RoleId, by: UserId, transaction: Tx) => Promise<void>
}

function rolesIn(db: Db, scope: Scope) {
  const customer = scope.kind === 'everything' ? sql`` : sql`and u.customer_id = ${scope.customerId}`
  return db
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
        and u.deleted_at is null and not u.is_disabled ${customer})`.as('activeUsers'),
    ])
    .where('app_role.deleted_at', 'is', null)
}

export function createRoleStore(db: Db): RoleStore {
  return {
    list: (scope) => rolesIn(db, scope).orderBy(sql`lower(app_role.name)`).orderBy('app_role.id').execute(),

    find: (id, scope) => rolesIn(db, scope).where('app_role.id', '=', id).executeTakeFirst(),

    functionsOf: (id) =>
      db
        .selectFrom('app_role_function')
        .select([
          sql<FunctionId>`function_id::int`.as('functionId'),
          'created_at as createdAt',
          'created_by as createdBy',
        ])
        .where('role_id', '=', id)
        .orderBy('function_id')
        .execute(),

    known: (id, transaction) =>
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
        .executeTakeFirst(),

    isNameTaken: async (name, exceptId, transaction) => {
      const found = await transaction
        .selectFrom('app_role')
        .select('id')
        .where(sql<SqlBool>`lower(name) = lower(${name})`)
        .where(sql<SqlBool>`id <> ${exceptId}`)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return found !== undefined
    },

    add: async (name, by, transaction) => {
      const { id } = await transaction
        .insertInto('app_role')
        .values({ name, created_by: by })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    rename: async (id, name, by, transaction) => {
      await transaction
        .updateTable('app_role')
        .set({ name, updated_at: sql<Date>`now()`, updated_by: by })
        .where('id', '=', id)
        .execute()
    },

    setFlags: async (id, { requiresBoundSession, allowsAssistants }, by, transaction) => {
      await transaction
        .updateTable('app_role')
        .set({
          requires_bound_session: requiresBoundSession,
          allows_assistants: allowsAssistants,
          updated_at: sql<Date>`now()`,
          updated_by: by,
        })
        .where('id', '=', id)
        .execute()
    },

    setFactorGrace: async (id, days, by, transaction) => {
      await transaction
        .updateTable('app_role')
        .set({
          factor_grace_days: days,
          factor_required_at: days === null ? null : sql<Date>`coalesce(factor_required_at, now())`,
          updated_at: sql<Date>`now()`,
          updated_by: by,
        })
        .where('id', '=', id)
        .execute()
    },

    setFunctions: async (id, functions, by, transaction) => {
      await sql`delete from app_role_function where role_id = ${id}
        and function_id <> all(${[...functions]}::smallint[])`.execute(transaction)
      await sql`insert into app_role_function (role_id, function_id, created_by)
        select ${id}, f, ${by} from unnest(${[...functions]}::smallint[]) f
        on conflict do nothing`.execute(transaction)
    },

    isInUse: async (id, transaction) => {
      const user = await transaction
        .selectFrom('app_user')
        .select('id')
        .where('role_id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return user !== undefined
    },

    remove: async (id, by, transaction) => {
      await transaction
        .updateTable('app_role')
        .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
        .where('id', '=', id)
        .execute()
    },
  }
}
