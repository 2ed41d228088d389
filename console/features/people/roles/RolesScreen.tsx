import { IconPencil, IconTrash } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import type { Address } from '#console/router/addressText.ts'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { type AppRole, deleteRole, listRoles } from '#contract/http/people/roles.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const RoleModal = lazyDialog(() => import('./RoleModal.tsx').then((part) => part.RoleModal))

/** The page `/roles` lists the roles (rules/lists 11). */
export function RolesScreen() {
  const { remove, isGone } = useRemoval(deleteRole, {
    title: 'Remove role',
    question: ({ name }: AppRole) => messages.confirmRemoveRole(name),
  })
  const list = useList(listRoles, {
    at: '/roles',
    keeps: (role, { name = '' }) => !isGone(role) && role.name.toLowerCase().includes(name.toLowerCase()),
  })
  const { open, add, show, close, linkTo } = useRecordDialog('/roles', list.rows, ({ id }) => id)
  return (
    <Screen
      title="Roles"
      actions={<AddButton actionId="role.add" label="Add role" searchTerms="new create" onClick={add} />}
    >
      <ListPanel
        list={list}
        noun={['role', 'roles']}
        empty="There are no roles"
        filter={
          <FilterText name="Role name" value={list.filter.name ?? ''} onChange={(name) => list.narrow({ name })} />
        }
      >
        {(roles) => <RoleTable roles={roles} linkTo={linkTo} onEdit={show} onRemove={remove} />}
      </ListPanel>
      {open && <RoleModal role={open.record} onClose={close} />}
    </Screen>
  )
}

interface Props {
  readonly roles: readonly AppRole[]
  readonly linkTo: (role: AppRole) => Address
  readonly onEdit: (role: AppRole) => void
  readonly onRemove: (role: AppRole) => void
}

const FUNCTIONS_COLUMN: Column<AppRole> = {
  id: 'functions',
  header: 'Role functions',
  cell: ({ functions }) => functions || UNKNOWN_TEXT,
  title: ({ functions }) => functions,
}
const USERS_COLUMN: Column<AppRole> = {
  id: 'users',
  header: 'Active users',
  widthPx: 104,
  isRight: true,
  cell: ({ activeUsers }) => activeUsers,
}

const factorOf = ({ factorGraceDays }: AppRole) => (factorGraceDays === null ? 'Not needed' : 'Needed')
const FACTOR_COLUMN: Column<AppRole> = { id: 'factor', header: 'Second factor', widthPx: 124, cell: factorOf }

const STACKED: StackedCell<AppRole> = {
  header: 'Role',
  cell: ({ functions, activeUsers }, name) => (
    <>
      <b>{name}</b>
      <span>{functions || UNKNOWN_TEXT}</span>
      <span className="is-dim">Active users {activeUsers}</span>
    </>
  ),
}

function RoleTable({ roles, linkTo, onEdit, onRemove }: Props) {
  const nameColumn = textColumn('name', 'Name', ({ name }: AppRole) => name, {
    widthPx: 220,
    isStrong: true,
    to: linkTo,
  })
  const buttons = buttonColumn('Edit and remove', 84, (role: AppRole) => (
    <>
      <RowButton name="Edit" of={role.name} icon={IconPencil} onClick={() => onEdit(role)} />
      <RowButton name="Remove" of={role.name} icon={IconTrash} onClick={() => onRemove(role)} />
    </>
  ))
  return (
    <DataTable
      label="Roles"
      columns={[nameColumn, FUNCTIONS_COLUMN, USERS_COLUMN, FACTOR_COLUMN, buttons]}
      stacked={STACKED}
      rows={roles}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={800}
    />
  )
}
