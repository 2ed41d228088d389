import { type ReactNode, use, useEffect, useRef } from 'react'
import { Link, useLocation } from '#console/router/Router.tsx'
import { AddressNote } from './AddressNote.tsx'
import { CurrentSection, type Section } from './section.ts'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './Screen.css'

interface ScreenProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** At most three buttons, one of them main; what else there is stands in a menu, the last of them. */
  readonly actions?: ReactNode
  /** What people look at again and again, in one row with the tabs of the section. */
  readonly views?: ReactNode
  /** It words the parts of the address that this page cannot read. */
  readonly unread?: readonly string[]
  readonly children?: ReactNode
}

const NOTHING: readonly string[] = []

/**
 * A screen has a title, actions, and content below. Within a section it shows the section's title and tabs, and its own
 * title names the browser tab and the region.
 */
export function Screen({ title, subtitle, actions, views, unread = NOTHING, children }: ScreenProps) {
  const section = use(CurrentSection)
  useDocumentTitle(title)
  return (
    <section className="screen" aria-label={title}>
      <div className="screen-head">
        <h1>{section?.title ?? title}</h1>
        {subtitle !== undefined && <div className="screen-subtitle">{subtitle}</div>}
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </div>
      {(section || views) && (
        <div className="screen-tabs">
          {section && <SectionTabs {...section} />}
          {views}
        </div>
      )}
      <AddressNote unread={unread} />
      {children}
    </section>
  )
}

/** Tabs are pages of their own, so they are links. */
function SectionTabs({ title, tabs }: Section) {
  const { pathname } = useLocation()
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another tab
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <nav ref={row} className="section-tabs" aria-label={title}>
      {tabs.map(({ label, to }) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
