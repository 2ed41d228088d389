import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useIsNarrow } from '#console/lib/useIsNarrow.ts'
import './Panel.css'

interface PanelProps {
  readonly title?: string | undefined
  readonly meta?: ReactNode
  /** Tables and lists reach the edge; everything else has room around it. */
  readonly isPadded?: boolean
  /** The head stands alone on a phone until somebody opens it. */
  readonly folds?: boolean
  readonly children: ReactNode
}

const PHONE_PX = 600

export function Panel({ title, meta, isPadded = false, folds = false, children }: PanelProps) {
  const isPhone = useIsNarrow(PHONE_PX)
  const [isOpen, setOpen] = useState(false)
  const isFolded = folds && isPhone && !isOpen
  const Chevron = isFolded ? IconChevronRight : IconChevronDown
  return (
    <section className="panel" aria-label={title} data-folded={isFolded || undefined}>
      {(title !== undefined || meta !== undefined) && (
        <header className="panel-head">
          {title !== undefined && (
            <h2>
              {folds && isPhone ? (
                <button type="button" className="panel-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  <Chevron size={16} aria-hidden />
                  {title}
                </button>
              ) : (
                title
              )}
            </h2>
          )}
          {meta !== undefined && !isFolded && <div className="panel-meta">{meta}</div>}
        </header>
      )}
      {!isFolded && (isPadded ? <div className="panel-body-padded">{children}</div> : children)}
    </section>
  )
}
