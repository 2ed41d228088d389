import { AlertCount } from '#console/alertParts/AlertCount.tsx'
import { NowBadge } from '#console/deviceParts/NowBadge.tsx'
import { StatusBadge } from '#console/deviceParts/StatusBadge.tsx'
import { Tags } from '#console/deviceParts/Tags.tsx'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowTick } from '#console/ui/table/RowTick.tsx'
import type { DeviceColumn } from '#contract/call/listOptions.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import type { BulkSelection } from './bulk/useBulkSelection.ts'
import { Connected, columnOf } from './deviceColumns.tsx'
import type { ListLayout } from './useListLayout.ts'

type ColumnId = DeviceColumn | 'details' | 'chosen'

const DETAILS: Column<Device, ColumnId> = {
  id: 'details',
  header: 'Details',
  hidesHeader: true,
  staysWhenStacked: true,
  leaves: 2,
  widthPx: 76,
  isRight: true,
  cell: ({ guid, name }) => (
    <Link to={address('/devices/$guid/details', { guid })} className="device-details" aria-label={`Details of ${name}`}>
      Details
    </Link>
  ),
}

const stackedCell = (isSelecting: boolean): StackedCell<Device> => ({
  header: 'Device',
  cell: (device) => (
    <>
      <b>
        {isSelecting ? (
          device.name
        ) : (
          <Link to={address('/devices/$guid/status', { guid: device.guid })} className="table-name" tabIndex={-1}>
            {device.name}
          </Link>
        )}
      </b>
      {/* The one line of health: why it needs attention, otherwise how it is lit. */}
      <span>
        <NowBadge device={device} />
      </span>
      <span>
        <Connected device={device} />
        <StatusBadge statusId={device.statusId} />
        {device.activeAlerts > 0 && <AlertCount count={device.activeAlerts} />}
      </span>
      <span className="is-dim">
        {deviceModelName(device.modelId)}
        {device.address && ` · ${device.address}`}
      </span>
      {device.tags.length > 0 && <Tags tags={device.tags} />}
    </>
  ),
})

interface Props extends ShownPage<ColumnId> {
  readonly devices: readonly Device[]
  readonly layout: ListLayout
  readonly onOpen: (device: Device) => void
  readonly selection: BulkSelection
}

export function DeviceTable({ devices, layout, onOpen, selection, ...table }: Props) {
  return (
    <div className="devices-table" data-density={layout.isCompact ? 'compact' : undefined}>
      <DataTable
        label="Devices"
        columns={[
          ...(selection.isOn ? [choiceColumn(selection)] : []),
          ...layout.columns.map((word) => shownColumn(word, selection.isOn)),
          DETAILS,
        ]}
        stacked={stackedCell(selection.isOn)}
        // A chosen column is never hidden for lack of room.
        keepsColumns={layout.isChosen}
        rows={devices}
        rowKey={({ id }) => id}
        // While devices are being selected, a click that opened one would lose the selection.
        onOpen={selection.isOn ? ({ id }) => selection.toggle(id) : onOpen}
        rowAttributes={({ id }) => ({ 'data-chosen': selection.ids.has(id) || undefined })}
        opensOnClick
        {...table}
      />
    </div>
  )
}

/** While devices are being selected, a link that opened one would lose the selection. */
function shownColumn(word: DeviceColumn, isSelecting: boolean): Column<Device, ColumnId> {
  const { to, ...column } = columnOf(word)
  return isSelecting || to === undefined ? column : { ...column, to }
}

function choiceColumn({ ids, isFull, toggle }: BulkSelection): Column<Device, ColumnId> {
  return {
    id: 'chosen',
    header: 'Selected',
    hidesHeader: true,
    staysWhenStacked: true,
    isTick: true,
    widthPx: 40,
    cell: ({ id, name }) => (
      <RowTick
        name={`Select ${name}`}
        isChosen={ids.has(id)}
        isDisabled={isFull && !ids.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  }
}
