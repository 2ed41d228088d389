import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { nameOf } from '#console/lib/userName.ts'
import { Link } from '#console/router/Router.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { UserSortColumn } from '#contract/call/listOptions.ts'
import type { AppUser } from '#contract/http/people/users.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { UserStateBadge } from './UserStateBadge.tsx'
import { userDetails } from './userDetails.ts'

type ColumnId = UserSortColumn | 'state' | 'details'

const hasFullName = (user: AppUser) => nameOf(user) !== user.username

const COLUMNS: readonly Column<AppUser, ColumnId>[] = [
  textColumn('username', 'Email', ({ username }) => username, {
    isSortable: true,
    isStrong: true,
    to: ({ id }) => userDetails(id),
  }),
  {
    id: 'name',
    header: 'Name',
    isSortable: true,
    widthPx: 180,
    cell: (user) => (hasFullName(user) ? nameOf(user) : UNKNOWN_TEXT),
    title: nameOf,
  },
  textColumn('role', 'User role', ({ roleName }) => roleName, { isSortable: true, widthPx: 160 }),
  textColumn('customer', 'Customer', ({ customerName }) => customerName || 'Staff', {
    isSortable: true,
    widthPx: 170,
    leaves: 2,
    isDim: true,
  }),
  { id: 'state', header: 'State', widthPx: 150, leaves: 1, cell: (user) => <UserStateBadge user={user} /> },
  {
    id: 'details',
    header: 'Details',
    hidesHeader: true,
    staysWhenStacked: true,
    widthPx: 76,
    isRight: true,
    cell: ({ id, username }) => (
      <Link to={userDetails(id)} aria-label={`Details of ${username}`}>
        Details
      </Link>
    ),
  },
]

const stackedCell = (hasCustomer: boolean): StackedCell<AppUser> => ({
  header: 'User',
  cell: (user, name) => (
    <>
      <b>{name}</b>
      {hasFullName(user) && <span>{nameOf(user)}</span>}
      <span className="is-dim">
        {user.roleName}
        {hasCustomer && ` · ${user.customerName || 'Staff'}`}
      </span>
      <UserStateBadge user={user} />
    </>
  ),
})
const STACKED = stackedCell(true)
const STACKED_OF_CUSTOMER = stackedCell(false)

interface Props extends ShownPage<ColumnId> {
  readonly users: readonly AppUser[]
  readonly onOpen: (user: AppUser) => void
}

export function UserTable({ users, ...table }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const columns = COLUMNS.filter(({ id }) => id !== 'customer' || !isCustomerUser)
  return (
    <DataTable
      label="Users"
      columns={columns}
      stacked={isCustomerUser ? STACKED_OF_CUSTOMER : STACKED}
      rows={users}
      rowKey={({ id }) => id}
      opensOnClick
      minWidthPx={isCustomerUser ? 760 : 930}
      {...table}
    />
  )
}
