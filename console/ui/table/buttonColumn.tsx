import type { ReactNode } from 'react'
import type { Column } from './tableColumn.ts'

/**
 * The buttons of a row stay where the table stacks its other cells.
 *
 * @param header names the column for screen readers
 */
export function buttonColumn<Row>(
  header: string,
  widthPx: number,
  buttons: (row: Row) => ReactNode,
): Column<Row, 'buttons'> {
  return {
    id: 'buttons',
    header,
    hidesHeader: true,
    staysWhenStacked: true,
    widthPx,
    isRight: true,
    cell: (row) => <span className="row-buttons">{buttons(row)}</span>,
  }
}
