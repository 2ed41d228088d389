import { IconChevronLeft, IconChevronRight, IconPrinter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MOST_PRINTED_ROWS } from '#console/lib/list/usePrintAll.ts'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import { pagePosition } from './pagePosition.ts'
import './Pager.css'

interface PagerProps {
  readonly firstRow: number
  readonly shownCount: number
  /** It is null where there are more than the server counts (10,000), and undefined where it counts none. */
  readonly total: number | null | undefined
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly onPrint?: (() => void) | undefined
  readonly isPrintRead?: boolean
  readonly children?: ReactNode
}

/** An empty page shows nothing here, because the place of its rows says so. */
export function Pager({ firstRow, shownCount, total, children, ...on }: PagerProps) {
  const { onPrevious, onNext, onPrint, isPrintRead = false } = on
  return (
    <nav className="pager" aria-label="Pages">
      <span aria-live="polite">{shownCount > 0 && pagePosition(firstRow, shownCount, total)}</span>
      <div className="pager-buttons">
        {children}
        {onPrint && (
          <IconButton
            icon={IconPrinter}
            variant="default"
            size={28}
            tip={printText(total)}
            loading={isPrintRead}
            onClick={onPrint}
          />
        )}
        {onPrevious && (
          <IconButton
            icon={IconChevronLeft}
            variant="default"
            size={28}
            aria-label="Previous page"
            onClick={onPrevious}
          />
        )}
        <IconButton
          icon={IconChevronRight}
          variant="default"
          size={28}
          aria-label="Next page"
          disabled={!onNext}
          onClick={onNext}
        />
      </div>
    </nav>
  )
}

function printText(total: number | null | undefined): string {
  if (total === undefined) return `Print all, at most ${formatNumber(MOST_PRINTED_ROWS)} rows`
  return total !== null && total <= MOST_PRINTED_ROWS
    ? `Print all ${formatNumber(total)}`
    : `Print the first ${formatNumber(MOST_PRINTED_ROWS)}`
}
