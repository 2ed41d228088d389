import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { UserSortColumn } from '#contract/call/listOptions.ts'
import type { AppUser } from '#contract/http/people/users.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { containing } from '#server/db/queries/containing.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { exactTotal, type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { toUser, userColumns, usersIn } from './userRows.store.ts'

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

export interface ListedUserRow {
  readonly user: AppUser
  readonly place: UserPlace
}

/** Sorts by what a column shows, whatever the case. */
const RANKS: Record<UserSortColumn, RawBuilder<string>> = {
  username: sql`lower(app_user.username)`,
  name: sql`lower(case when app_user.first_name <> '' and app_user.last_name <> ''
    then app_user.first_name || ' ' || app_user.last_name else app_user.username end)`,
  email: sql`lower(app_user.email)`,
  role: sql`lower(app_role.name)`,
  customer: sql`lower(coalesce(customer.name, ''))`,
}

export interface UserListStore {
  readonly page: (
    scope: Scope,
    filter: UserListFilter,
    order: UserListOrder,
    page: PageRequest<UserPlace> | undefined,
  ) => Promise<ListedUserRow[]>
  /** The count is exact up to 10,000 and null beyond. */
  readonly count: (scope: Scope, filter: UserListFilter) => Promise<number | null>
}

export function createUserListStore(db: Db): UserListStore {
  return {
    page: async (scope, filter, { sort, isDescending }, page) => {
      const rank = RANKS[sort]
      const direction = sql.raw(isDescending ? 'desc' : 'asc')
      const comparison = sql.raw(isDescending ? '<' : '>')
      let found = usersIn(db, scope)
        .where(matching(filter))
        .select(userColumns(scope))
        .select(rank.as('rank'))
        .orderBy(sql`${rank} ${direction}, app_user.id ${direction}`)
      if (page?.after) {
        const { rank: afterRank, id } = page.after
        found = found.where(sql<SqlBool>`(${rank}, app_user.id) ${comparison} (${afterRank}, ${id})`)
      }
      if (page) found = found.offset(page.skip).limit(page.size)
      const rows = await found.execute()
      return rows.map((row) => ({ user: toUser(row), place: { rank: row.rank, id: row.id } }))
    },

    count: async (scope, filter) => {
      const some = usersIn(db, scope).where(matching(filter)).select('app_user.id').limit(ROWS_TO_COUNT).as('some')
      const { count } = await db
        .selectFrom(some)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow()
      return exactTotal(count)
    },
  }
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
