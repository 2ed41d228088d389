import type { ComponentType } from 'react'
import { pathOf } from '#console/router/pathOf.ts'

/** The screens of somebody who is signed in, by their addresses. Each is a file that its page loads. */
export const SCREENS = {
  '/overview': () =>
    import('#console/features/insight/overview/OverviewScreen.tsx').then((part) => part.OverviewScreen),
  '/analytics': () =>
    import('#console/features/insight/analytics/AnalyticsScreen.tsx').then((part) => part.AnalyticsScreen),
  '/light-statements': () =>
    import('#console/features/insight/statement/LightStatementsScreen.tsx').then((part) => part.LightStatementsScreen),
  '/proof-of-light': () =>
    import('#console/features/insight/proof/LightProofScreen.tsx').then((part) => part.LightProofScreen),
  '/light-rules': () =>
    import('#console/features/insight/lightRules/LightRulesScreen.tsx').then((part) => part.LightRulesScreen),
  '/energy': () => import('#console/features/insight/energy/EnergyScreen.tsx').then((part) => part.EnergyScreen),
  '/panel-life': () =>
    import('#console/features/insight/panels/PanelLifeScreen.tsx').then((part) => part.PanelLifeScreen),
  '/devices': () => import('#console/features/devices/list/DevicesScreen.tsx').then((part) => part.DevicesScreen),
  '/claim': () => import('#console/features/devices/claim/ClaimScreen.tsx').then((part) => part.ClaimScreen),
  '/waiting-devices': () =>
    import('#console/features/devices/claim/WaitingScreen.tsx').then((part) => part.WaitingScreen),
  '/devices/$guid/details': () =>
    import('#console/features/devices/details/DetailsTab.tsx').then((part) => part.DetailsTab),
  '/devices/$guid/setup': () => import('#console/features/devices/setup/SetupTab.tsx').then((part) => part.SetupTab),
  '/devices/$guid/generic-setup': () =>
    import('#console/features/devices/setup/SetupTab.tsx').then((part) => part.GenericSetupTab),
  '/devices/$guid/status': () =>
    import('#console/features/devices/status/StatusTab.tsx').then((part) => part.StatusTab),
  '/devices/$guid/device-components': () =>
    import('#console/features/devices/components/ComponentsTab.tsx').then((part) => part.ComponentsTab),
  '/devices/$guid/alerts': () =>
    import('#console/features/alerting/alerts/AlertsTab.tsx').then((part) => part.AlertsTab),
  '/devices/$guid/maintenance': () =>
    import('#console/features/devices/maintenance/MaintenanceTab.tsx').then((part) => part.MaintenanceTab),
  '/install': () => import('#console/features/software/install/InstallScreen.tsx').then((part) => part.InstallScreen),
  '/visits': () =>
    import('#console/features/devices/maintenance/visits/VisitsScreen.tsx').then((part) => part.VisitsScreen),
  '/visits/$guid': () =>
    import('#console/features/devices/maintenance/visits/VisitScreen.tsx').then((part) => part.VisitScreen),
  '/locations': () =>
    import('#console/features/devices/locations/LocationsScreen.tsx').then((part) => part.LocationsScreen),
  '/alerts': () => import('#console/features/alerting/alerts/AlertsScreen.tsx').then((part) => part.AlertsScreen),
  '/alerts/alert-details': () =>
    import('#console/features/alerting/alerts/page/AlertDetailsScreen.tsx').then((part) => part.AlertDetailsScreen),
  '/incidents': () =>
    import('#console/features/alerting/incidents/list/IncidentsScreen.tsx').then((part) => part.IncidentsScreen),
  '/incidents/incident': () =>
    import('#console/features/alerting/incidents/page/IncidentScreen.tsx').then((part) => part.IncidentScreen),
  '/thresholds': () =>
    import('#console/features/alerting/thresholds/ThresholdsScreen.tsx').then((part) => part.ThresholdsScreen),
  '/users': () => import('#console/features/people/users/UsersScreen.tsx').then((part) => part.UsersScreen),
  '/users/user-details': () =>
    import('#console/features/people/users/UserDetailsScreen.tsx').then((part) => part.UserDetailsScreen),
  '/users/add-user': () =>
    import('#console/features/people/users/UserDetailsScreen.tsx').then((part) => part.AddUserScreen),
  '/roles': () => import('#console/features/people/roles/RolesScreen.tsx').then((part) => part.RolesScreen),
  '/single-sign-on': () =>
    import('#console/features/people/singleSignOn/ProvidersScreen.tsx').then((part) => part.ProvidersScreen),
  '/maintenance-windows': () =>
    import('#console/features/alerting/maintenanceWindows/WindowsScreen.tsx').then((part) => part.WindowsScreen),
  '/customers': () =>
    import('#console/features/people/customers/CustomersScreen.tsx').then((part) => part.CustomersScreen),
  '/notifications/channels': () =>
    import('#console/features/alerting/notifications/ChannelsScreen.tsx').then((part) => part.ChannelsScreen),
  '/notifications/on-call': () =>
    import('#console/features/alerting/notifications/OnCallScreen.tsx').then((part) => part.OnCallScreen),
  '/notifications/routes': () =>
    import('#console/features/alerting/notifications/RoutesScreen.tsx').then((part) => part.RoutesScreen),
  '/status-pages': () =>
    import('#console/features/alerting/statusPages/StatusPagesScreen.tsx').then((part) => part.StatusPagesScreen),
  '/device-software/releases': () =>
    import('#console/features/software/releases/ReleasesScreen.tsx').then((part) => part.ReleasesScreen),
  '/device-software/rollouts': () =>
    import('#console/features/software/rollouts/UpdatesScreen.tsx').then((part) => part.UpdatesScreen),
  '/device-software/rollouts/new': () =>
    import('#console/features/software/rollouts/plan/NewUpdateScreen.tsx').then((part) => part.NewUpdateScreen),
  '/device-software/rollouts/$updateId': () =>
    import('#console/features/software/rollouts/UpdateDetailsScreen.tsx').then((part) => part.UpdateDetailsScreen),
  '/audit-log': () =>
    import('#console/features/insight/auditLog/AuditLogScreen.tsx').then((part) => part.AuditLogScreen),
  '/system': () => import('#console/features/operation/system/SystemScreen.tsx').then((part) => part.SystemScreen),
  '/licences': () =>
    import('#console/features/operation/licences/LicencesScreen.tsx').then((part) => part.LicencesScreen),
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>
export type ScreenPath = keyof typeof SCREENS

export const loadDevicePage = () => import('./DevicePage.tsx').then((part) => part.DevicePage)

/** It returns what loads the screen at this address, and the page of the device around it. */
export function screenLoadersAt(pathname: string): readonly (() => Promise<unknown>)[] {
  const path = pathOf(pathname, Object.keys(SCREENS))?.path as ScreenPath | undefined
  if (path === undefined) return []
  return path.startsWith('/devices/$guid/') ? [loadDevicePage, SCREENS[path]] : [SCREENS[path]]
}
