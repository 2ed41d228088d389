import { useMediaQuery } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type Column, DataTable } from '#console/ui/DataTable.tsx'
import { RowButton } from '#console/ui/RowButton.tsx'
import type { AppRole } from '#contract/http/appRole.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly roles: readonly AppRole[]
  readonly onEdit: (role: AppRole) => void
  readonly onRemove: (role: AppRole) => void
}

const nameColumn = (widthPx: number): Column<AppRole> => ({
  id: 'name',
  header: 'Name',
  widthPx,
  isStrong: true,
  cell: ({ name }) => name,
  title: ({ name }) => name,
})
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

export function RoleTable({ roles, onEdit, onRemove }: Props) {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const buttons: Column<AppRole> = {
    id: 'buttons',
    header: 'Edit and remove',
    hidesHeader: true,
    widthPx: 84,
    isRight: true,
    cell: (role) => (
      <span className="row-buttons">
        <RowButton name="Edit" of={role.name} icon={IconPencil} onClick={() => onEdit(role)} />
        <RowButton name="Remove" of={role.name} icon={IconTrash} onClick={() => onRemove(role)} />
      </span>
    ),
  }
  return (
    <DataTable
      label="Roles"
      // What one does comes before what must be scrolled to.
      columns={
        isNarrow
          ? [nameColumn(170), buttons, USERS_COLUMN, FUNCTIONS_COLUMN]
          : [nameColumn(220), FUNCTIONS_COLUMN, USERS_COLUMN, buttons]
      }
      rows={roles}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={700}
    />
  )
}
