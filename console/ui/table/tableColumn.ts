import type { ReactNode } from 'react'

/** The server sorts, so a column is sortable only if it has `isSortable`. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id
  readonly header: string
  /** It replaces the header's text, for example by a box that selects all rows. */
  readonly headerCell?: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Columns without a width in pixels share the rest. */
  readonly widthPx?: number
  /** Columns with this number hide in a narrow table, the lowest first, because their content can be read elsewhere. */
  readonly leaves?: number
  readonly isSortable?: boolean
  readonly isRight?: boolean
  readonly isStrong?: boolean
  readonly isDim?: boolean
  readonly hidesHeader?: boolean
  /** The cell also stays where there is room for one stacked cell only, and the others go. */
  readonly staysWhenStacked?: boolean
  /** The full text is a tooltip, because the cell may be cut. */
  readonly title?: (row: Row) => string
}

export interface Sort<Id extends string = string> {
  readonly id: Id
  readonly descending: boolean
}
