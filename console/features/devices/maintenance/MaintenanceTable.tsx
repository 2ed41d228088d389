import { IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { formatMinute, useOnTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { neededPx } from '#console/ui/table/tableFit.ts'
import type { MaintenanceEntry } from '#contract/http/devices/maintenance.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { durationText, isGoingOn } from './duration.ts'

interface Props {
  readonly rows: readonly MaintenanceEntry[]
  /** All are absent for a user who may only read. */
  readonly linkTo?: (row: MaintenanceEntry) => Address
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
export function MaintenanceTable({ rows, linkTo, onOpen, onRemove }: Props) {
  const columns = useMemo(() => columnsFor(rows, linkTo, onRemove), [rows, linkTo, onRemove])
  return (
    <DataTable
      label="Maintenance"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      opensOnClick={onOpen !== undefined}
      minWidthPx={neededPx(columns) + COMMENT_PX}
      stacked={STACKED}
    />
  )
}

type TextId = 'modelComponentName' | 'reasonName' | 'actionName' | 'resolutionName' | 'alertText' | 'actionComment'

/** The comment is what people read, so it has this room beside the width that every column needs. */
const COMMENT_PX = 180

/** A column that no entry fills is left out, for the comment. */
function columnsFor(
  rows: readonly MaintenanceEntry[],
  linkTo: Props['linkTo'],
  onRemove: Props['onRemove'],
): readonly Column<MaintenanceEntry>[] {
  const filled = (column: Column<MaintenanceEntry> & { readonly id: TextId }) =>
    rows.some((row) => row[column.id]) ? [column] : []
  return [
    {
      id: 'start',
      header: 'Start',
      widthPx: 122,
      isStrong: true,
      cell: ({ startDt }) => formatMinute(startDt),
      ...(linkTo ? { to: linkTo } : { hasNoPage: true }),
    },
    { id: 'end', header: 'End', widthPx: 116, cell: (row) => <End row={row} /> },
    { id: 'duration', header: 'Duration', widthPx: 116, leaves: 4, cell: (row) => <Duration row={row} /> },
    ...filled(textColumn('modelComponentName', 'Component', { widthPx: 130, leaves: 5 })),
    ...filled(textColumn('reasonName', 'Reason', { widthPx: 110 })),
    ...filled(textColumn('actionName', 'Action', { widthPx: 116, leaves: 3 })),
    ...filled(textColumn('resolutionName', 'Resolution', { widthPx: 100, leaves: 2 })),
    ...filled(textColumn('alertText', 'Linked alert', { widthPx: 170, leaves: 1 })),
    textColumn('actionComment', 'Comment'),
    ...(onRemove ? [removeColumn(onRemove)] : []),
  ]
}

const textColumn = <Id extends TextId>(
  id: Id,
  header: string,
  room: Pick<Column<MaintenanceEntry>, 'widthPx' | 'leaves'> = {},
): Column<MaintenanceEntry> & { readonly id: Id } => ({
  id,
  header,
  ...room,
  cell: (row) => <span className="maintenance-text">{row[id] || UNKNOWN_TEXT}</span>,
  title: (row) => row[id],
})

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
