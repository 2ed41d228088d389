import type { Call } from '#contract/call/call.ts'
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
} from '#contract/http/account.ts'
import { acknowledgeAlert, closeAlerts, getAlertDetails } from '#contract/http/alert.ts'
import { setAlertCondition } from '#contract/http/alertConditions.ts'
import { getAnalyticsTable, listMeasurements } from '#contract/http/analytics.ts'
import { logout } from '#contract/http/app.ts'
import { setRole } from '#contract/http/appRole.ts'
import { deleteUser, setUser } from '#contract/http/appUser.ts'
import {
  createClientUpdate,
  pauseClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
  updateClientVersion,
} from '#contract/http/clientUpdate.ts'
import { setCustomer } from '#contract/http/customer.ts'
import { getDarkMinutes } from '#contract/http/darkMinutes.ts'
import { getDarkness } from '#contract/http/darkness.ts'
import { createDevice, downloadConfiguration, getDevice } from '#contract/http/device.ts'
import { listDeviceCommands, POWER_CALLS, testDeviceDriver } from '#contract/http/deviceCommands.ts'
import { setDeviceComponents } from '#contract/http/deviceComponents.ts'
import {
  changeDeviceTags,
  deleteDevice,
  renewDeviceKey,
  setDeviceDetails,
  setDeviceStatus,
} from '#contract/http/deviceDetails.ts'
import { setMaintenance } from '#contract/http/deviceMaintenance.ts'
import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/deviceSettings.ts'
import { setDeviceDriver } from '#contract/http/drivers/deviceDrivers.ts'
import { addAuthenticator, removeFactor, renewRecoveryCodes, resetFactors } from '#contract/http/factors/factors.ts'
import { addPasskey } from '#contract/http/factors/passkeys.ts'
import { setFeedChain } from '#contract/http/feedChain.ts'
import {
  acknowledgeIncident,
  mergeIncidents,
  noteIncident,
  snoozeIncident,
  splitIncident,
} from '#contract/http/incidents/incident.ts'
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  endMaintenanceWindow,
} from '#contract/http/maintenance/maintenanceWindow.ts'
import { setChannel } from '#contract/http/notifying/channel.ts'
import { setNotifyRoute } from '#contract/http/notifying/notifyRoute.ts'
import { setRota } from '#contract/http/notifying/rota.ts'
import { downloadOwnPersonalData, downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { uploadRelease } from '#contract/http/release.ts'
import { deleteView, listViews, setDefaultView, setView } from '#contract/http/savedViews.ts'
import { setSignInProvider } from '#contract/http/signIn/singleSignOn.ts'
import { createApiToken, listApiTokens, revokeApiToken } from '#contract/http/tokens/apiToken.ts'
import { type Authority, isAllowed } from '#domain/permissions/permissions.ts'

type Needed = readonly Pick<Call, 'permission'>[]

/**
 * Everything that somebody can set going in the console, by the calls that it takes: whoever may make them is offered it.
 * `app/palette/deeds.test.ts` holds it to the calls of the contract.
 */
export const DEEDS = {
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
  'devices.set': [applyDisplaySettings, applyTurnDisplayOffSettings, applyDayPlanSettings, changeDeviceTags],
  'devices.updateClient': [updateClientVersion],
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
  'rota.add': [setRota],
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
export type Deed = keyof typeof DEEDS

export const mayDo = (deed: Deed, authority: Authority): boolean =>
  (DEEDS[deed] as Needed).every(({ permission }) => isAllowed(permission, authority))
