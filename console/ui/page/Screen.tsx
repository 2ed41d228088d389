import type { Icon } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { AddressNote } from './AddressNote.tsx'
import { MoreButton } from './MoreButton.tsx'
import { CurrentSection, type Section } from './section.ts'
import { useDocumentTitle } from './useDocumentTitle.ts'
import './Screen.css'

const MoreMenu = lazyPart<{ readonly items: readonly MoreItem[] }>(() =>
  import('./MoreMenu.tsx').then((part) => part.MoreMenu),
)

export interface MoreItem {
  readonly label: string
  readonly icon: Icon
  /** The address that the item leads to; without it, `onClick` says what the item does. */
  readonly to?: Address
  readonly onClick?: () => void
  readonly isDangerous?: boolean
}

interface ScreenProps {
  readonly title: string
  readonly subtitle?: ReactNode
  /** At most three, and one of them main; the others are `more`. */
  readonly actions?: ReactNode
  /** These stand in a menu behind the actions. */
  readonly more?: readonly MoreItem[]
  /** It words the parts of the address that this page cannot read. */
  readonly unread?: readonly string[]
  readonly children?: ReactNode
}

const NOTHING: readonly string[] = []
const NO_MORE: readonly MoreItem[] = []

/**
 * A screen has a title, actions, and content below. Within a section it shows the section's title and tabs, and its own
 * title names the browser tab and the region.
 */
export function Screen({ title, subtitle, actions, more = NO_MORE, unread = NOTHING, children }: ScreenProps) {
  const section = use(CurrentSection)
  useDocumentTitle(title)
  return (
    <section className="screen" aria-label={title}>
      <div className="screen-head">
        <h1>{section?.title ?? title}</h1>
        {subtitle !== undefined && <div className="screen-subtitle">{subtitle}</div>}
        {(actions !== undefined || more.length > 0) && (
          <div className="screen-actions">
            {actions}
            {more.length > 0 && <More items={more} />}
          </div>
        )}
      </div>
      {section && <SectionTabs {...section} />}
      <AddressNote unread={unread} />
      {children}
    </section>
  )
}

/** Tabs are pages of their own, so they are links. */
const SectionTabs = ({ title, tabs }: Section) => (
  <nav className="section-tabs" aria-label={title}>
    {tabs.map(({ label, to }) => (
      <Link key={to} to={to}>
        {label}
      </Link>
    ))}
  </nav>
)

/** The first click loads the menu. */
function More({ items }: { readonly items: readonly MoreItem[] }) {
  const [isHere, reach] = useFirstUse(MoreMenu)
  if (isHere) return <MoreMenu items={items} />
  return <MoreButton aria-haspopup="menu" aria-expanded={false} onClick={() => void reach()} />
}
