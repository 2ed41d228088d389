import { z } from 'zod'
import { USER_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import { textValue } from '#contract/call/values.ts'
import type { AppUser, ListedUser, userListQuery } from '#contract/http/people/users.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { askedPage, isPaged, readPage, readPageKey } from '#server/http/reading/pages.ts'
import type { UserListOrder, UserListStore, UserPlace } from './userList.store.ts'
import type { UserStore } from './users.store.ts'

type Query = z.output<typeof userListQuery>

export interface UserPage {
  rows: ListedUser[]
  total: number | null
  next: string | null
}

const PAGE_SIZE = 100

/** The last row of a page, and the order that it belongs to. */
const pageKey = z.strictObject({
  sort: z.enum(USER_SORT_COLUMNS),
  descending: z.boolean(),
  rank: textValue(2000),
  id: z.int32(),
})

export interface UserListDeps {
  readonly list: UserListStore
  readonly store: Pick<UserStore, 'customer'>
  readonly visibleDevices: VisibleDevices
}

/** Answers a plain list where no page is asked for, and otherwise a page (rules/calls 11). */
export function createUserList({ list, store, visibleDevices }: UserListDeps) {
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
    // Another order would reveal something about fields that are not shown.
    const sort = isAdmin ? (query.sort ?? 'username') : 'username'
    const order: UserListOrder = { sort, isDescending: query.descending ?? false }
    const shown = isAdmin ? (user: AppUser): ListedUser => user : ({ id, username }: AppUser) => ({ id, username })
    if (!isPaged(query)) return (await list.page(scope, filter, order, undefined)).map(({ user }) => shown(user))
    const page = askedPage(query, PAGE_SIZE, (key) => placeIn(order, key))
    const [{ rows, next }, total] = await Promise.all([
      readPage(
        page,
        (asked) => list.page(scope, filter, order, asked),
        ({ place }) => ({ sort, descending: order.isDescending, ...place }),
      ),
      list.count(scope, filter),
    ])
    return { rows: rows.map(({ user }) => shown(user)), total, next }
  }
}
export type UserList = ReturnType<typeof createUserList>

/** @throws CallError `invalid_request` for the key of another order */
function placeIn({ sort, isDescending }: UserListOrder, key: string): UserPlace {
  const { rank, id, ...of } = readPageKey(key, pageKey)
  if (of.sort !== sort || of.descending !== isDescending) throw new CallError('invalid_request', notValid('next'))
  return { rank, id }
}
