import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { UserSortColumn } from '#contract/call/listOptions.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { containing } from '#server/db/queries/containing.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { exactTotal, type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { rowsOf, toUser, usersIn } from './userRows.store.ts'

export interface UserListFilter {
  readonly email?: string | undefined
  /** False for callers who may read only usernames: searching must not reveal addresses to them. */
  readonly searchesAddresses: boolean
  readonly customerId?: CustomerId | undefined
  /** Only users who may own the alerts of this device are listed. */
  readonly deviceId?: DeviceId | undefined
}

export interface UserListOrder {
  readonly sort: UserSortColumn
  readonly isDescending: boolean
}

export interface UserPlace {
  readonly rank: string
  readonly id: number
}

/** Sorts by what a column shows, whatever the case. */
const RANKS: Record<UserSortColumn, RawBuilder<string>> = {
  username: sql`name_order(app_user.username)`,
  name: sql`name_order(case when app_user.first_name <> '' and app_user.last_name <> ''
    then app_user.first_name || ' ' || app_user.last_name else app_user.username end)`,
  email: sql`name_order(app_user.email)`,
  role: sql`name_order(app_role.name)`,
  customer: sql`name_order(coalesce(customer.name, ''))`,
}

export async function readUsers(
  db: Db,
  scope: Scope,
  filter: UserListFilter,
  { sort, isDescending }: UserListOrder,
  page: PageRequest<UserPlace> | undefined,
) {
  const rank = RANKS[sort]
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const comparison = sql.raw(isDescending ? '<' : '>')
  let found = rowsOf(db, scope)
    .where(matching(filter))
    .select(rank.as('rank'))
    .orderBy(sql`${rank} ${direction}, app_user.id ${direction}`)
  if (page?.after) {
    const { rank: afterRank, id } = page.after
    found = found.where(sql<SqlBool>`(${rank}, app_user.id) ${comparison} (${afterRank}, ${id})`)
  }
  if (page) found = found.offset(page.skip).limit(page.size)
  const rows = await found.execute()
  return rows.map((row) => ({ user: toUser(row), place: { rank: row.rank, id: row.id } }))
}

/** The count is exact up to 10,000 and null beyond. */
export async function countUsers(db: Db, scope: Scope, filter: UserListFilter): Promise<number | null> {
  const some = usersIn(db, scope).where(matching(filter)).select('app_user.id').limit(ROWS_TO_COUNT).as('some')
  const { count } = await db.selectFrom(some).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return exactTotal(count)
}

function matching({ email, searchesAddresses, customerId, deviceId }: UserListFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (email !== undefined) {
    const inUsername = sql<SqlBool>`app_user.username ilike ${containing(email)}`
    conditions.push(searchesAddresses ? sql`(${inUsername} or app_user.email ilike ${containing(email)})` : inUsername)
  }
  if (customerId !== undefined) conditions.push(sql`app_user.customer_id = ${customerId}`)
  if (deviceId !== undefined) {
    conditions.push(sql`(not app_user.is_disabled and (app_user.customer_id is null
      or app_user.customer_id = (select d.customer_id from device d where d.id = ${deviceId})))`)
  }
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}
