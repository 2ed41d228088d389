import {
  type PageAddress,
  type Parameters,
  pageQuery,
  readPage,
  withoutEmpty,
  wordOf,
} from '#console/lib/listAddress.ts'
import { text, wholeNumber } from '#console/router/addressFields.ts'
import type { listUsers } from '#contract/http/appUser.ts'
import type { QueryOf } from '#contract/http/call.ts'
import { USER_SORT_COLUMNS, type UserSortColumn } from '#contract/http/listWords.ts'
import type { CustomerId } from '#domain/ids.ts'

/** Everything of the list of users that lives in the address. */
export interface UserListAddress extends PageAddress {
  readonly email?: string
  readonly customerId?: CustomerId
  readonly sort?: UserSortColumn
  readonly descending?: true
}

/** Every parameter absent: setting an address in part would leave the others behind. */
export const BARE_USER_LIST = {
  email: undefined,
  customerId: undefined,
  sort: undefined,
  descending: undefined,
  page: undefined,
  next: undefined,
} satisfies { [Name in keyof Required<UserListAddress>]: undefined }

/** Reads an address leniently: what makes no sense is left out, the rest still counts. */
export function readUserListAddress(parameters: Parameters, isCustomerUser: boolean): UserListAddress {
  return {
    ...withoutEmpty({
      email: text(parameters.email),
      customerId: isCustomerUser ? undefined : (wholeNumber(parameters.customerId) as CustomerId | undefined),
      sort: wordOf(USER_SORT_COLUMNS, parameters.sort),
    }),
    ...(String(parameters.descending) === 'true' ? { descending: true as const } : {}),
    ...readPage(parameters),
  }
}

export const isFiltered = ({ email, customerId }: UserListAddress) => email !== undefined || customerId !== undefined

export function userListQueryOf(address: UserListAddress): QueryOf<typeof listUsers> {
  const { email, customerId, sort = 'username', descending = false } = address
  return { ...withoutEmpty({ email, customerId }), sort, descending, ...pageQuery(address) }
}
