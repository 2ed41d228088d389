import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { customerIdValue, deviceIdValue, deviceModelIdValue, ipAddressValue, textValue } from '#contract/call/values.ts'
import { device, deviceConfiguration } from './device.ts'

/** What the server alone decides; a record that is sent back may contain it, and it is ignored (decisions: Calls). */
const readOnly = device
  .pick({
    guid: true,
    statusId: true,
    connStatusId: true,
    lastEvent: true,
    activeAlerts: true,
    iotDeviceId: true,
    timeZoneIsAssumed: true,
    customerName: true,
    light: true,
    lightSince: true,
    lightCause: true,
    isOnBattery: true,
    wrong: true,
    clientVersion: true,
  })
  .partial().shape

export const setDeviceDetails = call({
  method: 'POST',
  path: 'Device/SetDeviceDetails',
  summary: 'Change the record of a device. What is left out stays; only staff admins move it to another customer.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    ...readOnly,
    id: deviceIdValue,
    name: textValue(200).trim().min(1).optional(),
    address: textValue(500).trim().optional(),
    attrSerial: textValue(200).trim().optional(),
    description: textValue(4000).optional(),
    internalIp: ipAddressValue.optional(),
    externalIp: ipAddressValue.optional(),
    /** WGS 84 degrees; both or neither. */
    latitude: z.number().min(-90).max(90).nullable().optional(),
    longitude: z.number().min(-180).max(180).nullable().optional(),
    /** IANA zone; null takes the one of the position, else of the customer's country. */
    timeZone: textValue(64).nullable().optional(),
    /** Admins only. */
    modelId: deviceModelIdValue.optional(),
    customerId: customerIdValue.optional().describe('Staff admins only.'),
  }),
  answer: device,
  errors: ['customer_deactivated', 'not_found'],
  changes: { action: 'Update', entity: 'Device' },
})

export const setDeviceStatus = call({
  method: 'GET',
  path: 'Device/SetDeviceStatus',
  summary: 'Make a device Paired (2), Maintenance (3), Deactivated (4) or Out of order (5).',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue, statusId: z.int32() }),
  body: nothing,
  answer: device,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Device' },
})

export const deleteDevice = call({
  method: 'GET',
  path: 'Device/DelDevice',
  summary: 'Delete a device with its readings, messages and commands; what the audit log knows of it stays.',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue }),
  body: nothing,
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Device' },
})

export const renewDeviceKey = call({
  method: 'POST',
  path: 'Device/RenewDeviceKey',
  summary: 'The file a device connects with, under a new key. Every older key dies at once.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({ id: deviceIdValue }),
  answer: deviceConfiguration,
  errors: ['not_found'],
  changes: { action: 'Download', entity: 'Device' },
  answersWith: 'file',
})

export const getTimeZoneAt = call({
  method: 'GET',
  path: 'Device/GetTimeZoneAt',
  summary: 'The IANA time zone of a position.',
  permission: 'deviceManager',
  shows: [],
  query: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  body: nothing,
  answer: z.object({ timeZone: z.string() }),
  errors: [],
})
