import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { lookupCall } from '#contract/call/lookupCall.ts'
import {
  alertIdValue,
  deviceGuidValue,
  deviceIdValue,
  instantValue,
  momentValue,
  namedValue,
  trimmedValue,
} from '#contract/call/values.ts'

export const listMaintenanceActions = lookupCall(
  'DeviceMaintenance/GetMaintenanceActionList',
  'What can be done on site.',
)
export const listMaintenanceReasons = lookupCall(
  'DeviceMaintenance/GetMaintenanceReasonList',
  'Why maintenance was needed.',
)
export const listMaintenanceResolutions = lookupCall(
  'DeviceMaintenance/GetMaintenanceResolutionList',
  'How maintenance ended.',
)

export const listMaintenanceComponents = call({
  method: 'GET',
  path: 'DeviceMaintenance/GetMaintenanceDeviceComponentList',
  summary: 'Components of a device that maintenance can be about: component models with their numbers.',
  permission: 'deviceManager',
  shows: ['Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(namedValue),
  errors: ['not_found'],
})

/** An entry of the maintenance log (rules/maintenance 1). */
export const maintenanceEntry = z.object({
  id: z.number().int(),
  deviceId: deviceIdValue,
  startDt: momentValue,
  endDt: momentValue.nullable(),
  /** The component of the device; null means the device as a whole. */
  modelComponentId: z.number().int().nullable(),
  reasonId: z.number().int().nullable(),
  actionId: z.number().int().nullable(),
  resolutionId: z.number().int().nullable(),
  alertId: alertIdValue.nullable(),
  actionComment: z.string(),
  modelComponentName: z.string(),
  reasonName: z.string(),
  actionName: z.string(),
  resolutionName: z.string(),
  alertText: z.string(),
  username: z.string(),
})
export type MaintenanceEntry = z.output<typeof maintenanceEntry>

export const listMaintenance = call({
  method: 'GET',
  path: 'DeviceMaintenance/GetDeviceMaintenanceList',
  summary: 'Maintenance of a device, newest first.',
  permission: 'seeDevices',
  shows: ['Maintenance', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(maintenanceEntry),
  errors: ['not_found'],
})

/** A device without entries of its own shows this many of other devices. */
export const LAST_VISITS = 5

export const maintenanceElsewhere = maintenanceEntry.extend({ deviceGuid: deviceGuidValue, deviceName: z.string() })
export type MaintenanceElsewhere = z.output<typeof maintenanceElsewhere>

export const listMaintenanceElsewhere = call({
  method: 'GET',
  path: 'DeviceMaintenance/GetMaintenanceElsewhereList',
  summary: `The ${LAST_VISITS} newest maintenance entries of other devices of the same customer.`,
  permission: 'seeDevices',
  shows: ['Maintenance', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(maintenanceElsewhere),
  errors: ['not_found'],
})

export const getMaintenance = call({
  method: 'GET',
  path: 'DeviceMaintenance/GetDeviceMaintenance',
  summary: 'One maintenance entry.',
  permission: 'seeDevices',
  shows: ['Maintenance', 'Device component'],
  query: z.strictObject({ id: z.int32().positive() }),
  answer: maintenanceEntry,
  errors: ['not_found'],
})

export const setMaintenance = call({
  method: 'POST',
  path: 'DeviceMaintenance/SetDeviceMaintenance',
  summary: 'Add or change a maintenance entry; answers its id.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: z.int32().default(0),
    deviceId: deviceIdValue,
    startDt: instantValue,
    endDt: instantValue.nullable().optional(),
    modelComponentId: z.int32().positive().nullable().optional(),
    reasonId: z.int32().positive().nullable().optional(),
    actionId: z.int32().positive().nullable().optional(),
    resolutionId: z.int32().positive().nullable().optional(),
    alertId: alertIdValue.nullable().optional(),
    actionComment: trimmedValue(4000).min(1),
    // Display names in a record that is sent back are ignored.
    modelComponentName: z.string().optional(),
    reasonName: z.string().optional(),
    actionName: z.string().optional(),
    resolutionName: z.string().optional(),
    alertText: z.string().optional(),
    username: z.string().optional(),
  }),
  answer: z.number().int(),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Maintenance' },
})

export const deleteMaintenance = call({
  method: 'GET',
  path: 'DeviceMaintenance/DelDeviceMaintenance',
  summary: 'Remove a maintenance entry.',
  permission: 'deviceManager',
  query: z.strictObject({ id: z.int32().positive() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Maintenance' },
})
