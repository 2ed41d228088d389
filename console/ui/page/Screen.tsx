import type { ReactNode } from 'react'
import { AddressNote } from './AddressNote.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './Screen.css'

interface ScreenProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** Buttons and filters at the right of the title. */
  readonly actions?: ReactNode
  /** Of the address, in words: what it gave and this page cannot read. */
  readonly unread?: readonly string[]
  readonly children?: ReactNode
}

const NOTHING: readonly string[] = []

/** What an address shows: its title (also of the browser tab), actions, and content below. */
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
