import type { ReactNode } from 'react'
import { AddressNote } from './AddressNote.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './Screen.css'

interface ScreenProps {
  readonly title: string
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  /** It words the parts of the address that this page cannot read. */
  readonly unread?: readonly string[]
  readonly children?: ReactNode
}

const NOTHING: readonly string[] = []

/** A screen has a title (also of the browser tab), actions, and content below. */
export function Screen({ title, subtitle, actions, unread = NOTHING, children }: ScreenProps) {
  useDocumentTitle(title)
  return (
    <section className="screen" aria-label={title}>
      <div className="screen-head">
        <h1>{title}</h1>
        {subtitle !== undefined && <div className="screen-subtitle">{subtitle}</div>}
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </div>
      <AddressNote unread={unread} />
      {children}
    </section>
  )
}
