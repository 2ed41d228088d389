import { type InfiniteData, keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Input, send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import type { Call, QueryOf } from '#contract/call/call.ts'

const PAGE_SIZE = 200

/** The rows of one answer stand newest first. */
interface RecordPage<Row> {
  readonly rows: readonly Row[]
  /** It is null where there are more than the server counts. */
  readonly total: number | null
  readonly next: string | null
}

export interface Records<Row> {
  readonly rows: readonly Row[]
  readonly total: number | null
  readonly hasOlder: boolean
}

/** Records stay as they were read until a reload, so that nobody loses the line that they are reading. */
export function useRecordPages<C extends Call, Row>(call: C, query: QueryOf<C>) {
  const key = [call.path, 'pages', query]
  const [isReloading, setIsReloading] = useState(false)
  const result = useInfiniteQuery<RecordPage<Row>, CallFailed, Records<Row>, readonly unknown[], string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      send(call, {
        query: { ...(query as object), pageSize: PAGE_SIZE, next: pageParam },
        signal,
      } as unknown as Input<C>) as Promise<RecordPage<Row>>,
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: recordsOf,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  const showOlder = async () => {
    const { isFetchNextPageError, error } = await result.fetchNextPage()
    if (isFetchNextPageError) toasts.failure(error)
  }
  const reloadNow = async () => {
    setIsReloading(true)
    // A reload starts at the newest page, because reading every older page again would take as long as paging through
    // them did.
    queryClient.setQueryData<InfiniteData<RecordPage<Row>>>(key, (read) => read && firstPageOf(read))
    const { isError, error, data } = await result.refetch()
    setIsReloading(false)
    if (isError && data !== undefined) toasts.failure(error)
  }

  return {
    // A view draws the same from these pages as from a single answer.
    result: result as unknown as UseQueryResult<Records<Row>, CallFailed>,
    readAt: result.dataUpdatedAt === 0 ? undefined : new Date(result.dataUpdatedAt),
    isReloading,
    reloadNow,
    isLoadingOlder: result.isFetchingNextPage,
    showOlder,
  }
}

function recordsOf<Row>({ pages }: InfiniteData<RecordPage<Row>, string | undefined>): Records<Row> {
  return {
    rows: pages.flatMap(({ rows }) => rows),
    total: pages[0]?.total ?? null,
    hasOlder: pages.at(-1)?.next !== null,
  }
}

function firstPageOf<Page>({ pages, pageParams }: InfiniteData<Page>): InfiniteData<Page> {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}
