import type { Call } from '#contract/call/call.ts'
import { acknowledgeAlert, closeAlerts, getAlertDetails } from '#contract/http/alerting/alerts.ts'
import { setChannel } from '#contract/http/alerting/channels.ts'
import {
  acknowledgeIncident,
  mergeIncidents,
  noteIncident,
  snoozeIncident,
  splitIncident,
} from '#contract/http/alerting/incidents.ts'
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  endMaintenanceWindow,
} from '#contract/http/alerting/maintenanceWindows.ts'
import { setNotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { setOnCallSchedule } from '#contract/http/alerting/onCall.ts'
import { setAlertCondition } from '#contract/http/alerting/thresholds.ts'
import { claimDevice, findClaim } from '#contract/http/devices/claims.ts'
import { listDeviceCommands, POWER_CALLS, testDeviceDriver } from '#contract/http/devices/commands.ts'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import {
  changeDeviceTags,
  deleteDevice,
  renewDeviceKey,
  setDeviceDetails,
  setDeviceStatus,
} from '#contract/http/devices/details.ts'
import { setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import { importDevices } from '#contract/http/devices/deviceFiles.ts'
import { createDevice, downloadConfiguration, getDevice } from '#contract/http/devices/devices.ts'
import { setMaintenance } from '#contract/http/devices/maintenance.ts'
import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/devices/setup.ts'
import { deleteView, listViews, setDefaultView, setView } from '#contract/http/devices/views.ts'
import { getAnalyticsTable, listMeasurements } from '#contract/http/insight/analytics.ts'
import { getDarkMinutes } from '#contract/http/insight/darkMinutes.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { startEmergencyDark } from '#contract/http/insight/emergencyDark.ts'
import { setFeedChain } from '#contract/http/insight/feedChain.ts'
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  endUserSessions,
  listSessions,
  listUserSessions,
  sendRegistrationEmail,
  sendResetPasswordEmail,
  setNotificationSettings,
  setTimeZone,
} from '#contract/http/people/account.ts'
import { createApiToken, listApiTokens, revokeApiToken } from '#contract/http/people/apiTokens.ts'
import { setCustomer } from '#contract/http/people/customers.ts'
import { addAuthenticator, removeFactor, renewRecoveryCodes, resetFactors } from '#contract/http/people/factors.ts'
import { addPasskey } from '#contract/http/people/passkeys.ts'
import { downloadOwnPersonalData, downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { setRole } from '#contract/http/people/roles.ts'
import { logout } from '#contract/http/people/signIn.ts'
import { setSignInProvider } from '#contract/http/people/singleSignOn.ts'
import { deleteUser, setUser } from '#contract/http/people/users.ts'
import { uploadRelease } from '#contract/http/software/releases.ts'
import {
  createClientUpdate,
  pauseClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
  updateClientVersion,
} from '#contract/http/software/rollouts.ts'
import { type Authority, isAllowed } from '#domain/permissions/permissions.ts'

type Needed = readonly Pick<Call, 'permission'>[]

/**
 * It maps every action of the console to the calls that it takes: whoever may make them is offered it.
 * `app/palette/actions.test.ts` checks it against the calls of the contract.
 */
export const ACTIONS = {
  'account.password': [changePassword],
  'account.apiTokens': [listApiTokens, createApiToken, revokeApiToken],
  'account.factors': [addAuthenticator, addPasskey, removeFactor, renewRecoveryCodes],
  'account.sessions': [listSessions, endOneSession, endOtherSessions],
  'account.personalData': [downloadOwnPersonalData],
  'account.timeZone': [setTimeZone],
  'account.notifications': [setNotificationSettings],
  'account.signOut': [logout],
  'console.theme': [],
  'console.keys': [],
  'alert.acknowledge': [acknowledgeAlert],
  'alert.analyse': [getAnalyticsTable, listMeasurements],
  'alert.close': [closeAlerts],
  'alert.copyLink': [getAlertDetails],
  'alert.mail': [getAlertDetails],
  'channel.add': [setChannel],
  'customer.add': [setCustomer],
  'device.add': [createDevice, getDevice],
  'device.claim': [findClaim, claimDevice, getDevice],
  'device.commands': [listDeviceCommands],
  'device.components': [setDeviceComponents, setDeviceDriver, testDeviceDriver, setFeedChain],
  'device.configuration': [downloadConfiguration],
  'device.darkMinutes': [getDarkMinutes],
  'device.delete': [deleteDevice],
  'device.details': [setDeviceDetails],
  'device.power': POWER_CALLS,
  'device.renewKey': [renewDeviceKey],
  'device.settings': [
    applyDisplaySettings,
    applyAmbientSensorSettings,
    applyTurnDisplayOffSettings,
    applyDayPlanSettings,
    applyBatteryTestSettings,
    applyDataBudgetSettings,
  ],
  'device.status': [setDeviceStatus],
  'device.whyDark': [getDarkness],
  'devices.choose': [createMaintenanceWindow],
  'devices.import': [importDevices],
  'devices.set': [applyDisplaySettings, applyTurnDisplayOffSettings, applyDayPlanSettings, changeDeviceTags],
  'devices.updateClient': [updateClientVersion],
  'emergency.start': [startEmergencyDark],
  'incident.acknowledge': [acknowledgeIncident],
  'incident.merge': [mergeIncidents],
  'incident.note': [noteIncident],
  'incident.snooze': [snoozeIncident],
  'incident.split': [splitIncident],
  'list.export': [],
  'list.filter': [],
  'maintenance.add': [setMaintenance],
  'maintenance.end': [endMaintenanceWindow],
  'maintenance.plan': [createMaintenanceWindow, changeMaintenanceWindow],
  'provider.add': [setSignInProvider],
  'release.upload': [uploadRelease],
  'role.add': [setRole],
  'onCall.add': [setOnCallSchedule],
  'route.add': [setNotifyRoute],
  'threshold.add': [setAlertCondition],
  'update.plan': [createClientUpdate],
  'update.steer': [pauseClientUpdate, resumeClientUpdate, stopClientUpdate, retryFailedUpdates],
  'user.add': [setUser],
  'user.delete': [deleteUser],
  'user.endSessions': [listUserSessions, endUserSessions],
  'user.erase': [erasePersonalData],
  'user.factors': [resetFactors],
  'user.mail': [sendRegistrationEmail, sendResetPasswordEmail],
  'user.personalData': [downloadPersonalData],
  'view.default': [setDefaultView],
  'view.delete': [deleteView],
  'view.open': [listViews],
  'view.save': [setView],
  'view.share': [setView],
} satisfies Readonly<Record<string, Needed>>
export type ActionId = keyof typeof ACTIONS

export const mayDo = (actionId: ActionId, authority: Authority): boolean =>
  (ACTIONS[actionId] as Needed).every(({ permission }) => isAllowed(permission, authority))
