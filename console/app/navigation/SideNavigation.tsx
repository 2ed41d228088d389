import { useEffect, useRef } from 'react'
import { address } from '#console/router/addressText.ts'
import { Link, useLocation } from '#console/router/Router.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { leadsTo, type NavigationEntry, type NavigationGroup } from './navigation.ts'
import { type Badge, useBadges } from './useBadges.ts'
import './sideNavigation.css'

interface SideNavigationProps {
  readonly groups: readonly NavigationGroup[]
  readonly isOpen: boolean
}

export function SideNavigation({ groups, isOpen }: SideNavigationProps) {
  const menu = useRef<HTMLElement>(null)
  const badges = useBadges()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another entry
  useEffect(() => {
    const show = () => menu.current?.querySelector('.nav-entry[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
    // Scrolling computes the layout of the whole page, which is done anyway a moment later.
    const later = requestAnimationFrame(() => setTimeout(show))
    return () => cancelAnimationFrame(later)
  }, [pathname, isOpen])
  return (
    <nav ref={menu} className="shell-sidebar" aria-label="Main">
      {groups.map(({ heading, entries }) => (
        <div key={heading}>
          <h2 className="nav-heading">{isOpen ? heading : <span className="visually-hidden">{heading}</span>}</h2>
          <ul className="nav-list">
            {entries.map((entry) => (
              <li key={entry.tabs[0].path}>
                <EntryLink entry={entry} isOpen={isOpen} isHere={leadsTo(entry, pathname)} />
                {entry.badge && <BadgeLink badge={badges[entry.badge]} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

interface EntryLinkProps {
  readonly entry: NavigationEntry
  readonly isOpen: boolean
  readonly isHere: boolean
}

function EntryLink({ entry, isOpen, isHere }: EntryLinkProps) {
  const { tabs, label, icon: Icon } = entry
  return (
    <Hint label={label} isBeside isOff={isOpen}>
      <Link to={address(tabs[0].path)} className="nav-entry" aria-current={isHere ? 'page' : undefined}>
        <Icon size={19} stroke={1.7} aria-hidden />
        <span className={isOpen ? undefined : 'visually-hidden'}>{label}</span>
      </Link>
    </Hint>
  )
}

/** It leads to what it counts, while the entry leads to its first page. */
function BadgeLink({ badge }: { readonly badge: Badge | undefined }) {
  if (badge === undefined) return null
  const { count, label, isCritical, to } = badge
  return (
    <Hint label={label} isBeside>
      <Link
        to={to}
        className="nav-badge"
        data-critical={isCritical || undefined}
        aria-label={label}
        aria-current={false}
      >
        {count}
      </Link>
    </Hint>
  )
}
