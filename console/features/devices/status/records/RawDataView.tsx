import { IconClockExclamation } from '@tabler/icons-react'
import { useMemo } from 'react'
import { fieldGroupName, fieldGroups } from '#console/features/devices/status/view/fieldGroups.ts'
import { ReloadButton } from '#console/features/devices/status/view/ReloadButton.tsx'
import type { RecordsAddress, StatusAddressHook } from '#console/features/devices/status/view/useStatusAddress.ts'
import { useViewActions } from '#console/features/devices/status/view/viewActions.ts'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { exportRawData, listRawData, type RawRow } from '#contract/http/devices/records.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { ExportButton } from './ExportButton.tsx'
import { type FilledRow, fillForward } from './fillForward.ts'
import { RecordsPanel } from './RecordsPanel.tsx'
import { otherFieldsText, type RawColumns, rawColumnsOf, rawCsvColumns } from './rawColumns.ts'
import { useRecordPages } from './useRecordPages.ts'
import './records.css'

interface Props {
  readonly device: Device
  readonly address: RecordsAddress
  readonly go: StatusAddressHook['go']
}

export function RawDataView(props: Props) {
  const { eventTypeId } = props.address
  const columns = useMemo(() => rawColumnsOf(eventTypeId), [eventTypeId])
  // Rows of another field group mean nothing under these columns.
  return columns ? <RawData key={eventTypeId} {...props} columns={columns} /> : <RawDataWithoutColumns {...props} />
}

/** The address names a field group that this console does not know; the server would refuse it as well. */
function RawDataWithoutColumns(props: Props) {
  const { device, address } = props
  const { isReloading, reloadNow } = useReload(useCall(getDeviceDashboard, { deviceId: device.id }))
  const actions = useViewActions(
    <>
      <RawExportButton device={device} address={address} />
      <ReloadButton isReloading={isReloading} onReload={() => void reloadNow()} />
    </>,
  )
  return (
    <>
      {actions}
      <Panel title="Raw data">
        <search className="records-filter" aria-label="Raw data">
          <RawDataFilter {...props} />
        </search>
        <EmptyNote title={messages.csvNoColumns}>
          <p>Choose another field group.</p>
        </EmptyNote>
      </Panel>
    </>
  )
}

function RawData({ columns, ...props }: Props & { readonly columns: RawColumns }) {
  const { device, address } = props
  const pages = useRecordPages<typeof listRawData, RawRow>(listRawData, rawQuery(device, address))
  const actions = useViewActions(
    <>
      <RawExportButton device={device} address={address} />
      <ReloadButton isReloading={pages.isReloading} onReload={() => void pages.reloadNow()} />
    </>,
  )
  return (
    <>
      {actions}
      <RecordsPanel title="Raw data" noun="reports" filter={<RawDataFilter {...props} />} pages={pages}>
        {({ rows, total }) => (
          <RawTable
            columns={columns}
            rows={rows}
            total={total}
            eventTypeId={address.eventTypeId}
            isFilled={address.isFilled === true}
          />
        )}
      </RecordsPanel>
    </>
  )
}

function RawExportButton({ device, address }: Pick<Props, 'device' | 'address'>) {
  return (
    <ExportButton
      call={exportRawData}
      query={rawQuery(device, address)}
      columns={rawCsvColumns(address.eventTypeId)}
      fileName="rawData"
      deviceId={device.id}
    />
  )
}

function rawQuery(device: Device, { eventTypeId, period }: RecordsAddress) {
  return {
    deviceId: device.id,
    evTypeId: eventTypeId,
    dateFrom: period.from.toISOString(),
    dateTo: period.to.toISOString(),
  }
}

function RawDataFilter({ device, address, go }: Props) {
  const dashboard = useCall(getDeviceDashboard, { deviceId: device.id })
  const groups = fieldGroups(dashboard.data ?? [], address.eventTypeId)
  return (
    <>
      <PeriodPicker value={address.period} onChange={(period) => go({ period })} />
      <Select
        className="records-group"
        aria-label="Field group"
        data={groups.map(({ eventTypeId, name }) => ({ value: String(eventTypeId), label: name }))}
        value={String(address.eventTypeId)}
        allowDeselect={false}
        onChange={(chosen) => chosen !== null && go({ eventTypeId: Number(chosen), period: address.period })}
      />
      <Toggle
        label="Fill forward"
        isOn={address.isFilled === true}
        onChange={(isFilled) => go({ isFilled, period: address.period })}
      />
    </>
  )
}

interface RawTableProps {
  readonly columns: RawColumns
  readonly rows: readonly RawRow[]
  readonly total: number | null
  readonly eventTypeId: number
  readonly isFilled: boolean
}

function RawTable({ columns, rows, total, eventTypeId, isFilled }: RawTableProps) {
  const filled = useMemo(
    () =>
      isFilled
        ? fillForward(
            rows,
            columns.fields.map(({ id }) => id),
          )
        : NOTHING_FILLED,
    [isFilled, rows, columns],
  )
  const tableColumns = useMemo(() => tableColumnsOf(columns, rows, filled), [columns, rows, filled])
  const hasMarked = rows.some(({ claimed_at }) => claimed_at !== undefined)
  return (
    <div className="records-table raw-table">
      {hasMarked && (
        <p className="records-note">
          <IconClockExclamation size={14} aria-hidden />
          Marked reports came with a time far ahead of the server's. They are kept under their arrival time and do not
          count in the status, charts or alerts.
        </p>
      )}
      <DataTable
        label={`Reports: ${fieldGroupName(eventTypeId)}`}
        columns={tableColumns}
        rows={rows}
        rowKey={({ device_dt, number }) => `${device_dt}/${number}`}
        rowAttributes={({ claimed_at }) => ({ 'data-marked': claimed_at !== undefined || undefined })}
        minWidthPx={tableColumns.reduce((sum, { widthPx = 150 }) => sum + widthPx, 0)}
        total={total}
        useDrawnRows={useVirtualRows}
      />
    </div>
  )
}

const NOTHING_FILLED: ReadonlyMap<RawRow, FilledRow> = new Map()
const HEADER_CHARACTER_PX = 6.7
const CELL_PADDING_PX = 24

function tableColumnsOf(
  { isNumbered, fields }: RawColumns,
  rows: readonly RawRow[],
  filled: ReadonlyMap<RawRow, FilledRow>,
): readonly Column<RawRow>[] {
  const hasOthers = rows.some(({ extra }) => extra !== undefined)
  return [
    { id: 'time', header: 'Time', cell: (row) => <RawTime row={row} /> },
    ...(isNumbered
      ? [{ id: 'number', header: 'Component', widthPx: 96, isRight: true, cell: ({ number }: RawRow) => number }]
      : []),
    ...fields.map(
      ({ id, header, isText, shown }): Column<RawRow> => ({
        id,
        header,
        widthPx: Math.round(Math.max(isText ? 170 : 92, header.length * HEADER_CHARACTER_PX + CELL_PADDING_PX)),
        isRight: !isText,
        cell: (row) => {
          const whole = filled.get(row)
          return whole?.carried.has(id) ? <Carried text={shown(whole.row)} /> : <RawValue text={shown(row)} />
        },
        ...(isText ? { title: shown } : {}),
      }),
    ),
    ...(hasOthers
      ? [
          {
            id: 'extra',
            header: 'Other fields',
            widthPx: 260,
            cell: (row: RawRow) => <RawValue text={otherFieldsText(row)} />,
            title: otherFieldsText,
          },
        ]
      : []),
    { id: 'inserted', header: 'Received', isDim: true, cell: ({ inserted }) => formatDateTime(inserted) },
  ]
}

/** Empty cells are dimmed, because most reports carry only what has changed. */
function RawValue({ text }: { readonly text: string }) {
  return text === UNKNOWN_TEXT ? <span className="dim">{text}</span> : text
}

/** The value comes from an older report, and this one does not repeat it. */
const Carried = ({ text }: { readonly text: string }) => (
  <span className="dim raw-carried" title="Carried from an older report">
    {text}
    <span className="visually-hidden"> carried</span>
  </span>
)

function RawTime({ row: { device_dt, claimed_at } }: { readonly row: RawRow }) {
  const claim = claimed_at && `The clock of the device said ${formatDateTime(claimed_at)}`
  return (
    <span className="raw-time" title={claim}>
      {formatDateTime(device_dt)}
      {claim && <IconClockExclamation size={14} role="img" aria-label={claim} />}
    </span>
  )
}
