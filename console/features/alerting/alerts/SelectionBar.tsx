import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { MOST_CLOSED_AT_ONCE } from '#contract/http/alerting/alerts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import type { AlertSelection } from './useAlertSelection.ts'

interface Props {
  readonly selection: AlertSelection
  /** How many the filter shows; null: more than the server counts. */
  readonly total: number | null
  /** On this page. */
  readonly shownCount: number
  /** What is done with what is selected. */
  readonly children: ReactNode
  /** Stands at the end. */
  readonly menu?: ReactNode
}

/** Above the list: how many alerts are selected, which more, and what to do with them. */
export function SelectionBar({ selection, total, shownCount, children, menu }: Props) {
  const { count } = selection
  const isMore = total === null || total > shownCount
  return (
    <section className="alert-selection" aria-label="Selection" data-any={count > 0 || undefined}>
      {children}
      <span role="status" className={count > 0 ? undefined : 'dim'}>
        {count > 0 ? (
          <>
            <b>{formatNumber(count)}</b> selected
          </>
        ) : (
          'None selected'
        )}
      </span>
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
