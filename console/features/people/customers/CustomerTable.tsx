import { IconBan, IconCircleCheckFilled, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { CustomerRecord } from '#contract/http/people/customers.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly customers: readonly CustomerRecord[]
  readonly linkTo: (customer: CustomerRecord) => Address
  readonly onEdit: (customer: CustomerRecord) => void
  readonly onSetActive: (customer: CustomerRecord, isActive: boolean) => void
}

const COLUMNS: readonly Column<CustomerRecord>[] = [
  {
    id: 'country',
    header: 'Country',
    widthPx: 180,
    isDim: true,
    cell: ({ countryName }) => countryName || UNKNOWN_TEXT,
    title: ({ countryName }) => countryName,
  },
  { id: 'devices', header: 'Devices', widthPx: 90, isRight: true, cell: ({ devices }) => devices },
  { id: 'users', header: 'Active users', widthPx: 110, isRight: true, cell: ({ activeUsers }) => activeUsers },
  { id: 'state', header: 'State', widthPx: 130, cell: ({ isActive }) => <State isActive={isActive} /> },
]

const STACKED: StackedCell<CustomerRecord> = {
  header: 'Customer',
  cell: ({ countryName, devices, activeUsers, isActive }, name) => (
    <>
      <b>{name}</b>
      <span className="is-dim">{countryName || UNKNOWN_TEXT}</span>
      <span className="is-dim">
        Devices {devices} · Active users {activeUsers}
      </span>
      <State isActive={isActive} />
    </>
  ),
}

export function CustomerTable({ customers, linkTo, onEdit, onSetActive }: Props) {
  const nameColumn = textColumn('name', 'Name', ({ name }: CustomerRecord) => name, { isStrong: true, to: linkTo })
  const buttons = buttonColumn('Edit, activate and deactivate', 84, (customer: CustomerRecord) => (
    <>
      <RowButton name="Edit" of={customer.name} icon={IconPencil} onClick={() => onEdit(customer)} />
      {customer.isActive ? (
        <RowButton
          name="Deactivate"
          of={customer.name}
          icon={IconPlayerPause}
          onClick={() => onSetActive(customer, false)}
        />
      ) : (
        <RowButton
          name="Activate"
          of={customer.name}
          icon={IconPlayerPlay}
          onClick={() => onSetActive(customer, true)}
        />
      )}
    </>
  ))
  return (
    <DataTable
      label="Customers"
      columns={[nameColumn, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={customers}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={760}
    />
  )
}

function State({ isActive }: { readonly isActive: boolean }) {
  const Icon = isActive ? IconCircleCheckFilled : IconBan
  return (
    <Badge tone={isActive ? 'ok' : 'off'} icon={Icon}>
      {isActive ? 'Active' : 'Deactivated'}
    </Badge>
  )
}
