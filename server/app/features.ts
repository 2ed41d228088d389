import { alertsFeature } from '../features/alerting/alerts/alerts.ts'
import { incidentsFeature } from '../features/alerting/incidents/incidents.ts'
import { maintenanceWindowsFeature } from '../features/alerting/maintenanceWindows/maintenanceWindows.ts'
import { channelsFeature } from '../features/alerting/notifications/channels.ts'
import { notificationRoutesFeature } from '../features/alerting/notifications/notificationRoutes.ts'
import { notificationSettingsFeature } from '../features/alerting/notifications/notificationSettings.ts'
import { onCallFeature } from '../features/alerting/notifications/onCall.ts'
import { statusPagesFeature } from '../features/alerting/statusPages/statusPages.ts'
import { thresholdsFeature } from '../features/alerting/thresholds/thresholds.ts'
import { deviceFilesFeature } from '../features/devices/bulk/deviceFiles.ts'
import { claimFeature } from '../features/devices/claim/claim.ts'
import { deviceCommandsFeature } from '../features/devices/commands/commands.ts'
import { deviceComponentsFeature } from '../features/devices/components/components.ts'
import { deviceDetailsFeature } from '../features/devices/details/details.ts'
import { deviceListFeature } from '../features/devices/list/list.ts'
import { maintenanceFeature } from '../features/devices/maintenance/maintenance.ts'
import { deviceRecordsFeature } from '../features/devices/records/records.ts'
import { setupFeature } from '../features/devices/setup/setup.ts'
import { deviceStatusFeature } from '../features/devices/status/status.ts'
import { deviceTimelineFeature } from '../features/devices/timeline/timeline.ts'
import { savedViewsFeature } from '../features/devices/views/views.ts'
import type { Feature, Given } from '../features/feature.ts'
import { analyticsFeature } from '../features/insight/analytics/analytics.ts'
import { auditLogFeature } from '../features/insight/auditLog/auditLog.ts'
import { darkMinutesFeature } from '../features/insight/darkness/darkMinutes.ts'
import { darknessFeature } from '../features/insight/darkness/darkness.ts'
import { emergencyDarkFeature } from '../features/insight/emergencyDark/emergencyDark.ts'
import { energyFeature } from '../features/insight/energy/energy.ts'
import { lightRulesFeature } from '../features/insight/lightRules/lightRules.ts'
import { overviewFeature } from '../features/insight/overview/overview.ts'
import { panelsFeature } from '../features/insight/panels/panels.ts'
import { proofFeature } from '../features/insight/proof/proof.ts'
import { statementMailingFeature } from '../features/insight/statement/mailing/statementMailing.ts'
import { statementsFeature } from '../features/insight/statement/statement.ts'
import { assistantsFeature } from '../features/operation/assistants/assistants.ts'
import { consoleSettingsFeature } from '../features/operation/consoleSettings/consoleSettings.ts'
import { holidaysFeature } from '../features/operation/holidays/holidays.ts'
import { lookupsFeature } from '../features/operation/lookups/lookups.ts'
import { systemFeature } from '../features/operation/system/system.ts'
import { accountFeature } from '../features/people/account/account.ts'
import { apiTokensFeature } from '../features/people/apiTokens/apiTokens.ts'
import { customersFeature } from '../features/people/customers/customers.ts'
import { factorsFeature } from '../features/people/factors/factors.ts'
import { rolesFeature } from '../features/people/roles/roles.ts'
import { signInFeature } from '../features/people/signIn/signIn.ts'
import { singleSignOnFeature } from '../features/people/singleSignOn/singleSignOn.ts'
import { usersFeature } from '../features/people/users/users.ts'
import { installFeature } from '../features/software/install/install.ts'
import { releasesFeature } from '../features/software/releases/releases.ts'
import { rolloutsFeature } from '../features/software/rollouts/rollouts.ts'

export type Features = ReturnType<typeof joinFeatures>

/** These need nothing of another feature. */
const OF_THEIR_OWN = [
  rolesFeature,
  customersFeature,
  consoleSettingsFeature,
  lookupsFeature,
  holidaysFeature,
  deviceListFeature,
  deviceComponentsFeature,
  deviceRecordsFeature,
  setupFeature,
  deviceFilesFeature,
  deviceTimelineFeature,
  analyticsFeature,
  darkMinutesFeature,
  statementsFeature,
  statementMailingFeature,
  proofFeature,
  energyFeature,
  panelsFeature,
  lightRulesFeature,
  emergencyDarkFeature,
  thresholdsFeature,
  notificationSettingsFeature,
  channelsFeature,
  notificationRoutesFeature,
  onCallFeature,
  statusPagesFeature,
  maintenanceFeature,
  maintenanceWindowsFeature,
  incidentsFeature,
  systemFeature,
  rolloutsFeature,
  savedViewsFeature,
]

/** Joins all features, and hands each what it needs of another. The server and its tests start this list. */
export function joinFeatures(given: Given) {
  const factors = factorsFeature(given)
  const signIn = signInFeature({ ...given, secondFactor: factors.ofSignIn })
  const releases = releasesFeature(given)
  const devices = deviceDetailsFeature({ ...given, releaseKeys: releases.keys })
  const deviceStatus = deviceStatusFeature(given)
  const deviceCommands = deviceCommandsFeature(given)
  const alerts = alertsFeature(given)
  const darkness = darknessFeature(given)
  const overview = overviewFeature(given)
  const features: readonly Feature[] = [
    signIn,
    singleSignOnFeature({ ...given, sessions: signIn.sessions }),
    accountFeature({ ...given, passwords: signIn.passwords }),
    apiTokensFeature({ ...given, tokens: signIn.tokens }),
    factors.with({ provePassword: signIn.passwords.prove }),
    auditLogFeature(given),
    usersFeature({ ...given, forgetFactors: factors.forget }),
    devices,
    claimFeature({ ...given, releaseKeys: releases.keys }),
    deviceStatus,
    deviceCommands,
    overview,
    darkness,
    alerts,
    ...OF_THEIR_OWN.map((join) => join(given)),
    releases,
    installFeature({ ...given, releaseKeys: releases.keys }),
  ]
  return {
    routes: features.flatMap(({ routes }) => routes),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    mailSources: features.flatMap(({ mailSources = [] }) => mailSources),
    /** Readers of the live updates that consoles get. */
    told: {
      ...devices.liveReaders,
      ...deviceStatus.liveReaders,
      ...deviceCommands.liveReaders,
      ...alerts.liveReaders,
      overview: overview.overview,
      visibleDevices: devices.visibleDevices,
      reauthenticate: signIn.reauthenticate,
    },
    /** The HTTP server calls these beside the calls of features. */
    asked: {
      authenticate: signIn.authenticate,
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
