import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ViewContent, ViewPage } from '#contract/http/devices/views.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Caller } from '#server/http/call/caller.ts'

export interface ViewRow {
  readonly id: number
  readonly page: ViewPage
  readonly name: string
  /** The content as it was stored, perhaps by another version. */
  readonly content: unknown
  readonly ownerId: UserId
  readonly ownerName: string
  readonly ownerCustomerId: CustomerId | null
  readonly roleId: RoleId | null
  readonly roleName: string | null
  readonly customerId: CustomerId | null
  readonly customerName: string | null
}

export interface WrittenView {
  readonly name: string
  readonly content: ViewContent
  readonly roleId: RoleId | null
  readonly customerId: CustomerId | null
}

export interface SavedViewStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  readonly list: (page: ViewPage, caller: Caller) => Promise<readonly ViewRow[]>
  readonly lock: (id: number, caller: Caller, transaction: Tx) => Promise<ViewRow | undefined>
  readonly defaultId: (page: ViewPage, userId: UserId) => Promise<number | undefined>
  readonly setDefault: (page: ViewPage, userId: UserId, id: number | null, transaction: Tx) => Promise<void>
  /** Counts a user's views, and makes other changes of their views wait until the commit. */
  readonly countOwn: (userId: UserId, transaction: Tx) => Promise<number>
  readonly isNameTaken: (
    view: { readonly ownerId: UserId; readonly page: ViewPage; readonly name: string; readonly exceptId: number },
    transaction: Tx,
  ) => Promise<boolean>
  readonly hasRole: (id: RoleId, transaction: Tx) => Promise<boolean>
  readonly hasCustomer: (id: CustomerId, transaction: Tx) => Promise<boolean>
  readonly add: (ownerId: UserId, page: ViewPage, view: WrittenView, transaction: Tx) => Promise<number>
  readonly change: (id: number, view: WrittenView, transaction: Tx) => Promise<void>
  readonly remove: (id: number, transaction: Tx) => Promise<void>
}

/**
 * Users see their own views and those of their role and customer. Staff admins manage shared views, so they see all.
 */
function visibleTo(caller: Caller): RawBuilder<SqlBool> {
  const { userId, roleId, customerId = null } = caller
  const managed = isAllowed('staffAdmin', caller)
    ? sql`v.shared_role_id is not null or v.shared_customer_id is not null`
    : sql`v.shared_role_id = ${roleId} or v.shared_customer_id = ${customerId}`
  return sql<SqlBool>`(v.owner_id = ${userId} or ${managed})`
}

const viewsWhere = (condition: RawBuilder<SqlBool>) => sql<ViewRow>`
  select v.id, v.page, v.name, v.content, v.owner_id as "ownerId", owner.username as "ownerName",
    owner.customer_id as "ownerCustomerId", v.shared_role_id as "roleId", role.name as "roleName",
    v.shared_customer_id as "customerId", customer.name as "customerName"
  from saved_view v join app_user owner on owner.id = v.owner_id
  left join app_role role on role.id = v.shared_role_id
  left join customer on customer.id = v.shared_customer_id
  where ${condition} order by lower(v.name), v.id`

const written = ({ name, content, roleId, customerId }: WrittenView) => ({
  name,
  content: JSON.stringify(content),
  shared_role_id: roleId,
  shared_customer_id: customerId,
})

export function createSavedViewStore(db: Db): SavedViewStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    list: async (page, caller) => (await viewsWhere(sql`v.page = ${page} and ${visibleTo(caller)}`).execute(db)).rows,

    lock: async (id, caller, transaction) => {
      await sql`select from saved_view where id = ${id} for update`.execute(transaction)
      return (await viewsWhere(sql`v.id = ${id} and ${visibleTo(caller)}`).execute(transaction)).rows[0]
    },

    defaultId: async (page, userId) => {
      const found = await db
        .selectFrom('default_view')
        .select('view_id')
        .where('user_id', '=', userId)
        .where('page', '=', page)
        .executeTakeFirst()
      return found?.view_id
    },

    setDefault: async (page, userId, id, transaction) => {
      if (id === null) {
        await transaction.deleteFrom('default_view').where('user_id', '=', userId).where('page', '=', page).execute()
        return
      }
      await transaction
        .insertInto('default_view')
        .values({ user_id: userId, page, view_id: id })
        .onConflict((conflict) => conflict.columns(['user_id', 'page']).doUpdateSet({ view_id: id }))
        .execute()
    },

    countOwn: async (userId, transaction) => {
      await sql`select from app_user where id = ${userId} for no key update`.execute(transaction)
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from saved_view where owner_id = ${userId}`.execute(transaction)
      return rows[0]?.count ?? 0
    },

    isNameTaken: async ({ ownerId, page, name, exceptId }, transaction) => {
      const found = await transaction
        .selectFrom('saved_view')
        .select('id')
        .where('owner_id', '=', ownerId)
        .where('page', '=', page)
        .where(sql<SqlBool>`lower(name) = lower(${name})`)
        .where(sql<SqlBool>`id <> ${exceptId}`)
        .executeTakeFirst()
      return found !== undefined
    },

    hasRole: async (id, transaction) =>
      (await transaction
        .selectFrom('app_role')
        .select('id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()) !== undefined,

    hasCustomer: async (id, transaction) =>
      (await transaction.selectFrom('customer').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,

    add: async (ownerId, page, view, transaction) => {
      const { id } = await transaction
        .insertInto('saved_view')
        .values({ owner_id: ownerId, page, ...written(view) })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    change: async (id, view, transaction) => {
      await transaction.updateTable('saved_view').set(written(view)).where('id', '=', id).execute()
    },

    remove: async (id, transaction) => {
      await transaction.deleteFrom('saved_view').where('id', '=', id).execute()
    },
  }
}
