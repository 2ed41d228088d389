import type { Call } from '#contract/call/call.ts'
import * as alerts from './alerting/alerts.ts'
import * as channels from './alerting/channels.ts'
import * as incidentNotices from './alerting/incidentNotices.ts'
import * as incidents from './alerting/incidents.ts'
import * as maintenanceWindows from './alerting/maintenanceWindows.ts'
import * as notificationRoutes from './alerting/notificationRoutes.ts'
import * as onCall from './alerting/onCall.ts'
import * as statusPages from './alerting/statusPages.ts'
import * as thresholds from './alerting/thresholds.ts'
import * as claims from './devices/claims.ts'
import * as commands from './devices/commands.ts'
import * as components from './devices/components.ts'
import * as details from './devices/details.ts'
import * as drivers from './devices/deviceDrivers.ts'
import * as deviceFiles from './devices/deviceFiles.ts'
import * as devices from './devices/devices.ts'
import * as maintenance from './devices/maintenance.ts'
import * as pins from './devices/pins.ts'
import * as records from './devices/records.ts'
import * as setup from './devices/setup.ts'
import * as status from './devices/status.ts'
import * as views from './devices/views.ts'
import * as visits from './devices/visits.ts'
import * as analytics from './insight/analytics.ts'
import * as auditLog from './insight/auditLog.ts'
import * as darkMinutes from './insight/darkMinutes.ts'
import * as darkness from './insight/darkness.ts'
import * as emergencyDark from './insight/emergencyDark.ts'
import * as energy from './insight/energy.ts'
import * as feedChain from './insight/feedChain.ts'
import * as lightProofs from './insight/lightProofs.ts'
import * as lightRules from './insight/lightRules.ts'
import * as lightStatements from './insight/lightStatements.ts'
import * as overview from './insight/overview.ts'
import * as panelLife from './insight/panelLife.ts'
import * as statementMailings from './insight/statementMailings.ts'
import * as live from './live.ts'
import * as consoleSettings from './operation/consoleSettings.ts'
import * as holidays from './operation/holidays.ts'
import * as lookups from './operation/lookups.ts'
import * as system from './operation/system.ts'
import * as account from './people/account.ts'
import * as apiTokens from './people/apiTokens.ts'
import * as customers from './people/customers.ts'
import * as factors from './people/factors.ts'
import * as passkeys from './people/passkeys.ts'
import * as personalData from './people/personalData.ts'
import * as roles from './people/roles.ts'
import * as signIn from './people/signIn.ts'
import * as singleSignOn from './people/singleSignOn.ts'
import * as users from './people/users.ts'
import * as installPackages from './software/installPackages.ts'
import * as releases from './software/releases.ts'
import * as rollouts from './software/rollouts.ts'

/** These modules describe calls; a call that is in none of these has no route. */
const MODULES: readonly object[] = [
  alerts,
  channels,
  incidentNotices,
  incidents,
  maintenanceWindows,
  notificationRoutes,
  onCall,
  statusPages,
  thresholds,
  claims,
  commands,
  components,
  details,
  deviceFiles,
  devices,
  drivers,
  maintenance,
  visits,
  pins,
  records,
  setup,
  status,
  views,
  analytics,
  auditLog,
  darkMinutes,
  darkness,
  feedChain,
  lightProofs,
  energy,
  lightStatements,
  lightRules,
  emergencyDark,
  overview,
  statementMailings,
  panelLife,
  live,
  consoleSettings,
  holidays,
  lookups,
  system,
  account,
  apiTokens,
  customers,
  factors,
  passkeys,
  personalData,
  roles,
  signIn,
  singleSignOn,
  users,
  installPackages,
  releases,
  rollouts,
]

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'permission' in value

/** Every call there is; a module may export calls one by one or as a list. */
export const CALLS: readonly Call[] = [
  ...new Set(MODULES.flatMap((module) => Object.values(module).flat()).filter(isCall)),
]
