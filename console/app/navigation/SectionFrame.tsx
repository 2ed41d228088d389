import { type ReactNode, useMemo } from 'react'
import { authorityOf, useSession } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useLocation } from '#console/router/Router.tsx'
import { CurrentSection, type Section } from '#console/ui/page/section.ts'
import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { visibleNavigation } from './navigation.ts'

/** The page of a single record stands alone: its title names the record. */
function sectionAt(pathname: string, user: SignedInUser | undefined): Section | undefined {
  const entry = visibleNavigation((permission) => user !== undefined && isAllowed(permission, authorityOf(user)))
    .flatMap(({ entries }) => entries)
    .find(({ tabs }) => tabs.length > 1 && tabs.some(({ path }) => path === pathname))
  return entry && { title: entry.label, tabs: entry.tabs.map(({ label, path }) => ({ label, to: address(path) })) }
}

export function SectionFrame({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const user = useSession()?.user
  const section = useMemo(() => sectionAt(pathname, user), [pathname, user])
  return <CurrentSection value={section}>{children}</CurrentSection>
}
