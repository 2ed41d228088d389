import { type Given, type Path, type ValuesOf, type WrittenValues, withoutAbsent } from '#console/router/addressText.ts'
import { type Place, pageQuery, ROWS_PER_PAGE } from '#console/router/pages.ts'

/** These parameters order and page a list; the others narrow it or choose its layout. */

const ORDERING = ['sort', 'descending', 'page', 'next'] as const
/** They choose columns and density, and name the saved view and the row that is shown beside its list. */
const LOOK = ['columns', 'density', 'view', 'shown'] as const
type Ordering = (typeof ORDERING)[number] | (typeof LOOK)[number]

export type ListFilter<P extends Path> = Omit<ValuesOf<P>, Ordering>
/** An absent or empty value removes that part of the filter. */
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

/** A changed order starts again at the first page and keeps the filter and the layout. */
export function withSort(values: object, sort: string, descending: boolean): Given {
  return { ...filterOf(values), ...lookOf(values), sort, ...(descending ? { descending } : {}) }
}

export interface Asking {
  /** It turns the filter into the call's parameters; without it the filter is sent as it is. */
  readonly asks?: ((filter: never) => object) | undefined
  readonly order?: string | undefined
  readonly rowsPerPage?: number | undefined
}

export function questionOf(values: object, { rowsPerPage = ROWS_PER_PAGE, ...asking }: Asking) {
  return { ...unpagedQuestionOf(values, asking), ...pageQuery(values as Place, rowsPerPage) }
}

export function unpagedQuestionOf(values: object, { asks = (filter) => filter, order }: Asking) {
  const { sort = order, descending = false } = values as { readonly sort?: string; readonly descending?: boolean }
  return { ...asks(filterOf(values) as never), ...(order === undefined ? {} : { sort, descending }) }
}
