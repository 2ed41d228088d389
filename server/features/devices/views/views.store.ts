import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ViewContent, ViewPage } from '#contract/http/devices/views.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
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
  where ${condition} order by name_order(v.name), v.id`

const written = ({ name, content, roleId, customerId }: WrittenView) => ({
  name,
  content: JSON.stringify(content),
  shared_role_id: roleId,
  shared_customer_id: customerId,
})

export const listVisibleViews = async (db: Db, page: ViewPage, caller: Caller): Promise<readonly ViewRow[]> =>
  (await viewsWhere(sql`v.page = ${page} and ${visibleTo(caller)}`).execute(db)).rows

export async function lockView(transaction: Tx, id: number, caller: Caller): Promise<ViewRow | undefined> {
  await sql`select from saved_view where id = ${id} for update`.execute(transaction)
  return (await viewsWhere(sql`v.id = ${id} and ${visibleTo(caller)}`).execute(transaction)).rows[0]
}

export async function readDefaultViewId(db: Db, page: ViewPage, userId: UserId): Promise<number | undefined> {
  const found = await db
    .selectFrom('default_view')
    .select('view_id')
    .where('user_id', '=', userId)
    .where('page', '=', page)
    .executeTakeFirst()
  return found?.view_id
}

/** Null takes the default of the page away. */
export async function changeDefaultView(
  transaction: Tx,
  page: ViewPage,
  userId: UserId,
  id: number | null,
): Promise<void> {
  if (id === null) {
    await transaction.deleteFrom('default_view').where('user_id', '=', userId).where('page', '=', page).execute()
    return
  }
  await transaction
    .insertInto('default_view')
    .values({ user_id: userId, page, view_id: id })
    .onConflict((conflict) => conflict.columns(['user_id', 'page']).doUpdateSet({ view_id: id }))
    .execute()
}

/** Counts a user's views, and makes other changes of their views wait until the commit. */
export async function countOwnViews(transaction: Tx, userId: UserId): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(transaction)
  const counted = sql<{ count: number }>`
    select count(*)::int as count from saved_view where owner_id = ${userId}`
  return onlyRow(await counted.execute(transaction)).count
}

export async function isViewNameTaken(
  transaction: Tx,
  view: { readonly ownerId: UserId; readonly page: ViewPage; readonly name: string; readonly exceptId: number },
): Promise<boolean> {
  const found = await transaction
    .selectFrom('saved_view')
    .select('id')
    .where('owner_id', '=', view.ownerId)
    .where('page', '=', view.page)
    .where(sql<SqlBool>`lower(name) = lower(${view.name})`)
    .where(sql<SqlBool>`id <> ${view.exceptId}`)
    .executeTakeFirst()
  return found !== undefined
}

export const hasRole = async (transaction: Tx, id: RoleId): Promise<boolean> =>
  (await transaction
    .selectFrom('app_role')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

export async function addView(transaction: Tx, ownerId: UserId, page: ViewPage, view: WrittenView): Promise<number> {
  const { id } = await transaction
    .insertInto('saved_view')
    .values({ owner_id: ownerId, page, ...written(view) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function changeView(transaction: Tx, id: number, view: WrittenView): Promise<void> {
  await transaction.updateTable('saved_view').set(written(view)).where('id', '=', id).execute()
}

export async function deleteViewRow(transaction: Tx, id: number): Promise<void> {
  await transaction.deleteFrom('saved_view').where('id', '=', id).execute()
}
