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
  readonly more?: readonly MoreFilter[]
}

/** What a field needs before its words are mostly cut, and what the buttons beside the fields take. */
const FIELD_PX = 128
const GAP_PX = 8
const BUTTONS_PX = 240

/**
 * It counts the fields that have room in one row. The first one always stays.
 *
 * @param widthPx undefined where it cannot be measured: then all of them have room
 */
export function fittingFields(count: number, widthPx: number | null | undefined): number {
  if (widthPx === undefined || widthPx === null) return count
  return Math.min(count, Math.max(1, Math.floor((widthPx - BUTTONS_PX) / (FIELD_PX + GAP_PX))))
}
