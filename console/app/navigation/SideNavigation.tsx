import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import type { NavigationEntry, NavigationGroup } from './navigation.ts'

interface SideNavigationProps {
  readonly groups: readonly NavigationGroup[]
  readonly isOpen: boolean
}

export function SideNavigation({ groups, isOpen }: SideNavigationProps) {
  return (
    <nav className="shell-sidebar" aria-label="Main">
      {groups.map(({ heading, entries }) => (
        <div key={heading}>
          <h2 className="nav-heading">{isOpen ? heading : <span className="visually-hidden">{heading}</span>}</h2>
          <ul className="nav-list">
            {entries.map((entry) => (
              <li key={entry.path}>
                <EntryLink entry={entry} isOpen={isOpen} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function EntryLink({ entry, isOpen }: { readonly entry: NavigationEntry; readonly isOpen: boolean }) {
  const { path, label, icon: Icon } = entry
  return (
    <Hint label={label} isBeside isOff={isOpen}>
      <Link to={address(path)} className="nav-entry">
        <Icon size={19} stroke={1.7} aria-hidden />
        <span className={isOpen ? undefined : 'visually-hidden'}>{label}</span>
      </Link>
    </Hint>
  )
}
