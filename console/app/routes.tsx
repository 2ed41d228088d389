import { createRootRoute, createRoute, createRouter, redirect, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useSession } from '#console/lib/session.ts'
import { readSession, sessionEnd } from '#console/lib/sessionStore.ts'
import { BrokenNote } from '#console/ui/BrokenNote.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { NoPermissions } from '#console/ui/NoPermissions.tsx'
import { NotFound } from '#console/ui/NotFound.tsx'
import type { Permission } from '#domain/permissions/permissions.ts'
import { detourOfSignedIn, detourOfVisitor, homeOf, mayOpen, safeWanted } from './guards.ts'
import { LoginPage } from './LoginPage.tsx'

const Shell = lazyPart(() => import('./Shell.tsx').then((part) => part.Shell))
const OverviewScreen = lazyPart(() =>
  import('#console/features/overview/OverviewScreen.tsx').then((part) => part.OverviewScreen),
)
const AlertsScreen = lazyPart(() =>
  import('#console/features/alerts/AlertsScreen.tsx').then((part) => part.AlertsScreen),
)
const AlertDetailsScreen = lazyPart(() =>
  import('#console/features/alerts/AlertDetailsScreen.tsx').then((part) => part.AlertDetailsScreen),
)
const AlertsTab = lazyPart(() => import('#console/features/alerts/AlertsTab.tsx').then((part) => part.AlertsTab))
const ThresholdsScreen = lazyPart(() =>
  import('#console/features/thresholds/ThresholdsScreen.tsx').then((part) => part.ThresholdsScreen),
)
const AnalyticsScreen = lazyPart(() =>
  import('#console/features/analytics/AnalyticsScreen.tsx').then((part) => part.AnalyticsScreen),
)
const DevicesScreen = lazyPart(() =>
  import('#console/features/devices/DevicesScreen.tsx').then((part) => part.DevicesScreen),
)
const LocationsScreen = lazyPart(() =>
  import('#console/features/locations/LocationsScreen.tsx').then((part) => part.LocationsScreen),
)
const DevicePage = lazyPart(() => import('./DevicePage.tsx').then((part) => part.DevicePage))
const DetailsTab = lazyPart(() => import('#console/features/device/DetailsTab.tsx').then((part) => part.DetailsTab))
const ComponentsTab = lazyPart(() =>
  import('#console/features/deviceComponents/ComponentsTab.tsx').then((part) => part.ComponentsTab),
)
const SetupTab = lazyPart(() => import('#console/features/deviceSetup/SetupTab.tsx').then((part) => part.SetupTab))
const GenericSetupTab = lazyPart(() =>
  import('#console/features/deviceSetup/SetupTab.tsx').then((part) => part.GenericSetupTab),
)
const MaintenanceTab = lazyPart(() =>
  import('#console/features/maintenance/MaintenanceTab.tsx').then((part) => part.MaintenanceTab),
)
const UsersScreen = lazyPart(() => import('#console/features/users/UsersScreen.tsx').then((part) => part.UsersScreen))
const UserDetailsScreen = lazyPart(() =>
  import('#console/features/users/UserDetailsScreen.tsx').then((part) => part.UserDetailsScreen),
)
const AddUserScreen = lazyPart(() =>
  import('#console/features/users/UserDetailsScreen.tsx').then((part) => part.AddUserScreen),
)
const RolesScreen = lazyPart(() => import('#console/features/roles/RolesScreen.tsx').then((part) => part.RolesScreen))
const CustomersScreen = lazyPart(() =>
  import('#console/features/customers/CustomersScreen.tsx').then((part) => part.CustomersScreen),
)
const ReleasesScreen = lazyPart(() =>
  import('#console/features/releases/ReleasesScreen.tsx').then((part) => part.ReleasesScreen),
)
const UpdatesScreen = lazyPart(() =>
  import('#console/features/clientUpdates/UpdatesScreen.tsx').then((part) => part.UpdatesScreen),
)
const NewUpdateScreen = lazyPart(() =>
  import('#console/features/clientUpdates/NewUpdateScreen.tsx').then((part) => part.NewUpdateScreen),
)
const UpdateDetailsScreen = lazyPart(() =>
  import('#console/features/clientUpdates/UpdateDetailsScreen.tsx').then((part) => part.UpdateDetailsScreen),
)
const AuditLogScreen = lazyPart(() =>
  import('#console/features/auditLog/AuditLogScreen.tsx').then((part) => part.AuditLogScreen),
)
const ProfileScreen = lazyPart(() =>
  import('#console/features/account/ProfileScreen.tsx').then((part) => part.ProfileScreen),
)
const RegistrationPage = lazyPart(() =>
  import('#console/features/account/PasswordLinkPages.tsx').then((part) => part.RegistrationPage),
)
const ResetPasswordPage = lazyPart(() =>
  import('#console/features/account/PasswordLinkPages.tsx').then((part) => part.ResetPasswordPage),
)
const StatusTab = lazyPart(() => import('#console/features/device/StatusTab.tsx').then((part) => part.StatusTab))

const root = createRootRoute()

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { wanted?: string } => {
    const wanted = safeWanted(search.wanted)
    return wanted === undefined ? {} : { wanted }
  },
  beforeLoad: ({ search }) => {
    const detour = detourOfSignedIn(readSession(), search.wanted)
    if (detour) throw redirect({ href: detour.to, replace: true })
  },
  component: LoginPage,
})

/** For everybody, signed in or not: a link that came by mail is opened in whatever browser is at hand. */
const registration = createRoute({
  getParentRoute: () => root,
  path: '/registration',
  component: () => <RegistrationPage />,
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: () => <ResetPasswordPage />,
})

/** Everything below is for signed-in users and stands inside the shell. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const detour = detourOfVisitor(readSession(), sessionEnd(), location.href)
    if (!detour) return
    const search = 'wanted' in detour ? { wanted: detour.wanted } : {}
    throw redirect({ to: '/login', search, replace: true })
  },
  component: () => (
    <SignedInOnly>
      <Shell />
    </SignedInOnly>
  ),
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: () => {
    const session = readSession()
    const path = session && homeOf(session)
    if (path) throw redirect({ href: path, replace: true })
  },
  component: NoPermissions,
})

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/overview',
  component: guarded('deviceManager', OverviewScreen),
})

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: '/analytics',
  component: guarded('analytics', AnalyticsScreen),
})

const devices = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices',
  component: guarded('deviceManager', DevicesScreen),
})

const locations = createRoute({
  getParentRoute: () => signedIn,
  path: '/locations',
  component: guarded('deviceManager', LocationsScreen),
})

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts',
  component: guarded('deviceManager', AlertsScreen),
})

/** Analysts come from the markers of a chart. */
const alertDetails = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts/alert-details',
  component: guarded('deviceManagerOrAnalytics', AlertDetailsScreen),
})

const thresholds = createRoute({
  getParentRoute: () => signedIn,
  path: '/thresholds',
  component: guarded('admin', ThresholdsScreen),
})

const administration = <const Path extends string>(path: Path, permission: Permission, Page: ComponentType) =>
  createRoute({ getParentRoute: () => signedIn, path, component: guarded(permission, Page) })

const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices/$guid',
  component: guarded('deviceManager', DevicePage),
})

const deviceHome = createRoute({
  getParentRoute: () => device,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/devices/$guid/status', params, replace: true })
  },
})

const deviceTab = <const Path extends string>(path: Path, Tab: ComponentType) =>
  createRoute({ getParentRoute: () => device, path, component: () => <Tab /> })

const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit-log',
  component: guarded('deviceManager', AuditLogScreen),
})

/** In development mode only (P2 §2). */
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: import.meta.env.DEV ? guarded('admin', ProfileScreen) : NothingHere,
})

const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: NothingHere })

const routeTree = root.addChildren([
  login,
  registration,
  resetPassword,
  signedIn.addChildren([
    home,
    overview,
    analytics,
    devices,
    locations,
    alerts,
    alertDetails,
    thresholds,
    administration('/users', 'admin', UsersScreen),
    administration('/users/user-details', 'admin', UserDetailsScreen),
    administration('/users/add-user', 'admin', AddUserScreen),
    administration('/roles', 'staffAdmin', RolesScreen),
    administration('/customers', 'staffAdmin', CustomersScreen),
    administration('/client-software', 'staffAdmin', ReleasesScreen),
    administration('/client-updates', 'staffAdmin', UpdatesScreen),
    administration('/client-updates/new', 'staffAdmin', NewUpdateScreen),
    administration('/client-updates/$updateId', 'staffAdmin', UpdateDetailsScreen),
    device.addChildren([
      deviceHome,
      deviceTab('/details', DetailsTab),
      deviceTab('/setup', SetupTab),
      deviceTab('/generic-setup', GenericSetupTab),
      deviceTab('/status', StatusTab),
      deviceTab('/device-components', guarded('admin', ComponentsTab)),
      deviceTab('/alerts', AlertsTab),
      deviceTab('/maintenance', MaintenanceTab),
    ]),
    auditLog,
    profile,
    unknown,
  ]),
])

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    defaultErrorComponent: ({ reset }) => <BrokenNote onRetry={reset} />,
    defaultNotFoundComponent: NothingHere,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}

/** A page that its user may not open shows the no-permissions view in its place, inside the shell. */
function guarded(permission: Permission, Page: ComponentType): () => React.ReactNode {
  return function GuardedPage() {
    const session = useSession()
    if (!session) return null
    return mayOpen(permission, session) ? <Page /> : <NoPermissions />
  }
}

/** Between the end of a session and the way to the login page nothing of the signed-in part is drawn. */
function SignedInOnly({ children }: { readonly children: React.ReactNode }) {
  return useSession() ? children : null
}

function NothingHere() {
  const router = useRouter()
  const back = () => (window.history.length > 1 ? router.history.back() : void router.navigate({ to: '/' }))
  return <NotFound onBack={back} />
}
