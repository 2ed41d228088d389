import { type ReactNode, type RefObject, useRef } from 'react'
import { useWidth } from '#console/ui/useWidth.ts'
import { DataTableHead } from './DataTableHead.tsx'
import { CellContent, TableCell } from './TableCell.tsx'
import type { Column, Sort } from './tableColumn.ts'
import { fittingColumns, neededPx } from './tableFit.ts'
import { type UseDrawnRows, useAllRows } from './useAllRows.ts'
import { type RowKeys, useRowKeys } from './useRowKeys.ts'
import './DataTable.css'

export type { Column, Sort } from './tableColumn.ts'

export interface DataTableProps<Row, Id extends string = string> {
  readonly label: string
  readonly columns: readonly Column<Row, Id>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly sort?: Sort<Id> | undefined
  readonly onSort?: (sort: Sort<Id>) => void
  /** A double-click or Enter on a row calls it; with `opensOnClick` also a click on a cell. */
  readonly onOpen?: ((row: Row) => void) | undefined
  readonly opensOnClick?: boolean
  readonly rowAttributes?: (row: Row) => Record<string, string | number | boolean | undefined>
  /** All columns need this width; by default the sum of their widths, and some for each without one. */
  readonly minWidthPx?: number
  /** It identifies a row in one cell where the columns have no room. It cannot be combined with `useDrawnRows`. */
  readonly stacked?: StackedCell<Row>
  /** No column hides: the table scrolls sideways, except where it is so narrow that it stacks. */
  readonly keepsColumns?: boolean
  /** It must stay the same for the life of the table: `useVirtualRows` for long lists, all rows without it. */
  readonly useDrawnRows?: UseDrawnRows
  /** The 1-based number of the first row in the whole list, and its length, are for screen readers. */
  readonly firstRow?: number
  readonly total?: number | null
}

export type ShownPage<Id extends string = string> = Required<
  Pick<DataTableProps<never, Id>, 'firstRow' | 'total' | 'onSort'>
> & {
  readonly sort: Sort<Id> | undefined
}

export interface StackedCell<Row> {
  readonly header: string
  /** `name` is the cell of the first column that is a link. */
  readonly cell: (row: Row, name: ReactNode) => ReactNode
}

/**
 * The server sorts and pages the table; it has a sticky header, and rows by keyboard. Its container decides, not the
 * window: with too little room columns fold into a second line of the row, then it stacks the cells of a row, or else
 * scrolls sideways.
 */
export function DataTable<Row, Id extends string = string>(table: DataTableProps<Row, Id>) {
  const scroller = useRef<HTMLDivElement>(null)
  const containerPx = useWidth(scroller)
  return (
    <div className="table-scroll" ref={scroller}>
      {/* The rows are drawn only once it is known which columns fit. */}
      {containerPx !== null && <FittedTable {...table} containerPx={containerPx} scroller={scroller} />}
    </div>
  )
}

/** A narrower screen, such as a phone's, shows one column of many, whichever somebody chose elsewhere. */
const SCROLLS_FROM_PX = 640

interface FittedProps<Row, Id extends string> extends TableProps<Row, Id> {
  readonly containerPx: number | undefined
}

function FittedTable<Row, Id extends string>({ containerPx, scroller, ...table }: FittedProps<Row, Id>) {
  const wholePx = table.minWidthPx ?? neededPx(table.columns)
  const scrolls = table.keepsColumns && (containerPx === undefined || containerPx >= SCROLLS_FROM_PX)
  const { columns, minWidthPx, fits } = fittingColumns(table.columns, wholePx, scrolls ? undefined : containerPx)
  return !fits && table.stacked ? (
    <Table {...stackedTable(table, table.stacked)} scroller={scroller} />
  ) : (
    <Table
      {...table}
      columns={columns}
      // Rows of a table that draws only some of them are all of one height.
      folded={table.useDrawnRows ? NO_COLUMNS : table.columns.filter((column) => !columns.includes(column))}
      minWidthPx={minWidthPx}
      scroller={scroller}
    />
  )
}

function stackedTable<Row, Id extends string>(
  table: DataTableProps<Row, Id>,
  { header, cell }: StackedCell<Row>,
): DataTableProps<Row, string> {
  const { sort: _sort, onSort: _onSort, columns, ...rest } = table
  const named = columns.find(({ to }) => to !== undefined)
  const name = (row: Row) => named && <CellContent column={named} row={row} onOpen={table.onOpen} />
  const first = columns.findIndex(({ staysWhenStacked }) => !staysWhenStacked)
  const stays = (column: Column<Row, Id>) => column.staysWhenStacked
  return {
    ...rest,
    columns: [
      ...columns.slice(0, first).filter(stays),
      { id: 'stacked', header, cell: (row) => <div className="table-stacked">{cell(row, name(row))}</div> },
      ...columns.slice(first).filter(stays),
    ],
    minWidthPx: 0,
  }
}

const NO_COLUMNS: readonly never[] = []

interface TableProps<Row, Id extends string> extends DataTableProps<Row, Id> {
  readonly folded?: readonly Column<Row, Id>[]
  readonly scroller: RefObject<HTMLDivElement | null>
}

function Table<Row, Id extends string = string>(props: TableProps<Row, Id>) {
  const { label, columns, rows, rowKey, minWidthPx, useDrawnRows = useAllRows, firstRow = 1, total, scroller } = props
  const visible = useDrawnRows(rows.length, scroller)
  const keys = useRowKeys({
    count: rows.length,
    scroller,
    scrollTo: visible.scrollTo,
    onOpen: (index) => openAt(props, index),
  })

  return (
    <table
      className="table"
      aria-label={label}
      aria-rowcount={total === null ? -1 : (total ?? rows.length) + 1}
      style={{ minWidth: minWidthPx }}
    >
      <colgroup>
        {columns.map(({ id, widthPx }) => (
          <col key={id} style={widthPx === undefined ? undefined : { width: widthPx }} />
        ))}
      </colgroup>
      <DataTableHead columns={columns} sort={props.sort} onSort={props.onSort} />
      <tbody>
        <Spacer heightPx={visible.beforePx} columnCount={columns.length} />
        {visible.indexes.map((index) => {
          const row = rows[index]
          return row === undefined ? null : (
            <TableRow key={rowKey(row)} table={props} row={row} index={index} firstRow={firstRow} keys={keys} />
          )
        })}
        <Spacer heightPx={visible.afterPx} columnCount={columns.length} />
      </tbody>
    </table>
  )
}

interface TableRowProps<Row, Id extends string> {
  readonly table: Pick<TableProps<Row, Id>, 'columns' | 'onOpen' | 'opensOnClick' | 'rowAttributes' | 'folded'>
  readonly row: Row
  readonly index: number
  readonly firstRow: number
  readonly keys: RowKeys
}

function TableRow<Row, Id extends string>({ table, row, index, firstRow, keys }: TableRowProps<Row, Id>) {
  const { columns, onOpen, opensOnClick = false, rowAttributes, folded = NO_COLUMNS } = table
  // The column that takes the remaining width has the most room.
  const folder =
    columns.find(({ widthPx }) => widthPx === undefined) ??
    columns.find(({ isStrong }) => isStrong) ??
    columns.find(({ isTick }) => !isTick)
  return (
    <tr
      {...rowAttributes?.(row)}
      {...keys.ofRow(index)}
      aria-rowindex={firstRow + index + 1}
      data-opens={onOpen !== undefined || undefined}
      onDoubleClick={(event) => {
        if (!isOnControl(event.target)) onOpen?.(row)
      }}
      onClick={(event) => {
        if (opensOnClick && !isOnControl(event.target) && !isSelectingText()) onOpen?.(row)
      }}
    >
      {columns.map((column) => (
        <TableCell
          key={column.id}
          column={column}
          row={row}
          folded={column === folder ? folded : NO_COLUMNS}
          onOpen={onOpen}
        />
      ))}
    </tr>
  )
}

function Spacer({ heightPx, columnCount }: { readonly heightPx: number; readonly columnCount: number }) {
  if (heightPx <= 0) return null
  return (
    <tr className="table-spacer" aria-hidden>
      <td colSpan={columnCount} style={{ height: heightPx }} />
    </tr>
  )
}

function openAt<Row, Id extends string>({ rows, onOpen }: DataTableProps<Row, Id>, index: number) {
  const row = rows[index]
  if (row !== undefined) onOpen?.(row)
}

function isOnControl(target: EventTarget): boolean {
  return (
    target instanceof Element && target.closest('a, button, input, select, textarea, label, [role="menuitem"]') !== null
  )
}

/** Somebody who selects an address wants to copy it, not to leave. */
function isSelectingText(): boolean {
  return (window.getSelection()?.toString() ?? '') !== ''
}
