import { z } from 'zod'
import { USER_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import { textValue } from '#contract/call/values.ts'
import type { AppUser, ListedUser, userListQuery } from '#contract/http/people/users.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { askedPage, isPaged, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { countUsers, readUsers, type UserListOrder, type UserPlace } from './userList.store.ts'

interface UserPage {
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

/** Answers a plain list where no page is asked for, and otherwise a page (rules/calls 11). */
export async function listOrPage(
  { db, pool }: Pick<Given, 'db' | 'pool'>,
  query: z.output<typeof userListQuery>,
  caller: Caller,
): Promise<ListedUser[] | UserPage> {
  const scope = scopeOf(caller)
  const isAdmin = isAllowed('admin', caller)
  const customerId = query.customerId === -1 ? undefined : query.customerId
  if (customerId !== undefined) await requireCustomer(db, customerId, scope)
  if (query.deviceId !== undefined) await requireVisible(pool, scope, [query.deviceId])
  const filter = { email: query.email, searchesAddresses: isAdmin, customerId, deviceId: query.deviceId }
  // Another order would reveal something about fields that are not shown.
  const sort = isAdmin ? (query.sort ?? 'username') : 'username'
  const order: UserListOrder = { sort, isDescending: query.descending ?? false }
  const shown = isAdmin ? (user: AppUser): ListedUser => user : ({ id, username }: AppUser) => ({ id, username })
  if (!isPaged(query)) return (await readUsers(db, scope, filter, order, undefined)).map(({ user }) => shown(user))
  const page = askedPage(query, PAGE_SIZE, (key) => placeIn(order, key))
  const [{ rows, next }, total] = await Promise.all([
    readPage(
      page,
      (asked) => readUsers(db, scope, filter, order, asked),
      ({ place }) => ({ sort, descending: order.isDescending, ...place }),
    ),
    countUsers(db, scope, filter),
  ])
  return { rows: rows.map(({ user }) => shown(user)), total, next }
}

/** @throws CallError `invalid_request` for the key of another order */
function placeIn({ sort, isDescending }: UserListOrder, key: string): UserPlace {
  const { rank, id, ...of } = readPageKey(key, pageKey)
  if (of.sort !== sort || of.descending !== isDescending) throw new CallError('invalid_request', notValid('next'))
  return { rank, id }
}
