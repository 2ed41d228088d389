import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { pageAfter, pageBefore, pageOf, withoutEmpty } from '#console/lib/listAddress.ts'
import { useIsCustomerUser } from '#console/lib/session.ts'
import { useCall } from '#console/lib/useCall.ts'
import { useReload } from '#console/lib/useReload.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { unreadParameters } from '#console/router/unread.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Pager } from '#console/ui/Pager.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { type AppUser, type ListedUser, listUsers } from '#contract/http/appUser.ts'
import type { AnswerOf } from '#contract/http/call.ts'
import { AddUserModal } from './AddUserModal.tsx'
import { UserTable } from './UserTable.tsx'
import { userDetails } from './userDetails.ts'
import {
  BARE_USER_LIST,
  isFiltered,
  readUserListAddress,
  type UserListAddress,
  userListQueryOf,
} from './userListAddress.ts'
import './users.css'

/** `/users` (P2 §2 "Users page"). */
export function UsersScreen() {
  const navigate = useNavigate()
  const { given: search, change } = useAddress('/users')
  const address = readUserListAddress(search, useIsCustomerUser())
  const users = useCall(listUsers, userListQueryOf(address), { keepsPrevious: true })
  const { isReloading, reloadNow } = useReload(users)
  const [isAdding, setIsAdding] = useState(false)
  const [resets, setResets] = useState(0)

  const go = (next: UserListAddress) => change({ ...BARE_USER_LIST, ...next })
  const filter = (part: { readonly [Name in 'email' | 'customerId']?: UserListAddress[Name] | undefined }) => {
    const { page: _page, next: _next, ...kept } = address
    go(withoutEmpty({ ...kept, ...part }) as UserListAddress)
  }
  const reset = () => {
    // A text that was never asked for is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    go({})
  }
  const page = users.data && pageIn(users.data)
  const next = page?.next ? pageAfter(address, page.next) : undefined
  const previous = pageBefore(address)
  const firstRow = (pageOf(address) - 1) * ROWS_PER_PAGE + 1

  return (
    <Screen
      title="Users"
      unread={unreadParameters(search, Object.keys(BARE_USER_LIST), readUserListAddress(search, false))}
      actions={
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          Add user
        </Button>
      }
    >
      <Panel>
        <FilterBar onReload={() => void reloadNow()} onReset={reset} isLoading={isReloading}>
          <FilterText
            key={resets}
            name="Email"
            value={address.email ?? ''}
            onChange={(email) => filter({ email: email || undefined })}
          />
          <CustomerPicker
            placeholder="All customers"
            value={address.customerId}
            onChange={(customerId) => filter({ customerId })}
          />
        </FilterBar>
        <AsyncView
          query={users}
          isEmpty={(answer) => pageIn(answer).rows.length === 0}
          empty={<EmptyNote title={isFiltered(address) ? 'No user matches this filter' : 'There are no users'} />}
        >
          {(answer) => (
            <UserTable
              users={pageIn(answer).rows}
              sort={{ id: address.sort ?? 'username', descending: address.descending ?? false }}
              onSort={(sort, descending) => {
                const { page: _page, next: _next, descending: _descending, ...kept } = address
                go({ ...kept, sort, ...(descending ? { descending: true } : {}) })
              }}
              onOpen={({ id }) => navigate(userDetails(id))}
              firstRow={firstRow}
              total={pageIn(answer).total}
            />
          )}
        </AsyncView>
        {page && (
          <Pager
            firstRow={firstRow}
            shownCount={page.rows.length}
            total={page.total}
            onPrevious={previous && (() => go(previous))}
            onNext={next && (() => go(next))}
          />
        )}
      </Panel>
      <AddUserModal isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Screen>
  )
}

/** Admins read whole users; somebody who is none any more is refused with the next look. */
function pageIn(answer: AnswerOf<typeof listUsers>) {
  const page = Array.isArray(answer) ? { rows: answer, total: answer.length, next: null } : answer
  return { ...page, rows: page.rows.filter(isWhole) }
}

const isWhole = (user: ListedUser): user is AppUser => 'roleId' in user
