import {
  changePassword,
  checkPasswordLink,
  endOneSession,
  endOtherSessions,
  listSessions,
  requestPasswordReset,
  sendRegistrationEmail,
  sendResetPasswordEmail,
  setPasswordByToken,
  setTimeZone,
} from './account.ts'
import {
  acknowledgeAlert,
  closeAlerts,
  getAlertDetails,
  listAlertResolutions,
  listAlerts,
  listAnalyticsAlerts,
} from './alert.ts'
import {
  deleteAlertCondition,
  listAlertConditions,
  listAlertPeriods,
  listConditionFields,
  listOperators,
  previewAlertCondition,
  setAlertCondition,
} from './alertConditions.ts'
import { getAnalyticsTable, listMeasurements } from './analytics.ts'
import { getClientAuthData, login, logout } from './app.ts'
import { deleteRole, getRole, listFunctions, listRoles, setRole } from './appRole.ts'
import { deleteUser, deleteUserByRolePath, getUser, listUsers, setUser } from './appUser.ts'
import { listAudit, listAuditActions, listAuditEntityTypes } from './audit.ts'
import type { Call } from './call.ts'
import { getConsoleSettings } from './consoleSettings.ts'
import { listCustomerRecords, setCustomer } from './customer.ts'
import { getAvailability, getDarkMinutes, getPlannedDarkness } from './darkMinutes.ts'
import { getDarkness } from './darkness.ts'
import { getDashboardTable, getDashboardValues } from './dashboard.ts'
import { createDevice, downloadConfiguration, getDevice, getDeviceById, listDevices } from './device.ts'
import { listDeviceCommands, POWER_CALLS } from './deviceCommands.ts'
import { listDeviceComponents, listDeviceComponentsExt, setDeviceComponents } from './deviceComponents.ts'
import { deleteDevice, getTimeZoneAt, renewDeviceKey, setDeviceDetails, setDeviceStatus } from './deviceDetails.ts'
import {
  deleteMaintenance,
  getMaintenance,
  listMaintenance,
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  setMaintenance,
} from './deviceMaintenance.ts'
import { listDevicePins } from './devicePins.ts'
import { exportMessages, exportRawData, listMessages, listRawData } from './deviceRecords.ts'
import {
  applyAmbientSensorSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
  compareDeviceSettings,
  getDeviceLocalSettings,
  getDeviceSettings,
} from './deviceSettings.ts'
import { getDeviceDashboard, getDeviceState } from './deviceState.ts'
import { getFeedChain, setFeedChain } from './feedChain.ts'
import { listHolidays, setHolidays } from './holidays.ts'
import { watch } from './live.ts'
import {
  listComponentModels,
  listConnectionStatuses,
  listCountries,
  listCustomers,
  listDeviceModels,
  listDeviceStatuses,
  listEventTypes,
} from './lookups.ts'
import { getNotificationSettings, setNotificationSettings } from './notifications.ts'

/** Every call there is. A call that is not here has no route; a route that is not here does not start. */
export const CALLS: readonly Call[] = [
  login,
  logout,
  getClientAuthData,
  getConsoleSettings,
  requestPasswordReset,
  checkPasswordLink,
  setPasswordByToken,
  changePassword,
  sendRegistrationEmail,
  sendResetPasswordEmail,
  listSessions,
  endOneSession,
  endOtherSessions,
  setTimeZone,
  listAudit,
  listAuditActions,
  listAuditEntityTypes,
  listUsers,
  getUser,
  setUser,
  deleteUser,
  deleteUserByRolePath,
  listRoles,
  listFunctions,
  getRole,
  setRole,
  deleteRole,
  listCustomerRecords,
  setCustomer,
  listCustomers,
  listCountries,
  listHolidays,
  setHolidays,
  listDeviceModels,
  listDeviceStatuses,
  listConnectionStatuses,
  listEventTypes,
  listComponentModels,
  listDevices,
  listDevicePins,
  getDevice,
  createDevice,
  downloadConfiguration,
  setDeviceDetails,
  setDeviceStatus,
  deleteDevice,
  renewDeviceKey,
  getTimeZoneAt,
  listDeviceComponents,
  listDeviceComponentsExt,
  setDeviceComponents,
  getFeedChain,
  setFeedChain,
  applyDisplaySettings,
  applyAmbientSensorSettings,
  applyTurnDisplayOffSettings,
  getDeviceLocalSettings,
  getDeviceSettings,
  compareDeviceSettings,
  ...POWER_CALLS,
  listDeviceCommands,
  getDeviceState,
  getDeviceDashboard,
  getDarkness,
  getDarkMinutes,
  getPlannedDarkness,
  getAvailability,
  getDeviceById,
  listMeasurements,
  getAnalyticsTable,
  listRawData,
  exportRawData,
  listMessages,
  exportMessages,
  getDashboardTable,
  getDashboardValues,
  listAlerts,
  getAlertDetails,
  listAlertResolutions,
  closeAlerts,
  acknowledgeAlert,
  listAnalyticsAlerts,
  listAlertConditions,
  listOperators,
  listAlertPeriods,
  setAlertCondition,
  deleteAlertCondition,
  listConditionFields,
  previewAlertCondition,
  listMaintenanceActions,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  listMaintenanceComponents,
  listMaintenance,
  getMaintenance,
  setMaintenance,
  deleteMaintenance,
  getNotificationSettings,
  setNotificationSettings,
  watch,
]
