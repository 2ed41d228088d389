import { IconBan, IconCircleCheckFilled, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import type { CustomerRecord } from '#contract/http/people/customers.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import '#console/ui/Badge.css'

interface Props {
  readonly customers: readonly CustomerRecord[]
  readonly onEdit: (customer: CustomerRecord) => void
  readonly onSetActive: (customer: CustomerRecord, isActive: boolean) => void
}

const NAME: Column<CustomerRecord> = {
  id: 'name',
  header: 'Name',
  isStrong: true,
  cell: ({ name }) => name,
  title: ({ name }) => name,
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
  cell: ({ name, countryName, devices, activeUsers, isActive }) => (
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

export function CustomerTable({ customers, onEdit, onSetActive }: Props) {
  const buttons: Column<CustomerRecord> = {
    id: 'buttons',
    header: 'Edit, activate and deactivate',
    hidesHeader: true,
    staysWhenStacked: true,
    widthPx: 84,
    isRight: true,
    cell: (customer) => (
      <span className="row-buttons">
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
      </span>
    ),
  }
  return (
    <DataTable
      label="Customers"
      columns={[NAME, ...COLUMNS, buttons]}
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
    <span className={`badge badge-${isActive ? 'ok' : 'off'}`}>
      <Icon size={15} aria-hidden />
      {isActive ? 'Active' : 'Deactivated'}
    </span>
  )
}
