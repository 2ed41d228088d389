import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { pagePosition } from './pagePosition.ts'
import './Pager.css'

interface PagerProps {
  readonly firstRow: number
  readonly shownCount: number
  /** It is null where there are more than the server counts (10,000), and undefined where it counts none. */
  readonly total: number | null | undefined
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly children?: ReactNode
}

/** An empty page shows nothing here, because the place of its rows says so. */
export function Pager({ firstRow, shownCount, total, onPrevious, onNext, children }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages">
      <span aria-live="polite">{shownCount > 0 && pagePosition(firstRow, shownCount, total)}</span>
      <div className="pager-buttons">
        {children}
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
