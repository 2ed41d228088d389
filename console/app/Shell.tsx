import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect } from 'react'
import { queryClient } from '#console/lib/call/useCall.ts'
import { useNoteVisit } from '#console/lib/session/lastVisit.ts'
import { authorityOf, useSession } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useLocation } from '#console/router/Router.tsx'
import { readAddress } from '#console/router/useAddress.ts'
import { Logo } from '#console/ui/page/Logo.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { UserBox } from './account/UserBox.tsx'
import { FactorBanner } from './FactorBanner.tsx'
import { LiveMark } from './LiveMark.tsx'
import { visibleNavigation } from './navigation/navigation.ts'
import { SideNavigation } from './navigation/SideNavigation.tsx'
import { PrintHead } from './PrintHead.tsx'
import { CommandPalette } from './palette/CommandPalette.tsx'
import { ReachBanner } from './ReachBanner.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { useKeptFocus } from './useKeptFocus.ts'
import { type Sidebar, useSidebar } from './useSidebar.ts'
import './Shell.css'

interface ShellProps {
  readonly children: ReactNode
}

export function Shell({ children }: ShellProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <DrawnShell>{children}</DrawnShell>
    </QueryClientProvider>
  )
}

function DrawnShell({ children }: ShellProps) {
  const sidebar = useSidebar()
  useCloseOnNavigation(sidebar)
  useKeptFocus()
  useNoteVisit()
  const { user } = useSession() ?? {}
  const groups = visibleNavigation((permission) => user !== undefined && isAllowed(permission, authorityOf(user)))
  // A user who may open no page needs no empty column.
  const hasSidebar = groups.length > 0
  const { pathname, given } = useLocation()
  const isKiosk = pathname === '/overview' && readAddress('/overview', given).kiosk === true

  return (
    <div
      className="shell"
      data-open={sidebar.isOpen || undefined}
      data-over-page={sidebar.isOverPage || undefined}
      data-without-sidebar={!hasSidebar || undefined}
      // A page for a wall screen stands alone.
      data-kiosk={isKiosk || undefined}
    >
      <a className="shell-skip" href="#content">
        Skip to content
      </a>
      <header className="shell-header">
        {hasSidebar && <SidebarToggle sidebar={sidebar} />}
        <Link to={address('/')} className="shell-brand" aria-label="Wayside, home">
          <Logo />
          <span>Wayside</span>
        </Link>
        <div className="shell-tools">
          <LiveMark />
          <CommandPalette />
          <ThemeSwitch />
          <UserBox />
        </div>
      </header>
      {hasSidebar && <SideNavigation groups={groups} isOpen={sidebar.isOpen} />}
      <button type="button" className="shell-shade" aria-label="Close menu" onClick={sidebar.closeOverPage} />
      <ReachBanner />
      <FactorBanner />
      <main id="content" className="shell-main" tabIndex={-1}>
        <PrintHead />
        {/* Another time zone redraws every time on the page. */}
        <Fragment key={user?.timeZone}>{children}</Fragment>
      </main>
    </div>
  )
}

function SidebarToggle({ sidebar }: { readonly sidebar: Sidebar }) {
  const label = sidebar.isOpen ? 'Collapse menu' : 'Expand menu'
  const Icon = sidebar.isOpen ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <Hint label={label}>
      <PlainIconButton aria-label={label} aria-expanded={sidebar.isOpen} onClick={sidebar.toggle}>
        <Icon size={19} stroke={1.7} aria-hidden />
      </PlainIconButton>
    </Hint>
  )
}

function useCloseOnNavigation({ closeOverPage }: Sidebar) {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes it, nothing else does
  useEffect(closeOverPage, [pathname])
}
