/** Pages of lists: by number as far as the server counts rows, beyond that by the key that the page before gave. */

export const ROWS_PER_PAGE = 100
/** Pages beyond the 10,000th row are reached by key only (decisions: Calls). */
export const LAST_NUMBERED_PAGE = 10_000 / ROWS_PER_PAGE

/** Where in a list somebody is. */
export interface Place {
  /** From 2; absent is the first page. */
  readonly page?: number | undefined
  /** Key of the page, where a number no longer reaches. */
  readonly next?: string | undefined
}

/** A page that has neither a number that reaches it nor a key is none. */
export function placeAt(page: number | undefined, next: string | undefined): Place {
  if (page === undefined || page < 2) return {}
  if (page <= LAST_NUMBERED_PAGE) return { page }
  return next ? { page, next } : {}
}
