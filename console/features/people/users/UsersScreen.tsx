import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '#console/lib/list/useList.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { useNavigate } from '#console/router/Router.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type AppUser, type ListedUser, listUsers } from '#contract/http/people/users.ts'
import { UserTable } from './UserTable.tsx'
import { userDetails } from './userDetails.ts'
import './users.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const AddUserModal = lazyDialog(() => import('./AddUserModal.tsx').then((part) => part.AddUserModal))

/** The page `/users` lists the users (rules/lists 11). */
export function UsersScreen() {
  const navigate = useNavigate()
  const list = useList(listUsers, { at: '/users', order: 'username' })
  const [isAdding, setIsAdding] = useState(false)
  const { filter, narrow } = list
  return (
    <Screen
      title="Users"
      unread={list.unread}
      actions={
        <AddButton
          actionId="user.add"
          label="Add user"
          searchTerms="new create invite"
          icon={IconUserPlus}
          onClick={() => setIsAdding(true)}
        />
      }
    >
      <ListPanel
        list={list}
        noun={['user', 'users']}
        empty="There are no users"
        filter={
          <>
            <FilterText name="Email" value={filter.email ?? ''} onChange={(email) => narrow({ email })} />
            <CustomerPicker
              placeholder="All customers"
              value={filter.customerId}
              onChange={(customerId) => narrow({ customerId })}
            />
          </>
        }
      >
        {(users) => (
          <UserTable users={users.filter(isWhole)} {...list.table} onOpen={({ id }) => navigate(userDetails(id))} />
        )}
      </ListPanel>
      <AddUserModal isOpen={isAdding} onClose={() => setIsAdding(false)} />
    </Screen>
  )
}

/** Only admins read whole users; a user who is no longer an admin is refused by the next call. */
const isWhole = (user: ListedUser): user is AppUser => 'roleId' in user
