import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { EmptyNote, FailedNote } from './notes.tsx'
import { Skeleton } from './Skeleton.tsx'
import './AsyncView.css'

interface AsyncViewProps<T> {
  readonly query: UseQueryResult<T, CallFailed>
  readonly children: (data: T) => ReactNode
  /** Shape of what is coming; by default a few lines. */
  readonly skeleton?: ReactNode
  readonly isEmpty?: (data: T) => boolean
  /** What stands where there is nothing: a sentence, or a note of its own. */
  readonly empty?: ReactNode
}

/**
 * Loading, empty and failed of something that was asked for. A failed refresh leaves what is there as it is; answers
 * that belong to the filter before are dimmed until the new ones come.
 */
export function AsyncView<T>({ query, children, skeleton, isEmpty, empty = messages.noData }: AsyncViewProps<T>) {
  if (query.data === undefined) {
    if (query.isError) return <FailedNote failure={query.error} onRetry={() => void query.refetch()} />
    return skeleton ?? <Skeleton />
  }
  if (isEmpty?.(query.data)) return typeof empty === 'string' ? <EmptyNote title={empty} /> : empty
  return (
    <div className="async-stale" data-stale={query.isPlaceholderData || undefined} aria-busy={query.isPlaceholderData}>
      <div>{children(query.data)}</div>
    </div>
  )
}
