import { type Given, type Path, type ValuesOf, type WrittenValues, withoutAbsent } from '#console/router/addressText.ts'
import { type Place, pageQuery, ROWS_PER_PAGE } from '#console/router/pages.ts'

/** What the address of a list says: what narrows it, in which order, which page, and how it looks. */

const ORDERING = ['sort', 'descending', 'page', 'next'] as const
/** What of its rows is shown and how, and the view that it began from; only lists where somebody can choose that have these. */
const LOOK = ['columns', 'density', 'view'] as const
type Ordering = (typeof ORDERING)[number] | (typeof LOOK)[number]

/** What narrows a list, by the names of its address. */
export type ListFilter<P extends Path> = Omit<ValuesOf<P>, Ordering>
/** Absent and empty values take a part of the filter away. */
export type FilterChange<P extends Path> = Partial<Omit<WrittenValues<P>, Ordering>>

export function filterOf<P extends Path>(values: object): ListFilter<P> {
  const isFilter = (name: string) => ![...ORDERING, ...LOOK].some((one) => one === name)
  return Object.fromEntries(Object.entries(values).filter(([name]) => isFilter(name))) as ListFilter<P>
}

export const lookOf = (values: object): Given =>
  Object.fromEntries(Object.entries(values).filter(([name]) => LOOK.some((one) => one === name)))

export const isFiltered = (values: object): boolean => Object.keys(filterOf(values)).length > 0

/** A changed filter starts again at the first page and keeps the order. */
export function withFilter(values: Given, change: object): Given {
  const { page: _page, next: _next, ...kept } = values
  return withoutAbsent({ ...kept, ...change })
}

/** So does a changed order, which keeps the filter and the look. */
export function withSort(values: object, sort: string, descending: boolean): Given {
  return { ...filterOf(values), ...lookOf(values), sort, ...(descending ? { descending } : {}) }
}

export interface Asking {
  /** What the filter means for the call; as it is. */
  readonly asks?: ((filter: never) => object) | undefined
  /** The order when the address names none, for lists that can be sorted. */
  readonly order?: string | undefined
  readonly rowsPerPage?: number | undefined
}

/** What a list asks its call, page by page of the address. */
export function questionOf(values: object, { rowsPerPage = ROWS_PER_PAGE, ...asking }: Asking) {
  return { ...unpagedQuestionOf(values, asking), ...pageQuery(values as Place, rowsPerPage) }
}

export function unpagedQuestionOf(values: object, { asks = (filter) => filter, order }: Asking) {
  const { sort = order, descending = false } = values as { readonly sort?: string; readonly descending?: boolean }
  return { ...asks(filterOf(values) as never), ...(order === undefined ? {} : { sort, descending }) }
}
