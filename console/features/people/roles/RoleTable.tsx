import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { AppRole } from '#contract/http/people/roles.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

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

export function RoleTable({ roles, linkTo, onEdit, onRemove }: Props) {
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
