import { accountFeature } from './features/account/account.ts'
import { alertConditionsFeature } from './features/alertConditions/alertConditions.ts'
import { alertsFeature } from './features/alerts/alerts.ts'
import { analyticsFeature } from './features/analytics/analytics.ts'
import { apiTokensFeature } from './features/apiTokens/apiTokens.ts'
import { assistantsFeature } from './features/assistants/assistants.ts'
import { auditLogFeature } from './features/auditLog/auditLog.ts'
import { channelsFeature } from './features/channels/channels.ts'
import { clientUpdatesFeature } from './features/clientUpdates/clientUpdates.ts'
import { consoleSettingsFeature } from './features/consoleSettings/consoleSettings.ts'
import { customersFeature } from './features/customers/customers.ts'
import { darkMinutesFeature } from './features/darkMinutes/darkMinutes.ts'
import { darknessFeature } from './features/darkness/darkness.ts'
import { dashboardFeature } from './features/dashboard/dashboard.ts'
import { deviceCommandsFeature } from './features/deviceCommands/deviceCommands.ts'
import { deviceComponentsFeature } from './features/deviceComponents/deviceComponents.ts'
import { deviceRecordsFeature } from './features/deviceRecords/deviceRecords.ts'
import { deviceSettingsFeature } from './features/deviceSettings/deviceSettings.ts'
import { deviceStateFeature } from './features/deviceState/deviceState.ts'
import { devicesFeature } from './features/devices/devices.ts'
import { deviceTimelineFeature } from './features/deviceTimeline/deviceTimeline.ts'
import { factorsFeature } from './features/factors/factors.ts'
import type { Feature, Given } from './features/feature.ts'
import { holidaysFeature } from './features/holidays/holidays.ts'
import { incidentsFeature } from './features/incidents/incidents.ts'
import { lookupsFeature } from './features/lookups/lookups.ts'
import { maintenanceFeature } from './features/maintenance/maintenance.ts'
import { maintenanceWindowsFeature } from './features/maintenanceWindows/maintenanceWindows.ts'
import { notificationsFeature } from './features/notifications/notifications.ts'
import { notifyRoutesFeature } from './features/notifyRoutes/notifyRoutes.ts'
import { releasesFeature } from './features/releases/releases.ts'
import { rolesFeature } from './features/roles/roles.ts'
import { savedViewsFeature } from './features/savedViews/savedViews.ts'
import { signInFeature } from './features/signIn/signIn.ts'
import { singleSignOnFeature } from './features/singleSignOn/singleSignOn.ts'
import { statusPagesFeature } from './features/statusPages/statusPages.ts'
import { systemFeature } from './features/system/system.ts'
import { usersFeature } from './features/users/users.ts'

export type Features = ReturnType<typeof joinFeatures>

/** Every feature there is, joined: what one wants of another it is handed here. The server and its tests start this list. */
export function joinFeatures(given: Given) {
  const factors = factorsFeature(given)
  const signIn = signInFeature({ ...given, secondFactor: factors.ofSignIn })
  const releases = releasesFeature(given)
  const devices = devicesFeature({ ...given, releaseKeys: releases.keys })
  const deviceState = deviceStateFeature(given)
  const deviceCommands = deviceCommandsFeature(given)
  const alerts = alertsFeature(given)
  const darkness = darknessFeature(given)
  const dashboard = dashboardFeature({ ...given, customerExists: devices.customerExists })
  const features: readonly Feature[] = [
    signIn,
    singleSignOnFeature({ ...given, sessions: signIn.sessions }),
    accountFeature({ ...given, passwords: signIn.passwords }),
    apiTokensFeature({ ...given, tokens: signIn.tokens, customerExists: devices.customerExists }),
    factors.with({ provePassword: signIn.passwords.prove }),
    auditLogFeature(given),
    usersFeature({ ...given, forgetFactors: factors.forget }),
    ...[rolesFeature, customersFeature, consoleSettingsFeature, lookupsFeature].map((join) => join(given)),
    devices,
    deviceState,
    deviceCommands,
    ...[deviceComponentsFeature, deviceRecordsFeature, deviceSettingsFeature].map((join) => join(given)),
    ...[deviceTimelineFeature, analyticsFeature].map((join) => join(given)),
    dashboard,
    darkness,
    darkMinutesFeature({ ...given, customerExists: devices.customerExists }),
    holidaysFeature(given),
    alerts,
    ...[alertConditionsFeature, notificationsFeature, channelsFeature].map((join) => join(given)),
    ...[notifyRoutesFeature, statusPagesFeature, maintenanceFeature].map((join) => join(given)),
    ...[maintenanceWindowsFeature, incidentsFeature, systemFeature].map((join) => join(given)),
    releases,
    ...[clientUpdatesFeature, savedViewsFeature].map((join) => join(given)),
  ]
  return {
    routes: features.flatMap(({ routes }) => routes),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    /** What consoles that watch something are told. */
    told: {
      ...devices.tellers,
      ...deviceState.tellers,
      ...deviceCommands.tellers,
      ...alerts.tellers,
      overview: dashboard.overview,
      visibleDevices: devices.visibleDevices,
      reauthenticate: signIn.reauthenticate,
    },
    /** What the HTTP server asks beside the calls. */
    asked: {
      authenticate: signIn.authenticate,
      likelyCaller: signIn.likelyCaller,
      recogniseBrowser: signIn.recogniseBrowser,
      downloads: releases.downloads,
      openPages: features.flatMap(({ openPages = [] }) => openPages),
      assistants: assistantsFeature({ ...given, ...deviceCommands, ...darkness }),
    },
    stop: () => {
      for (const { stop } of features) stop?.()
    },
  }
}
