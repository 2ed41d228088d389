import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { formatDateTime } from '#console/lib/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { AlertCount } from '#console/ui/AlertCount.tsx'
import { ConnectionBadge } from '#console/ui/ConnectionBadge.tsx'
import { type Column, DataTable } from '#console/ui/DataTable.tsx'
import { StatusBadge } from '#console/ui/StatusBadge.tsx'
import type { Device, DeviceSortColumn } from '#contract/http/device.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { BulkSelection } from './useBulkSelection.ts'

type ColumnId = DeviceSortColumn | 'details' | 'chosen'

/** `hasRoom`: whether ages fit beside the words. */
const columns = (hasRoom: boolean): Record<Exclude<ColumnId, 'chosen'>, Column<Device, ColumnId>> => ({
  model: {
    id: 'model',
    header: 'Model',
    widthPx: hasRoom ? 190 : 128,
    isSortable: true,
    isDim: true,
    cell: ({ modelId }) => deviceModelName(modelId),
    title: ({ modelId }) => deviceModelName(modelId),
  },
  name: {
    id: 'name',
    header: 'Name',
    isSortable: true,
    isStrong: true,
    cell: ({ name }) => name,
    title: ({ name }) => name,
  },
  address: {
    id: 'address',
    header: 'Address',
    ...(hasRoom ? {} : { widthPx: 116 }),
    isSortable: true,
    isDim: true,
    cell: ({ address }) => address || UNKNOWN_TEXT,
    title: ({ address }) => address,
  },
  status: {
    id: 'status',
    header: 'Status',
    widthPx: 126,
    isSortable: true,
    cell: ({ statusId }) => <StatusBadge statusId={statusId} />,
  },
  connected: {
    id: 'connected',
    header: 'Connected',
    widthPx: hasRoom ? 180 : 104,
    isSortable: true,
    cell: (device) => <Connected device={device} hasRoom={hasRoom} />,
    title: ({ lastEvent }) => (lastEvent ? `Last event ${formatDateTime(lastEvent)}` : 'No event yet'),
  },
  alerts: {
    id: 'alerts',
    header: 'Alerts',
    widthPx: 72,
    isSortable: true,
    isRight: true,
    cell: ({ activeAlerts }) => <AlertCount count={activeAlerts} />,
  },
  details: {
    id: 'details',
    header: 'Details',
    hidesHeader: true,
    widthPx: 76,
    isRight: true,
    cell: ({ guid, name }) => (
      <Link to="/devices/$guid/details" params={{ guid }} aria-label={`Details of ${name}`}>
        Details
      </Link>
    ),
  },
})
const ROOMY_COLUMNS = columns(true)
const TIGHT_COLUMNS = columns(false)

const WIDE: readonly Exclude<ColumnId, 'chosen'>[] = [
  'model',
  'name',
  'address',
  'status',
  'connected',
  'alerts',
  'details',
]
/** What identifies a device and how it is comes first where the rest must be scrolled to. */
const NARROW: readonly Exclude<ColumnId, 'chosen'>[] = [
  'name',
  'connected',
  'status',
  'alerts',
  'details',
  'address',
  'model',
]

const AT_ONCE = { getInitialValueInEffect: false }

interface Props {
  readonly devices: readonly Device[]
  readonly sort: { readonly column: DeviceSortColumn; readonly descending: boolean }
  readonly onSort: (column: DeviceSortColumn, descending: boolean) => void
  readonly onOpen: (device: Device) => void
  readonly firstRow: number
  readonly total: number | null
  readonly selection: BulkSelection
}

export function DeviceTable({ devices, sort, onSort, onOpen, firstRow, total, selection }: Props) {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, AT_ONCE)
  const hasRoom = useMediaQuery('(min-width: 1200px)', true, AT_ONCE)
  const offered = hasRoom ? ROOMY_COLUMNS : TIGHT_COLUMNS
  return (
    <DataTable
      label="Devices"
      columns={[
        ...(selection.isOn ? [choiceColumn(selection)] : []),
        ...(isNarrow ? NARROW : WIDE).map((id) => offered[id]),
      ]}
      rows={devices}
      rowKey={({ id }) => id}
      sort={{ id: sort.column, descending: sort.descending }}
      onSort={({ id, descending }) => {
        if (id !== 'details' && id !== 'chosen') onSort(id, descending)
      }}
      // While devices are chosen, a click that opened one would lose the choice.
      onOpen={selection.isOn ? ({ id }) => selection.toggle(id) : onOpen}
      rowAttributes={({ id }) => ({ 'data-chosen': selection.ids.has(id) || undefined })}
      opensOnClick
      minWidthPx={isNarrow ? 770 : 740}
      firstRow={firstRow}
      total={total}
    />
  )
}

/** First of all columns while devices are chosen. */
function choiceColumn({ ids, isFull, toggle }: BulkSelection): Column<Device, ColumnId> {
  return {
    id: 'chosen',
    header: 'Selected',
    hidesHeader: true,
    widthPx: 40,
    cell: ({ id, name }) => (
      <Checkbox
        size="xs"
        aria-label={`Select ${name}`}
        checked={ids.has(id)}
        disabled={isFull && !ids.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  }
}

interface ConnectedProps {
  readonly device: Device
  readonly hasRoom: boolean
}

function Connected({ device: { connStatusId, lastEvent }, hasRoom }: ConnectedProps) {
  return (
    <span className="device-connected">
      <ConnectionBadge connStatusId={connStatusId} />
      {hasRoom && lastEvent && (
        <span className="dim">
          <Age at={lastEvent} />
        </span>
      )}
    </span>
  )
}
