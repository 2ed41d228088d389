import type { ReactNode } from 'react'

/** How a column is written; the server sorts, so a column that can be sorted says so by `isSortable`. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id
  readonly header: string
  /** Stands in the head instead of the header's words, e.g. a box that selects all rows. */
  readonly headerCell?: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** In pixels; columns without one share the rest. */
  readonly widthPx?: number
  /** For what can be read elsewhere: in a table with too little room these columns leave, the lowest number first. */
  readonly leaves?: number
  readonly isSortable?: boolean
  /** Numbers stand at the right. */
  readonly isRight?: boolean
  readonly isStrong?: boolean
  readonly isDim?: boolean
  /** For columns of buttons: the name is read out, not shown. */
  readonly hidesHeader?: boolean
  /** Also where there is room for one stacked cell only, in place of the others. */
  readonly staysWhenStacked?: boolean
  /** Full text as a tooltip, for what may be cut. */
  readonly title?: (row: Row) => string
}

export interface Sort<Id extends string = string> {
  readonly id: Id
  readonly descending: boolean
}
