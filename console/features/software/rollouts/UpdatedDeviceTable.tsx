import { ConnectionBadge } from '#console/deviceParts/ConnectionBadge.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Age } from '#console/ui/Age.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { ClientUpdate, UpdatedDevice } from '#contract/http/software/rollouts.ts'
import { CONNECTION_STATUS } from '#domain/devices/status.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { LeaveOutButton } from './LeaveOutButton.tsx'
import { standingText } from './rolloutLabels.ts'
import { DeviceUpdateBadge } from './StateBadges.tsx'

interface Props extends ShownPage {
  readonly devices: readonly UpdatedDevice[]
  readonly update: ClientUpdate
  readonly onOpen: (device: UpdatedDevice) => void
}

/** A narrow table leaves the room to the reasons. */
const columns = (update: ClientUpdate): readonly Column<UpdatedDevice>[] => [
  textColumn('name', 'Name', ({ deviceName }) => deviceName, {
    widthPx: 240,
    isStrong: true,
    to: ({ deviceGuid }) => address('/devices/$guid/status', { guid: deviceGuid }),
  }),
  { id: 'connected', header: 'Connected', widthPx: 96, cell: (device) => <Connection device={device} /> },
  { id: 'wave', header: 'Wave', widthPx: 56, isRight: true, cell: ({ wave }) => wave },
  {
    id: 'from',
    header: 'From',
    widthPx: 70,
    leaves: 1,
    isDim: true,
    cell: ({ fromVersion }) => fromVersion ?? UNKNOWN_TEXT,
  },
  { id: 'state', header: 'State', widthPx: 124, cell: (device) => <DeviceUpdateBadge device={device} /> },
  {
    id: 'standing',
    header: 'Details',
    cell: (device) => <span className="update-standing">{standingOf(device, update)}</span>,
    title: (device) => standingOf(device, update),
  },
  {
    id: 'changed',
    header: 'Changed',
    widthPx: 92,
    isDim: true,
    cell: ({ changedAt }) => <Age at={changedAt} />,
    title: ({ changedAt }) => formatDateTime(changedAt),
  },
  {
    id: 'leaveOut',
    header: 'Leave out',
    hidesHeader: true,
    widthPx: 52,
    cell: (device) => <LeaveOutButton device={device} update={update} />,
  },
]

const stacked = (update: ClientUpdate): StackedCell<UpdatedDevice> => ({
  header: 'Device',
  cell: (device, name) => (
    <>
      <b>{name}</b>
      <span>
        <DeviceUpdateBadge device={device} />
        <Connection device={device} />
      </span>
      <span>{standingOf(device, update)}</span>
      <span className="is-dim">
        Wave {device.wave} · from {device.fromVersion ?? UNKNOWN_TEXT} · <Age at={device.changedAt} />
      </span>
      <LeaveOutButton device={device} update={update} isWritten />
    </>
  ),
})

export function UpdatedDeviceTable({ devices, update, onOpen, ...page }: Props) {
  return (
    <DataTable
      label="Devices of this update"
      columns={columns(update)}
      stacked={stacked(update)}
      rows={devices}
      rowKey={({ deviceId }) => deviceId}
      onOpen={onOpen}
      opensOnClick
      minWidthPx={980}
      {...page}
    />
  )
}

function Connection({ device: { isOnline } }: { readonly device: UpdatedDevice }) {
  return <ConnectionBadge connStatusId={isOnline ? CONNECTION_STATUS.online : CONNECTION_STATUS.offline} />
}

function standingOf(device: UpdatedDevice, update: ClientUpdate): string {
  const text = standingText(device, update)
  return device.tries > 1 ? `${text} Try ${device.tries}.`.trim() : text
}
