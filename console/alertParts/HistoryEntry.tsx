import type { ReactNode } from 'react'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'

export interface HistoryKind extends BadgeLook {
  readonly words: string
}

interface Props {
  readonly kind: HistoryKind
  /** It follows the words in the badge. */
  readonly more?: ReactNode
  readonly at: string
  readonly children?: ReactNode
}

export function HistoryEntry({ kind: { words, ...look }, more, at, children }: Props) {
  return (
    <li>
      <Badge {...look}>
        {words}
        {more}
      </Badge>
      <time dateTime={at} className="dim">
        {formatDateTime(at)}
      </time>
      {children}
    </li>
  )
}
