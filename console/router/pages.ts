import { MOST_COUNTED_ROWS } from '#contract/call/listOptions.ts'

/** Pages have numbers as far as the server counts rows, and beyond that keys from the previous page. */

export const ROWS_PER_PAGE = 100
const LAST_NUMBERED_PAGE = MOST_COUNTED_ROWS / ROWS_PER_PAGE

export interface Place {
  /** The number starts at 2; absent means the first page. */
  readonly page?: number | undefined
  readonly next?: string | undefined
}

/** A page with neither a valid number nor a key counts as the first one. */
export function placeAt(page: number | undefined, next: string | undefined): Place {
  if (page === undefined || page < 2) return {}
  if (page <= LAST_NUMBERED_PAGE) return { page }
  return next ? { page, next } : {}
}

export const pageOf = ({ page = 1 }: Place): number => page

export const placeAfter = (place: Place, nextKey: string): Place => placeAt(pageOf(place) + 1, nextKey)

interface Counted {
  readonly shownCount: number
  /** It is null where there are more than the server counts. */
  readonly total: number | null
  readonly rowsPerPage: number
}

/** It returns undefined where there is no next page or no number reaches it. */
export function placeAfterCounted(place: Place, { shownCount, total, rowsPerPage }: Counted): Place | undefined {
  const page = pageOf(place) + 1
  const isLast = total !== null && firstRowOf(place, rowsPerPage) - 1 + shownCount >= total
  return isLast || shownCount === 0 || page > LAST_NUMBERED_PAGE ? undefined : { page }
}

/** A key only leads forwards, so the way back from beyond row 10,000 is the last page that has a number. */
export function placeBefore(place: Place): Place | undefined {
  const page = pageOf(place)
  return page === 1 ? undefined : placeAt(Math.min(page - 1, LAST_NUMBERED_PAGE), undefined)
}

export const firstRowOf = (place: Place, rowsPerPage: number) => (pageOf(place) - 1) * rowsPerPage + 1

export function pageQuery(place: Place, rowsPerPage: number) {
  return {
    pageSize: rowsPerPage,
    ...(place.next ? { next: place.next } : { rowNum: firstRowOf(place, rowsPerPage) }),
  }
}
