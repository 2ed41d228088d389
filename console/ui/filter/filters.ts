import type { ReactNode } from 'react'

/** A filter that is used less often: its field is behind "More filters", and its chosen value is a chip in the row. */
export interface MoreFilter {
  readonly label: string
  /** Filters that come only from links and tiles have none, and are there as their chip. */
  readonly field?: ReactNode
  /** The chosen value in words, such as `Place: Lyon`. Absent while nothing is chosen. */
  readonly chip?: string | undefined
  readonly onRemove: () => void
}

export interface Filters {
  /** These fields are the row, in this order. A null one takes no room. */
  readonly primary: readonly ReactNode[]
  /** A switch that stands before them, and always has room. */
  readonly lead?: ReactNode
  readonly more?: readonly MoreFilter[]
}

/** What a field needs before its words are mostly cut, and what stands beside the fields. */
const FIELD_PX = 136
const BUTTONS_PX = 110
const MORE_PX = 130
const LEAD_PX = 280

interface Row {
  readonly count: number
  readonly hasLead: boolean
  /** "More filters" stands in the row, whether all fields fit or not. */
  readonly hasMore: boolean
}

/**
 * It counts the fields that have room in one row. The first one always stays, or the switch before it.
 *
 * @param widthPx undefined where it cannot be measured: then all of them have room
 */
export function fittingFields({ count, hasLead, hasMore }: Row, widthPx: number | null | undefined): number {
  if (widthPx === undefined || widthPx === null) return count
  const roomPx = widthPx - BUTTONS_PX - (hasLead ? LEAD_PX : 0)
  if (!hasMore && count * FIELD_PX <= roomPx) return count
  return Math.min(count, Math.max(hasLead ? 0 : 1, Math.floor((roomPx - MORE_PX) / FIELD_PX)))
}
