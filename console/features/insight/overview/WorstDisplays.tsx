import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { PERIOD_LIGHT_CSV_COLUMNS } from '#console/deviceParts/lightParts.ts'
import { messages } from '#console/lib/call/messages.ts'
import { type CsvColumn, oneBatch } from '#console/lib/csv.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { DeviceLight } from '#contract/http/insight/darkMinutes.ts'
import { availabilityText, lightText } from '#domain/darkness/minutes/lightLabels.ts'
import { formatHours } from '#domain/units/durations.ts'
import type { FleetLight } from './useFleetLight.ts'

const MIN_WIDTH_PX = 676

const COLUMNS: readonly Column<DeviceLight>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: (row) => <DeviceLink row={row} />,
    title: ({ deviceName }) => deviceName,
  },
  textColumn('customer', 'Customer', ({ customerName }) => customerName, { isDim: true }),
  {
    id: 'unplanned',
    header: 'Unplanned dark',
    widthPx: 116,
    isRight: true,
    isStrong: true,
    cell: ({ unplannedDarkMinutes }) => formatHours(unplannedDarkMinutes),
  },
  {
    id: 'unknown',
    header: 'Unknown',
    widthPx: 100,
    isRight: true,
    isDim: true,
    cell: ({ unknownMinutes }) => formatHours(unknownMinutes),
  },
  {
    id: 'litInOffTimes',
    header: 'Lit in off times',
    widthPx: 116,
    // This light was not missing, and the days of the device show it too.
    leaves: 1,
    isRight: true,
    isDim: true,
    cell: ({ litInOffTimesMinutes }) => lightText(litInOffTimesMinutes),
  },
  {
    id: 'availability',
    header: 'Availability',
    widthPx: 96,
    isRight: true,
    cell: ({ availabilityPercent }) => availabilityText(availabilityPercent),
  },
]

const CSV_COLUMNS: readonly CsvColumn<DeviceLight>[] = [
  { header: 'Device', cell: ({ deviceName }) => deviceName },
  { header: 'Guid', cell: ({ deviceGuid }) => deviceGuid },
  { header: 'Customer', cell: ({ customerName }) => customerName },
  ...PERIOD_LIGHT_CSV_COLUMNS,
]

/** It lists only displays that were dark without a plan; nobody has to look at the others. */
export function WorstDisplays({ light }: { readonly light: FleetLight }) {
  const isDark = ({ unplannedDarkMinutes }: DeviceLight) => unplannedDarkMinutes > 0
  return (
    <div className="overview-table">
      <AsyncView
        query={light}
        skeleton={<Skeleton lines={5} />}
        isEmpty={({ worst }) => !worst.some(isDark)}
        empty={light.data?.total.devices === 0 ? messages.noData : 'No unplanned dark minutes'}
      >
        {({ worst }) => (
          <DataTable
            label="Worst displays"
            columns={COLUMNS}
            rows={worst.filter(isDark)}
            // Staff see a device that moved once for each customer, so its id alone is not unique.
            rowKey={({ deviceId, customerName }) => `${deviceId} ${customerName}`}
            minWidthPx={MIN_WIDTH_PX}
            stacked={{ header: 'Device', cell: (row) => <StackedDevice row={row} /> }}
          />
        )}
      </AsyncView>
    </div>
  )
}

export function WorstDisplaysMenu({ rows }: { readonly rows: readonly DeviceLight[] }) {
  return (
    <ListExportMenu name="worstLight" label="worst displays" columns={CSV_COLUMNS} batches={() => oneBatch(rows)} />
  )
}

function StackedDevice({ row }: { readonly row: DeviceLight }) {
  return (
    <div className="light-stacked">
      <DeviceLink row={row} />
      <b>{availabilityText(row.availabilityPercent)}</b>
      <small>{row.customerName}</small>
      <small>
        {formatHours(row.unplannedDarkMinutes)} unplanned dark, {formatHours(row.unknownMinutes)} unknown, lit in off
        times: {lightText(row.litInOffTimesMinutes)}
      </small>
    </div>
  )
}

const DeviceLink = ({ row: { deviceName, deviceGuid, deviceHasLeft } }: { readonly row: DeviceLight }) =>
  deviceHasLeft ? (
    <LeftDevice name={deviceName} />
  ) : (
    <Link to={address('/devices/$guid/status', { guid: deviceGuid }, 'dark-minutes')}>{deviceName}</Link>
  )
