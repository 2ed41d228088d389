import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatMinute, useOnTime } from '#console/lib/time/time.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import type { MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { durationText, isGoingOn } from './duration.ts'

interface Props {
  readonly rows: readonly MaintenanceEntry[]
  /** Both are absent for a user who may only read. */
  readonly onOpen?: (row: MaintenanceEntry) => void
  readonly onRemove?: (row: MaintenanceEntry) => void
}

const STACKED: StackedCell<MaintenanceEntry> = {
  header: 'Maintenance',
  cell: (row) => (
    <>
      <b>
        {formatMinute(row.startDt)} – <End row={row} />
      </b>
      <span>{[row.modelComponentName, row.reasonName, row.actionName].filter(Boolean).join(' · ')}</span>
      <span className="maintenance-text">{row.actionComment}</span>
      <span className="is-dim">
        <Duration row={row} />
        {row.resolutionName && ` · ${row.resolutionName}`}
      </span>
    </>
  ),
}

/** Clicking a row, or Enter on it, edits it (rules/maintenance 3). */
export function MaintenanceTable({ rows, onOpen, onRemove }: Props) {
  const columns = useMemo(() => columnsFor(onRemove), [onRemove])
  return (
    <DataTable
      label="Maintenance"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      opensOnClick={onOpen !== undefined}
      minWidthPx={1080}
      stacked={STACKED}
    />
  )
}

function columnsFor(onRemove: Props['onRemove']): readonly Column<MaintenanceEntry>[] {
  const text = (
    id: 'modelComponentName' | 'reasonName' | 'actionName' | 'resolutionName' | 'alertText' | 'actionComment',
    header: string,
    room: Pick<Column<MaintenanceEntry>, 'widthPx' | 'leaves'> = {},
  ): Column<MaintenanceEntry> => ({
    id,
    header,
    ...room,
    cell: (row) => <span className="maintenance-text">{row[id] || UNKNOWN_TEXT}</span>,
    title: (row) => row[id],
  })
  return [
    { id: 'start', header: 'Start', widthPx: 122, isStrong: true, cell: ({ startDt }) => formatMinute(startDt) },
    { id: 'end', header: 'End', widthPx: 116, cell: (row) => <End row={row} /> },
    { id: 'duration', header: 'Duration', widthPx: 116, leaves: 2, cell: (row) => <Duration row={row} /> },
    text('modelComponentName', 'Component', { widthPx: 130 }),
    text('reasonName', 'Reason', { widthPx: 110 }),
    text('actionName', 'Action', { widthPx: 116 }),
    text('resolutionName', 'Resolution', { widthPx: 100, leaves: 3 }),
    text('alertText', 'Linked alert', { widthPx: 170, leaves: 1 }),
    text('actionComment', 'Comment'),
    ...(onRemove ? [removeColumn(onRemove)] : []),
  ]
}

function removeColumn(onRemove: NonNullable<Props['onRemove']>): Column<MaintenanceEntry> {
  return buttonColumn('Remove', 48, (row) => (
    <RowButton
      name="Remove"
      of={`maintenance of ${formatMinute(row.startDt)}`}
      icon={IconTrash}
      onClick={() => onRemove(row)}
    />
  ))
}

interface CellProps {
  readonly row: MaintenanceEntry
}

function Duration({ row }: CellProps) {
  return useOnTime((now) => durationText(row, now))
}

function End({ row }: CellProps) {
  const goesOn = useOnTime((now) => row.endDt === null && isGoingOn(row, now))
  if (goesOn) return <span className="maintenance-open">Going on</span>
  return row.endDt === null ? UNKNOWN_TEXT : formatMinute(row.endDt)
}
