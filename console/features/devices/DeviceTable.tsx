import { Checkbox } from '@mantine/core'
import { AlertCount } from '#console/alert/AlertCount.tsx'
import { ConnectionBadge } from '#console/device/ConnectionBadge.tsx'
import { LightBadge } from '#console/device/LightBadge.tsx'
import { StatusBadge } from '#console/device/StatusBadge.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { DeviceSortColumn } from '#contract/call/listWords.ts'
import type { Device } from '#contract/http/device.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { BulkSelection } from './useBulkSelection.ts'

type ColumnId = DeviceSortColumn | 'light' | 'details' | 'chosen'

const COLUMNS: Record<Exclude<ColumnId, 'chosen'>, Column<Device, ColumnId>> = {
  model: {
    id: 'model',
    header: 'Model',
    widthPx: 182,
    leaves: 3,
    isSortable: true,
    isDim: true,
    cell: ({ modelId }) => deviceModelName(modelId),
    title: ({ modelId }) => deviceModelName(modelId),
  },
  name: {
    id: 'name',
    header: 'Name',
    // The rest is for addresses, which are longer.
    widthPx: 176,
    isSortable: true,
    isStrong: true,
    cell: ({ name }) => name,
    title: ({ name }) => name,
  },
  address: {
    id: 'address',
    header: 'Address',
    leaves: 1,
    isSortable: true,
    isDim: true,
    cell: ({ address }) => address || UNKNOWN_TEXT,
    title: ({ address }) => address,
  },
  status: {
    id: 'status',
    header: 'Status',
    widthPx: 118,
    isSortable: true,
    cell: ({ statusId }) => <StatusBadge statusId={statusId} />,
  },
  light: {
    id: 'light',
    header: 'Light',
    widthPx: 118,
    leaves: 2,
    cell: (device) => <LightBadge device={device} />,
    title: ({ lightCause }) => lightCause ?? '',
  },
  connected: {
    id: 'connected',
    header: 'Connected',
    widthPx: 160,
    isSortable: true,
    cell: (device) => <Connected device={device} />,
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
    staysWhenStacked: true,
    leaves: 2,
    widthPx: 76,
    isRight: true,
    cell: ({ guid, name }) => (
      <Link to={address('/devices/$guid/details', { guid })} aria-label={`Details of ${name}`}>
        Details
      </Link>
    ),
  },
}

const ORDER = ['model', 'name', 'address', 'light', 'status', 'connected', 'alerts', 'details'] as const

const STACKED: StackedCell<Device> = {
  header: 'Device',
  cell: (device) => (
    <>
      <b>{device.name}</b>
      <span>
        <Connected device={device} />
        <StatusBadge statusId={device.statusId} />
        {device.activeAlerts > 0 && <AlertCount count={device.activeAlerts} />}
      </span>
      <span className="is-dim">
        {deviceModelName(device.modelId)}
        {device.address && ` · ${device.address}`}
      </span>
      {device.light === 'unplanned' && <span>{device.lightCause}</span>}
    </>
  ),
}

interface Props extends ShownPage<ColumnId> {
  readonly devices: readonly Device[]
  readonly onOpen: (device: Device) => void
  readonly selection: BulkSelection
}

export function DeviceTable({ devices, onOpen, selection, ...table }: Props) {
  return (
    <DataTable
      label="Devices"
      columns={[...(selection.isOn ? [choiceColumn(selection)] : []), ...ORDER.map((id) => COLUMNS[id])]}
      stacked={STACKED}
      rows={devices}
      rowKey={({ id }) => id}
      // While devices are chosen, a click that opened one would lose the choice.
      onOpen={selection.isOn ? ({ id }) => selection.toggle(id) : onOpen}
      rowAttributes={({ id }) => ({ 'data-chosen': selection.ids.has(id) || undefined })}
      opensOnClick
      {...table}
    />
  )
}

/** First of all columns while devices are chosen. */
function choiceColumn({ ids, isFull, toggle }: BulkSelection): Column<Device, ColumnId> {
  return {
    id: 'chosen',
    header: 'Selected',
    hidesHeader: true,
    staysWhenStacked: true,
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

function Connected({ device: { connStatusId, lastEvent } }: { readonly device: Device }) {
  return (
    <span className="device-connected">
      <ConnectionBadge connStatusId={connStatusId} />
      {lastEvent && (
        <span className="dim">
          <Age at={lastEvent} />
        </span>
      )}
    </span>
  )
}
