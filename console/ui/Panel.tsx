import type { ReactNode } from 'react'
import './Panel.css'

interface PanelProps {
  readonly title?: string | undefined
  readonly meta?: ReactNode
  /** Tables and lists reach the edge; everything else has room around it. */
  readonly isPadded?: boolean
  readonly children: ReactNode
}

export function Panel({ title, meta, isPadded = false, children }: PanelProps) {
  return (
    <section className="panel" aria-label={title}>
      {(title !== undefined || meta !== undefined) && (
        <header className="panel-head">
          {title !== undefined && <h2>{title}</h2>}
          {meta !== undefined && <div className="panel-meta">{meta}</div>}
        </header>
      )}
      {isPadded ? <div className="panel-body-padded">{children}</div> : children}
    </section>
  )
}
