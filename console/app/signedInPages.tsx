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
import { loadKit, loadOverview, loadShell } from './parts.ts'
import { ScreenFrame } from './ScreenFrame.tsx'

const Shell = lazyPart(loadShell)
const Kit = lazyPart(loadKit)
const OverviewScreen = lazyPart(loadOverview)
const AlertsScreen = lazyPart(() =>
  import('#console/features/alerting/alerts/AlertsScreen.tsx').then((part) => part.AlertsScreen),
)
const AlertDetailsScreen = lazyPart(() =>
  import('#console/features/alerting/alerts/page/AlertDetailsScreen.tsx').then((part) => part.AlertDetailsScreen),
)
const AlertsTab = lazyPart(() =>
  import('#console/features/alerting/alerts/AlertsTab.tsx').then((part) => part.AlertsTab),
)
const IncidentsScreen = lazyPart(() =>
  import('#console/features/alerting/incidents/list/IncidentsScreen.tsx').then((part) => part.IncidentsScreen),
)
const IncidentScreen = lazyPart(() =>
  import('#console/features/alerting/incidents/page/IncidentScreen.tsx').then((part) => part.IncidentScreen),
)
const ThresholdsScreen = lazyPart(() =>
  import('#console/features/alerting/thresholds/ThresholdsScreen.tsx').then((part) => part.ThresholdsScreen),
)
const AnalyticsScreen = lazyPart(() =>
  import('#console/features/insight/analytics/AnalyticsScreen.tsx').then((part) => part.AnalyticsScreen),
)
const LightStatementsScreen = lazyPart(() =>
  import('#console/features/insight/statement/LightStatementsScreen.tsx').then((part) => part.LightStatementsScreen),
)
const LightProofScreen = lazyPart(() =>
  import('#console/features/insight/proof/LightProofScreen.tsx').then((part) => part.LightProofScreen),
)
const LightRulesScreen = lazyPart(() =>
  import('#console/features/insight/lightRules/LightRulesScreen.tsx').then((part) => part.LightRulesScreen),
)
const EnergyScreen = lazyPart(() =>
  import('#console/features/insight/energy/EnergyScreen.tsx').then((part) => part.EnergyScreen),
)
const PanelLifeScreen = lazyPart(() =>
  import('#console/features/insight/panels/PanelLifeScreen.tsx').then((part) => part.PanelLifeScreen),
)
const DevicesScreen = lazyPart(() =>
  import('#console/features/devices/list/DevicesScreen.tsx').then((part) => part.DevicesScreen),
)
const ClaimScreen = lazyPart(() =>
  import('#console/features/devices/claim/ClaimScreen.tsx').then((part) => part.ClaimScreen),
)
const WaitingScreen = lazyPart(() =>
  import('#console/features/devices/claim/WaitingScreen.tsx').then((part) => part.WaitingScreen),
)
const LocationsScreen = lazyPart(() =>
  import('#console/features/devices/locations/LocationsScreen.tsx').then((part) => part.LocationsScreen),
)
const DevicePage = lazyPart(() => import('./DevicePage.tsx').then((part) => part.DevicePage))
const DetailsTab = lazyPart(() =>
  import('#console/features/devices/details/DetailsTab.tsx').then((part) => part.DetailsTab),
)
const ComponentsTab = lazyPart(() =>
  import('#console/features/devices/components/ComponentsTab.tsx').then((part) => part.ComponentsTab),
)
const SetupTab = lazyPart(() => import('#console/features/devices/setup/SetupTab.tsx').then((part) => part.SetupTab))
const GenericSetupTab = lazyPart(() =>
  import('#console/features/devices/setup/SetupTab.tsx').then((part) => part.GenericSetupTab),
)
const MaintenanceTab = lazyPart(() =>
  import('#console/features/devices/maintenance/MaintenanceTab.tsx').then((part) => part.MaintenanceTab),
)
const VisitsScreen = lazyPart(() =>
  import('#console/features/devices/maintenance/visits/VisitsScreen.tsx').then((part) => part.VisitsScreen),
)
const VisitScreen = lazyPart(() =>
  import('#console/features/devices/maintenance/visits/VisitScreen.tsx').then((part) => part.VisitScreen),
)
const WindowsScreen = lazyPart(() =>
  import('#console/features/alerting/maintenanceWindows/WindowsScreen.tsx').then((part) => part.WindowsScreen),
)
const UsersScreen = lazyPart(() =>
  import('#console/features/people/users/UsersScreen.tsx').then((part) => part.UsersScreen),
)
const UserDetailsScreen = lazyPart(() =>
  import('#console/features/people/users/UserDetailsScreen.tsx').then((part) => part.UserDetailsScreen),
)
const AddUserScreen = lazyPart(() =>
  import('#console/features/people/users/UserDetailsScreen.tsx').then((part) => part.AddUserScreen),
)
const RolesScreen = lazyPart(() =>
  import('#console/features/people/roles/RolesScreen.tsx').then((part) => part.RolesScreen),
)
const CustomersScreen = lazyPart(() =>
  import('#console/features/people/customers/CustomersScreen.tsx').then((part) => part.CustomersScreen),
)
const ChannelsScreen = lazyPart(() =>
  import('#console/features/alerting/notifications/ChannelsScreen.tsx').then((part) => part.ChannelsScreen),
)
const RoutesScreen = lazyPart(() =>
  import('#console/features/alerting/notifications/RoutesScreen.tsx').then((part) => part.RoutesScreen),
)
const OnCallScreen = lazyPart(() =>
  import('#console/features/alerting/notifications/OnCallScreen.tsx').then((part) => part.OnCallScreen),
)
const StatusPagesScreen = lazyPart(() =>
  import('#console/features/alerting/statusPages/StatusPagesScreen.tsx').then((part) => part.StatusPagesScreen),
)
const ReleasesScreen = lazyPart(() =>
  import('#console/features/software/releases/ReleasesScreen.tsx').then((part) => part.ReleasesScreen),
)
const InstallScreen = lazyPart(() =>
  import('#console/features/software/install/InstallScreen.tsx').then((part) => part.InstallScreen),
)
const UpdatesScreen = lazyPart(() =>
  import('#console/features/software/rollouts/UpdatesScreen.tsx').then((part) => part.UpdatesScreen),
)
const NewUpdateScreen = lazyPart(() =>
  import('#console/features/software/rollouts/plan/NewUpdateScreen.tsx').then((part) => part.NewUpdateScreen),
)
const UpdateDetailsScreen = lazyPart(() =>
  import('#console/features/software/rollouts/UpdateDetailsScreen.tsx').then((part) => part.UpdateDetailsScreen),
)
const AuditLogScreen = lazyPart(() =>
  import('#console/features/insight/auditLog/AuditLogScreen.tsx').then((part) => part.AuditLogScreen),
)
const SystemScreen = lazyPart(() =>
  import('#console/features/operation/system/SystemScreen.tsx').then((part) => part.SystemScreen),
)
const LicencesScreen = lazyPart(() =>
  import('#console/features/operation/licences/LicencesScreen.tsx').then((part) => part.LicencesScreen),
)
const ProfileScreen = lazyPart(() =>
  import('#console/features/people/account/ProfileScreen.tsx').then((part) => part.ProfileScreen),
)
const ProvidersScreen = lazyPart(() =>
  import('#console/features/people/singleSignOn/ProvidersScreen.tsx').then((part) => part.ProvidersScreen),
)
const StatusTab = lazyPart(() =>
  import('#console/features/devices/status/StatusTab.tsx').then((part) => part.StatusTab),
)

const inShell = (screen: ComponentType, more: readonly Layout[] = []): Page => ({
  within: [SignedInShell, ...more],
  screen,
})

const page = (path: GuardedPath, screen: ComponentType): Page => inShell(guarded(path, screen), [Kit, SectionFrame])

const GuardedDevicePage = guarded('/devices/$guid', DevicePage)
const deviceTab = (screen: ComponentType): Page => inShell(screen, [Kit, GuardedDevicePage])

const PAGES = {
  '/': withDetour(inShell(NoPermissions), () => {
    const session = readSession()
    return session && homeOf(session)
  }),
  // The Overview is shown without the UI kit, which its menus load with their first click.
  '/overview': inShell(guarded('/overview', OverviewScreen)),
  '/analytics': page('/analytics', AnalyticsScreen),
  '/light-statements': page('/light-statements', LightStatementsScreen),
  '/proof-of-light': page('/proof-of-light', LightProofScreen),
  '/light-rules': page('/light-rules', LightRulesScreen),
  '/energy': page('/energy', EnergyScreen),
  '/panel-life': page('/panel-life', PanelLifeScreen),
  '/devices': page('/devices', DevicesScreen),
  '/claim': page('/claim', ClaimScreen),
  '/waiting-devices': page('/waiting-devices', WaitingScreen),
  '/devices/$guid': withDetour(deviceTab(NothingHere), (_, { guid = '' }) =>
    address('/devices/$guid/status', { guid }),
  ),
  '/devices/$guid/details': deviceTab(DetailsTab),
  '/devices/$guid/setup': deviceTab(guardedBy('deviceManager', SetupTab)),
  '/devices/$guid/generic-setup': deviceTab(guardedBy('deviceManager', GenericSetupTab)),
  '/devices/$guid/status': deviceTab(StatusTab),
  '/devices/$guid/device-components': deviceTab(guardedBy('admin', ComponentsTab)),
  '/devices/$guid/alerts': deviceTab(AlertsTab),
  '/devices/$guid/maintenance': deviceTab(MaintenanceTab),
  '/install': page('/install', InstallScreen),
  '/visits': page('/visits', VisitsScreen),
  '/visits/$guid': page('/visits/$guid', VisitScreen),
  '/locations': page('/locations', LocationsScreen),
  '/alerts': page('/alerts', AlertsScreen),
  '/alerts/alert-details': page('/alerts/alert-details', AlertDetailsScreen),
  '/incidents': page('/incidents', IncidentsScreen),
  '/incidents/incident': page('/incidents/incident', IncidentScreen),
  '/thresholds': page('/thresholds', ThresholdsScreen),
  '/users': page('/users', UsersScreen),
  '/users/user-details': page('/users/user-details', UserDetailsScreen),
  '/users/add-user': page('/users/add-user', AddUserScreen),
  '/roles': page('/roles', RolesScreen),
  '/single-sign-on': page('/single-sign-on', ProvidersScreen),
  '/maintenance-windows': page('/maintenance-windows', WindowsScreen),
  '/customers': page('/customers', CustomersScreen),
  '/notifications/channels': page('/notifications/channels', ChannelsScreen),
  '/notifications/on-call': page('/notifications/on-call', OnCallScreen),
  '/notifications/routes': page('/notifications/routes', RoutesScreen),
  '/status-pages': page('/status-pages', StatusPagesScreen),
  '/device-software/releases': page('/device-software/releases', ReleasesScreen),
  '/device-software/rollouts': page('/device-software/rollouts', UpdatesScreen),
  '/device-software/rollouts/new': page('/device-software/rollouts/new', NewUpdateScreen),
  '/device-software/rollouts/$updateId': page('/device-software/rollouts/$updateId', UpdateDetailsScreen),
  '/audit-log': page('/audit-log', AuditLogScreen),
  '/system': page('/system', SystemScreen),
  // Everybody who is signed in may open it.
  '/licences': inShell(LicencesScreen, [Kit]),
  // The profile exists in development mode only (rules/addresses 11).
  '/profile': import.meta.env.DEV ? page('/profile', ProfileScreen) : inShell(NothingHere),
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
