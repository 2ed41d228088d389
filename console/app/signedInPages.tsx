import type { ComponentType, ReactNode } from 'react'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { useSession } from '#console/lib/session/session.ts'
import { address, type Path } from '#console/router/addressText.ts'
import { movedAddress } from '#console/router/movedAddresses.ts'
import { type Layout, OpenPage, type Page, pageAt, useNavigate } from '#console/router/Router.tsx'
import { type LazyPart, lazyPart } from '#console/ui/lazyPart.tsx'
import { NoPermissions } from '#console/ui/page/NoPermissions.tsx'
import { NotFound } from '#console/ui/page/NotFound.tsx'
import type { Permission } from '#domain/permissions/permissions.ts'
import { fetchParts } from './fetchParts.ts'
import { homeOf, mayOpen } from './guards.ts'
import { type GuardedPath, PAGE_PERMISSIONS } from './navigation/pagePermissions.ts'
import { SectionFrame } from './navigation/SectionFrame.tsx'
import { loadKit, loadShell } from './parts.ts'
import { ScreenFrame } from './ScreenFrame.tsx'
import { loadDevicePage, SCREENS, type ScreenPath } from './screens.ts'

const Shell = lazyPart(loadShell)
const Kit = lazyPart(loadKit)
const DevicePage = lazyPart(loadDevicePage)
const ProfileScreen = lazyPart(() =>
  import('#console/features/people/account/ProfileScreen.tsx').then((part) => part.ProfileScreen),
)

const inShell = (screen: ComponentType, more: readonly Layout[] = []): Page => ({
  within: [SignedInShell, ...more],
  screen,
})

const framed = (path: GuardedPath, screen: ComponentType): Page => inShell(guarded(path, screen), [Kit, SectionFrame])
const page = (path: GuardedPath & ScreenPath): Page => framed(path, lazyPart(SCREENS[path]))

const GuardedDevicePage = guarded('/devices/$guid', DevicePage)
const inDevicePage = (screen: ComponentType): Page => inShell(screen, [Kit, GuardedDevicePage])
const deviceTab = (path: ScreenPath, permission?: Permission): Page => {
  const screen = lazyPart<object>(SCREENS[path])
  return inDevicePage(permission === undefined ? screen : guardedBy(permission, screen))
}

const PAGES = {
  '/': withDetour(inShell(NoPermissions), () => {
    const session = readSession()
    return session && homeOf(session)
  }),
  // The Overview is shown without the UI kit, which its menus load with their first click.
  '/overview': inShell(guarded('/overview', lazyPart(SCREENS['/overview']))),
  '/analytics': page('/analytics'),
  '/light-statements': page('/light-statements'),
  '/proof-of-light': page('/proof-of-light'),
  '/light-rules': page('/light-rules'),
  '/energy': page('/energy'),
  '/panel-life': page('/panel-life'),
  '/devices': page('/devices'),
  '/claim': page('/claim'),
  '/waiting-devices': page('/waiting-devices'),
  '/devices/$guid': withDetour(inDevicePage(NothingHere), (_, { guid = '' }) =>
    address('/devices/$guid/status', { guid }),
  ),
  '/devices/$guid/details': deviceTab('/devices/$guid/details'),
  '/devices/$guid/setup': deviceTab('/devices/$guid/setup', 'deviceManager'),
  '/devices/$guid/generic-setup': deviceTab('/devices/$guid/generic-setup', 'deviceManager'),
  '/devices/$guid/status': deviceTab('/devices/$guid/status'),
  '/devices/$guid/device-components': deviceTab('/devices/$guid/device-components', 'admin'),
  '/devices/$guid/alerts': deviceTab('/devices/$guid/alerts'),
  '/devices/$guid/maintenance': deviceTab('/devices/$guid/maintenance'),
  '/install': page('/install'),
  '/visits': page('/visits'),
  '/visits/$guid': page('/visits/$guid'),
  '/locations': page('/locations'),
  '/alerts': page('/alerts'),
  '/alerts/alert-details': page('/alerts/alert-details'),
  '/incidents': page('/incidents'),
  '/incidents/incident': page('/incidents/incident'),
  '/thresholds': page('/thresholds'),
  '/users': page('/users'),
  '/users/user-details': page('/users/user-details'),
  '/users/add-user': page('/users/add-user'),
  '/roles': page('/roles'),
  '/single-sign-on': page('/single-sign-on'),
  '/maintenance-windows': page('/maintenance-windows'),
  '/customers': page('/customers'),
  '/notifications/channels': page('/notifications/channels'),
  '/notifications/on-call': page('/notifications/on-call'),
  '/notifications/routes': page('/notifications/routes'),
  '/status-pages': page('/status-pages'),
  '/device-software/releases': page('/device-software/releases'),
  '/device-software/rollouts': page('/device-software/rollouts'),
  '/device-software/rollouts/new': page('/device-software/rollouts/new'),
  '/device-software/rollouts/$updateId': page('/device-software/rollouts/$updateId'),
  '/audit-log': page('/audit-log'),
  '/system': page('/system'),
  // Everybody who is signed in may open it.
  '/licences': inShell(lazyPart(SCREENS['/licences']), [Kit]),
  // The profile exists in development mode only (rules/addresses 11).
  '/profile': import.meta.env.DEV ? framed('/profile', ProfileScreen) : inShell(NothingHere),
} as const satisfies Partial<Record<Path, Page>>
export type SignedInPath = keyof typeof PAGES

const NOTHING_HERE = withDetour(inShell(NothingHere), ({ address: wanted }) => movedAddress(wanted))

/** It shows the page at the present address to somebody who is signed in. */
export function SignedInPages() {
  return <OpenPage pages={PAGES} otherwise={NOTHING_HERE} frame={ScreenFrame} />
}

/** It loads the code of the page at this address. */
export async function fetchSignedIn(pathname: string): Promise<void> {
  const session = readSession()
  const opened = pathname === '/' && session ? (homeOf(session) ?? pathname) : pathname
  await fetchParts(pageAt(opened, PAGES) ?? NOTHING_HERE)
}

function withDetour(shown: Page, detour: NonNullable<Page['detour']>): Page {
  return { ...shown, detour }
}

function guarded<Props extends object>(path: GuardedPath, screen: ComponentType<Props>): ComponentType<Props> {
  return guardedBy(PAGE_PERMISSIONS[path], screen)
}

/** A page that its user may not open shows the no-permissions view in its place, inside the shell. */
function guardedBy<Props extends object>(permission: Permission, Screen: ComponentType<Props>): ComponentType<Props> {
  function GuardedPage(props: Props) {
    const session = useSession()
    if (!session) return null
    return mayOpen(permission, session) ? <Screen {...props} /> : <NoPermissions />
  }
  return Object.assign(GuardedPage, { preload: (Screen as Partial<LazyPart<Props>>).preload })
}

function SignedInShell({ children }: { readonly children: ReactNode }) {
  return useSession() ? <Shell>{children}</Shell> : null
}
SignedInShell.preload = Shell.preload

function NothingHere() {
  const navigate = useNavigate()
  return <NotFound onBack={() => (window.history.length > 1 ? window.history.back() : navigate(address('/')))} />
}
