import { send } from '#console/lib/call/api.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { askedBy, type CallOptions, callKey, queryClient, useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { useOnLiveAgain } from '#console/lib/live/live.ts'
import type { Given, Path } from '#console/router/addressText.ts'
import {
  firstRowOf,
  type Place,
  pageOf,
  placeAfter,
  placeAfterCounted,
  placeBefore,
  ROWS_PER_PAGE,
} from '#console/router/pages.ts'
import type { Way } from '#console/router/Router.tsx'
import type { AnswerOf, Call, QuestionOf } from '#contract/call/call.ts'
import {
  type FilterChange,
  isFiltered,
  type ListFilter,
  lookOf,
  questionOf,
  unpagedQuestionOf,
  withFilter,
  withSort,
} from './listAddress.ts'
import { useListAddress } from './useListAddress.ts'
import { usePrintAll } from './usePrintAll.ts'

const BATCH_ROWS = 500

export type RowOf<C extends Call> =
  AnswerOf<C> extends infer Answer
    ? Answer extends readonly (infer Row)[]
      ? Row
      : Answer extends { readonly rows: readonly (infer Row)[] }
        ? Row
        : never
    : never

interface RowsPage<Row> {
  readonly rows: readonly Row[]
  /** It is null where there are more than the server counts, and undefined where it never counts. */
  readonly total?: number | null
  /** It is undefined where pages have numbers only. */
  readonly next?: string | null
}

/** A call answers a plain list without paging parameters, and a page with them. */
function pageIn<C extends Call>(answer: AnswerOf<C>): RowsPage<RowOf<C>> {
  const plain = answer as readonly RowOf<C>[] | RowsPage<RowOf<C>>
  return 'rows' in plain ? plain : { rows: plain, total: plain.length, next: null }
}

interface ListOptions<C extends Call, P extends Path> {
  readonly at: P
  /** The page sets this part of the filter itself. */
  readonly fixed?: FilterChange<P> | undefined
  /** The filter is kept between visits under this name. */
  readonly remembersAs?: string
  /** It turns the filter into the call's parameters; without it the filter is sent as it is. */
  readonly asks?: (filter: ListFilter<P>) => object
  /** Pages send these parameters too, but the export does not. */
  readonly pagesAsk?: (filter: ListFilter<P>) => object
  /** It filters the rows of a call that always answers all of them. */
  readonly keeps?: (row: RowOf<C>, filter: ListFilter<P>) => boolean
  readonly order?: string
  readonly rowsPerPage?: number
  /** The call never counts: it answers null whether there are more rows or not. */
  readonly isUncounted?: boolean
  /** Live events update the rows; regular refreshes find the rest. */
  readonly isLive?: boolean
  readonly refreshEveryMs?: CallOptions<C>['refreshEveryMs']
}

/** It is a list by its address: filter, order, pages, reload, reset, and live rows. `ListPanel` draws it. */
export function useList<C extends Call, P extends Path>(call: C, options: ListOptions<C, P>) {
  const { at, keeps, order, rowsPerPage = ROWS_PER_PAGE, isUncounted = false, isLive = false } = options
  const refreshEveryMs = isLive ? REFRESH_EVERY_MS.besideLive : options.refreshEveryMs
  const { values, filter, unread, isRestoring, rewrite, go } = useListAddress(at, options)
  const isPaged = keeps === undefined
  const asked = { ...values, ...filter }
  const question = (isPaged ? { ...questionOf(asked, options), ...options.pagesAsk?.(filter) } : {}) as QuestionOf<C>
  const result = useCall(call, question, {
    keepsPrevious: isPaged,
    ...(refreshEveryMs === undefined ? {} : { refreshEveryMs }),
  })
  const { isReloading, reloadNow } = useReload(result)
  useOnLiveAgain(() => {
    if (isLive) void result.refetch()
  })

  const given: Given = values
  const place: Place = values
  const toPlace = (next: Place) => go({ ...withFilter(given, {}), ...next })
  const page = result.data === undefined ? undefined : pageIn<C>(result.data)
  const before = placeBefore(place)
  const after = page && placeBehind(place, page, rowsPerPage)
  // Everything that the filter shows is read in the server's batches.
  const wholeQuestion = unpagedQuestionOf(asked, options)
  const batches = (signal?: AbortSignal, batchRows = BATCH_ROWS) => batchesOf(call, wholeQuestion, batchRows, signal)
  const print = usePrintAll(isPaged && (before ?? after) !== undefined, batches)
  return {
    result,
    rows: print.rows ?? (page?.rows ?? []).filter((row) => keeps?.(row, filter) ?? true),
    total: isUncounted ? undefined : page?.total,
    filter,
    unread,
    address: { values, isRestoring, rewrite },
    isFiltered: isFiltered(values),
    filterCount: Object.keys(filter).length,
    isPaged,
    page: pageOf(place),
    firstRow: print.rows ? 1 : firstRowOf(place, rowsPerPage),
    print,
    isReloading,
    reloadNow,
    narrow: (change: FilterChange<P>, way?: Way) => go(withFilter(given, change), way),
    // The saved view no longer applies if the filter is empty.
    reset: () => go({ ...lookOf(values), view: undefined }),
    /** It shows exactly this filter, in the order of the list. */
    show: (exactly: FilterChange<P>) => go({ ...lookOf(values), view: undefined, ...exactly }),
    onPrevious: before && !print.isWhole ? () => toPlace(before) : undefined,
    onNext: after && !print.isWhole ? () => toPlace(after) : undefined,
    table: {
      firstRow: firstRowOf(place, rowsPerPage),
      total: page?.total ?? null,
      sort:
        order === undefined ? undefined : { id: (given.sort ?? order) as never, descending: given.descending === true },
      onSort: (next: { readonly id: string; readonly descending: boolean }) =>
        go(withSort(values, next.id, next.descending)),
    },
    /** It changes the rows on the screen and their count until they are read again. */
    changeRows: (change: (rows: readonly RowOf<C>[]) => readonly RowOf<C>[]) =>
      queryClient.setQueryData<AnswerOf<C>>(callKey(call, question), (answer) => {
        if (answer === undefined) return undefined
        const before = pageIn<C>(answer)
        const rows = change(before.rows)
        if (Array.isArray(answer)) return rows as AnswerOf<C>
        const total = counted(before.total, rows.length - before.rows.length)
        return { ...before, rows, total } as AnswerOf<C>
      }),
    wholeQuestion,
    /** @throws CallFailed */
    batches,
  }
}

function placeBehind(place: Place, { rows, total = null, next }: RowsPage<unknown>, rowsPerPage: number) {
  if (next === undefined) return placeAfterCounted(place, { shownCount: rows.length, total, rowsPerPage })
  return next === null ? undefined : placeAfter(place, next)
}

/** Only a number can be corrected; otherwise the server has not counted. */
const counted = (total: number | null | undefined, more: number) => (typeof total === 'number' ? total + more : total)

/**
 * It reads everything that a list has, in batches.
 *
 * @throws CallFailed
 */
export async function* batchesOf<C extends Call>(
  call: C,
  asked: object,
  pageSize: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly RowOf<C>[]> {
  let next: string | null | undefined
  let rowNum = 1
  let isMore = true
  while (isMore) {
    const question = { ...asked, pageSize, ...(next ? { next } : { rowNum }) }
    const page = pageIn<C>(await send(call, askedBy(call, question, signal)))
    yield page.rows
    next = page.next
    rowNum += page.rows.length
    isMore =
      next === undefined ? page.rows.length > 0 && rowNum <= (page.total ?? Number.POSITIVE_INFINITY) : next !== null
  }
}
