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
  readonly menu?: ReactNode
}

export function SelectionBar({ selection, total, shownCount, children, menu }: Props) {
  const { count } = selection
  const isMore = total === null || total > shownCount
  // The bar appears with the first tick; a menu has to stay in reach.
  if (count === 0 && !menu) return null
  return (
    <section className="alert-selection" aria-label="Selection" data-any={count > 0 || undefined}>
      {count > 0 && (
        <>
          {children}
          <span role="status">
            <b>{formatNumber(count)}</b> selected
          </span>
        </>
      )}
      {isMore && count > 0 && (
        <Button variant="default" loading={selection.isReadingAll} onClick={() => void selection.addAll()}>
          {total === null
            ? `Select the first ${formatNumber(MOST_CLOSED_AT_ONCE)}`
            : `Select all ${formatNumber(total)}`}
        </Button>
      )}
      {count > 0 && (
        <Button variant="default" onClick={selection.clear}>
          Clear
        </Button>
      )}
      {menu && <div className="alert-selection-menu">{menu}</div>}
    </section>
  )
}
