import { z } from 'zod'
import { USER_SORT_COLUMNS } from '#contract/call/listWords.ts'
import { textValue } from '#contract/call/values.ts'
import type { AppUser, ListedUser, userListQuery } from '#contract/http/appUser.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { readPageKey, writePageKey } from '#server/http/reading/pageKey.ts'
import { LARGEST_EXACT_TOTAL, type UserListOrder, type UserListPage, type UserListStore } from './userList.store.ts'
import type { UserStore } from './users.store.ts'

type Query = z.output<typeof userListQuery>

export interface UserPage {
  rows: ListedUser[]
  total: number | null
  next: string | null
}

const DEFAULT_PAGE_SIZE = 100

/** Where a page ended, and the order that it belongs to. */
const pageKey = z.strictObject({
  sort: z.enum(USER_SORT_COLUMNS),
  descending: z.boolean(),
  rank: textValue(2000),
  id: z.int32(),
})

export interface UserListNeeds {
  readonly list: UserListStore
  readonly store: Pick<UserStore, 'customer'>
  readonly visibleDevices: VisibleDevices
}

/** A plain list where no paging is asked for, a page where it is (decisions: Calls). */
export function createUserList({ list, store, visibleDevices }: UserListNeeds) {
  async function requireCustomer(scope: Scope, id: CustomerId): Promise<void> {
    const isForeign = scope.kind === 'customer' && scope.customerId !== id
    if (isForeign || !(await store.customer(id))) throw notFound()
  }

  return async (query: Query, caller: Caller): Promise<ListedUser[] | UserPage> => {
    const scope = scopeOf(caller)
    const isAdmin = isAllowed('admin', caller)
    const customerId = query.customerId === -1 ? undefined : query.customerId
    if (customerId !== undefined) await requireCustomer(scope, customerId)
    if (query.deviceId !== undefined) await visibleDevices.require(scope, [query.deviceId])
    const filter = { email: query.email, searchesAddresses: isAdmin, customerId, deviceId: query.deviceId }
    // Another order would tell something of what is not shown.
    const sort = isAdmin ? (query.sort ?? 'username') : 'username'
    const order: UserListOrder = { sort, isDescending: query.descending ?? false }
    const shown = isAdmin ? (user: AppUser): ListedUser => user : ({ id, username }: AppUser) => ({ id, username })
    const page = askedPage(query, order)
    if (!page) return (await list.page(scope, filter, order, undefined)).map(({ user }) => shown(user))
    // One more than asked tells whether there is a next page.
    const [found, total] = await Promise.all([
      list.page(scope, filter, order, { ...page, size: page.size + 1 }),
      list.count(scope, filter),
    ])
    const rows = found.slice(0, page.size)
    const end = found.length > page.size ? rows.at(-1) : undefined
    const next = end ? writePageKey({ sort, descending: order.isDescending, ...end.place }) : null
    return { rows: rows.map(({ user }) => shown(user)), total, next }
  }
}
export type UserList = ReturnType<typeof createUserList>

/** Undefined when no paging was asked for; a key comes before a row number. */
function askedPage(query: Query, { sort, isDescending }: UserListOrder): UserListPage | undefined {
  const { rowNum, pageSize, limit, next } = query
  if (rowNum === undefined && pageSize === undefined && limit === undefined && next === undefined) return undefined
  if (rowNum !== undefined && rowNum > LARGEST_EXACT_TOTAL) throw new CallError('page_too_deep')
  const size = Math.min(pageSize ?? limit ?? DEFAULT_PAGE_SIZE, limit ?? pageSize ?? DEFAULT_PAGE_SIZE)
  if (next === undefined) return { skip: (rowNum ?? 1) - 1, size }
  const { rank, id, ...of } = readPageKey(next, pageKey)
  if (of.sort !== sort || of.descending !== isDescending) throw new CallError('invalid_request', notValid('next'))
  return { after: { rank, id }, skip: 0, size }
}
