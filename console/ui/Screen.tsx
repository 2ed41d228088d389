import type { ReactNode } from 'react'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './Screen.css'

interface ScreenProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** Buttons and filters at the right of the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** What an address shows: its title (also of the browser tab), actions, and content below. */
export function Screen({ title, subtitle, actions, children }: ScreenProps) {
  useDocumentTitle(title)
  return (
    <section className="screen" aria-label={title}>
      <div className="screen-head">
        <h1>{title}</h1>
        {subtitle !== undefined && <div className="screen-subtitle">{subtitle}</div>}
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
