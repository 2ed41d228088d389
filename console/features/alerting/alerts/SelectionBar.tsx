import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { MOST_CLOSED_AT_ONCE } from '#contract/http/alerting/alerts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { AlertSelection } from './useAlertSelection.ts'

interface Props {
  readonly selection: AlertSelection
  /** The number of rows that the filter finds; null means more than the server counts. */
  readonly total: number | null
  readonly shownCount: number
  readonly children: ReactNode
}

export function SelectionBar({ selection, total, shownCount, children }: Props) {
  const { count } = selection
  const isMore = total === null || total > shownCount
  // The bar appears with the first tick.
  if (count === 0) return null
  return (
    <section className="alert-selection" aria-label="Selection" data-any>
      {children}
      <span role="status">
        <b>{formatNumber(count)}</b> selected
      </span>
      {isMore && (
        <Button variant="default" loading={selection.isReadingAll} onClick={() => void selection.addAll()}>
          {total === null
            ? `Select the first ${formatNumber(MOST_CLOSED_AT_ONCE)}`
            : `Select all ${formatNumber(total)}`}
        </Button>
      )}
      <Button variant="default" onClick={selection.clear}>
        Clear
      </Button>
    </section>
  )
}
