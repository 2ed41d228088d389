import { AlertCount } from '#console/alertParts/AlertCount.tsx'
import { ConnectionBadge } from '#console/deviceParts/ConnectionBadge.tsx'
import { LightBadge, lightWord } from '#console/deviceParts/LightBadge.tsx'
import { NowBadge, nowText } from '#console/deviceParts/NowBadge.tsx'
import { ReportingMark, reportingFaults } from '#console/deviceParts/ReportingMark.tsx'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { Tags } from '#console/deviceParts/Tags.tsx'
import type { CsvCell } from '#console/lib/csv.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address as addressTo } from '#console/router/addressText.ts'
import { Age } from '#console/ui/Age.tsx'
import type { Column } from '#console/ui/table/tableColumn.ts'
import type { DeviceColumn } from '#contract/call/listOptions.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { deviceStatusName } from '#domain/devices/status.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export interface ShownColumn extends Column<Device, DeviceColumn> {
  readonly csv: (device: Device) => CsvCell
}

type Looks = Omit<ShownColumn, 'id' | 'header' | 'cell' | 'title' | 'csv'>

const textColumn = (id: DeviceColumn, header: string, textOf: (device: Device) => string, looks: Looks = {}) => ({
  id,
  header,
  isDim: true,
  cell: (device: Device) => textOf(device) || UNKNOWN_TEXT,
  title: textOf,
  csv: textOf,
  ...looks,
})

const numberColumn = (
  id: DeviceColumn,
  header: string,
  numberOf: (device: Device) => number | null,
  widthPx: number,
) => ({
  id,
  header,
  widthPx,
  isRight: true,
  isDim: true,
  cell: (device: Device) => numberOf(device) ?? UNKNOWN_TEXT,
  csv: numberOf,
})

const degrees = (value: number | null) => (value === null ? null : Number(value.toFixed(5)))
const batteryWord = ({ isOnBattery }: Device) => (isOnBattery === null ? '' : isOnBattery ? 'Yes' : 'No')

const COLUMNS: Readonly<Record<DeviceColumn, ShownColumn>> = {
  model: textColumn('model', 'Model', ({ modelId }) => deviceModelName(modelId), {
    widthPx: 176,
    leaves: 3,
    isSortable: true,
  }),
  // The remaining width belongs to addresses, which are longer.
  name: textColumn('name', 'Name', ({ name }) => name, {
    widthPx: 136,
    isSortable: true,
    isStrong: true,
    isDim: false,
    to: ({ guid }) => addressTo('/devices/$guid/status', { guid }),
  }),
  address: textColumn('address', 'Address', ({ address }) => address, { leaves: 1, isSortable: true }),
  now: {
    id: 'now',
    header: 'Now',
    widthPx: 214,
    isSortable: true,
    cell: (device) => (
      <span className="device-now">
        <NowBadge device={device} />
      </span>
    ),
    title: (device) => device.lightCause ?? nowText(device),
    csv: nowText,
  },
  light: {
    id: 'light',
    header: 'Light',
    widthPx: 118,
    leaves: 2,
    cell: (device) => <LightBadge device={device} />,
    title: ({ lightCause }) => lightCause ?? '',
    csv: lightWord,
  },
  why: textColumn('why', 'Why', ({ lightCause }) => lightCause ?? ''),
  status: {
    id: 'status',
    header: 'Status',
    widthPx: 114,
    isSortable: true,
    cell: ({ statusId }) => <StatusBadge statusId={statusId} />,
    csv: ({ statusId }) => deviceStatusName(statusId),
  },
  connected: {
    id: 'connected',
    header: 'Connected',
    widthPx: 150,
    isSortable: true,
    cell: (device) => <Connected device={device} />,
    title: (device) =>
      [
        device.lastEvent ? `Last event ${formatDateTime(device.lastEvent)}` : 'No event yet',
        ...reportingFaults(device),
      ].join('. '),
    csv: ({ connStatusId }) => (connStatusId === 1 ? 'Yes' : 'No'),
  },
  lastEvent: {
    id: 'lastEvent',
    header: 'Last event',
    widthPx: 142,
    isDim: true,
    cell: ({ lastEvent }) => (lastEvent ? formatDateTime(lastEvent) : UNKNOWN_TEXT),
    csv: ({ lastEvent }) => lastEvent,
  },
  alerts: {
    id: 'alerts',
    header: 'Alerts',
    widthPx: 66,
    isSortable: true,
    isRight: true,
    cell: ({ activeAlerts }) => <AlertCount count={activeAlerts} />,
    csv: ({ activeAlerts }) => activeAlerts,
  },
  customer: textColumn('customer', 'Customer', ({ customerName }) => customerName, { widthPx: 150 }),
  tags: {
    id: 'tags',
    header: 'Tags',
    widthPx: 190,
    cell: ({ tags }) => (tags.length === 0 ? <span className="dim">{UNKNOWN_TEXT}</span> : <Tags tags={tags} />),
    title: ({ tags }) => tags.join(', '),
    csv: ({ tags }) => tags.join(', '),
  },
  serial: textColumn('serial', 'Serial number', ({ attrSerial }) => attrSerial, { widthPx: 130 }),
  battery: {
    id: 'battery',
    header: 'On battery',
    widthPx: 92,
    cell: (device) => batteryWord(device) || <span className="dim">{UNKNOWN_TEXT}</span>,
    csv: batteryWord,
  },
  client: textColumn('client', 'Client', ({ clientVersion }) => clientVersion ?? '', { widthPx: 96 }),
  timeZone: textColumn('timeZone', 'Time zone', ({ timeZone }) => timeZone, { widthPx: 140 }),
  description: textColumn('description', 'Description', ({ description }) => description),
  latitude: numberColumn('latitude', 'Latitude', ({ latitude }) => degrees(latitude), 92),
  longitude: numberColumn('longitude', 'Longitude', ({ longitude }) => degrees(longitude), 92),
  id: numberColumn('id', 'Id', ({ id }) => id, 76),
}

export const columnOf = (word: DeviceColumn): ShownColumn => COLUMNS[word]

export function Connected({ device }: { readonly device: Device }) {
  const { connStatusId, lastEvent } = device
  return (
    <span className="device-connected">
      <ConnectionBadge connStatusId={connStatusId} />
      <ReportingMark device={device} />
      {lastEvent && (
        <span className="dim">
          <Age at={lastEvent} />
        </span>
      )}
    </span>
  )
}
