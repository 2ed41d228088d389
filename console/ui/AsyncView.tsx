import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { EmptyNote, FailedNote } from './notes.tsx'
import { Skeleton } from './Skeleton.tsx'
import './AsyncView.css'

interface AsyncViewProps<T> {
  readonly query: UseQueryResult<T, CallFailed>
  readonly children: (data: T) => ReactNode
  /** It has the shape of the content; a few lines by default. */
  readonly skeleton?: ReactNode
  /** A list without rows is empty by default, where `empty` says so. */
  readonly isEmpty?: (data: T) => boolean
  readonly empty?: ReactNode
}

/**
 * It draws loading, empty and failed states of a query. A failed refresh leaves the present content as it is; answers
 * of the previous filter are dimmed until the new ones come.
 */
export function AsyncView<T>({ query, children, skeleton, isEmpty, empty }: AsyncViewProps<T>) {
  if (query.data === undefined) {
    if (query.isError) return <FailedNote failure={query.error} onRetry={() => void query.refetch()} />
    return skeleton ?? <Skeleton />
  }
  if (isEmpty?.(query.data) ?? (empty !== undefined && isBare(query.data))) return <Empty>{empty}</Empty>
  return (
    <div className="async-stale" data-stale={query.isPlaceholderData || undefined} aria-busy={query.isPlaceholderData}>
      <div>{children(query.data)}</div>
    </div>
  )
}

const isBare = (data: unknown) => Array.isArray(data) && data.length === 0

function Empty({ children = startMessages.noData }: { readonly children?: ReactNode }) {
  return typeof children === 'string' ? <EmptyNote title={children} /> : children
}
