import type { ReactNode } from 'react'
import type { Address } from '#console/router/addressText.ts'

/** The server sorts, so a column is sortable only if it has `isSortable`. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id
  readonly header: string
  /** It replaces the header's text, for example by a box that selects all rows. */
  readonly headerCell?: ReactNode
  readonly cell: (row: Row) => ReactNode
  /**
   * The cell is a link, so that Ctrl, the middle button and "copy link" work as everywhere; undefined for a row whose
   * record has no page or is gone.
   */
  readonly to?: (row: Row) => Address | undefined
  /** A plain click on the link does what a click beside it does; the page is for Ctrl and the other ways. */
  readonly opensRow?: boolean
  /** The records of these rows have no page, so their names are no links. */
  readonly hasNoPage?: boolean
  /** A click anywhere in the cell is one on the box in it. */
  readonly isTick?: boolean
  /** Columns without a width in pixels share the rest. */
  readonly widthPx?: number
  /** Columns with this number leave a narrow table, the lowest first, for a second line of the row. */
  readonly leaves?: number
  /** These rows alone show it on their second line; in others it says nothing, or what the row says anyway. */
  readonly foldsFor?: (row: Row) => boolean
  /** Its name there; only numbers have their header otherwise. */
  readonly foldedName?: string
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
