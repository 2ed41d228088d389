import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceIdValue,
  deviceModelIdValue,
  ipAddressValue,
  lineValue,
  nameValue,
  tagsValue,
  textValue,
} from '#contract/call/values.ts'
import { device, deviceConfiguration } from './devices.ts'

/** Only the server sets these; a record that is sent back may contain them, and they are ignored (rules/calls 6). */
const readOnly = device
  .pick({
    guid: true,
    statusId: true,
    connStatusId: true,
    lastEvent: true,
    clockErrorMs: true,
    refusedSince: true,
    activeAlerts: true,
    worstAlert: true,
    iotDeviceId: true,
    timeZoneIsAssumed: true,
    customerName: true,
    light: true,
    lightSince: true,
    lightIsAtLeast: true,
    lightCause: true,
    isOnBattery: true,
    identityConflictSince: true,
    wrong: true,
    clientVersion: true,
  })
  .partial().shape

const details = {
  name: nameValue(200).optional(),
  address: lineValue(500).optional(),
  attrSerial: lineValue(200).optional(),
  description: textValue(4000).optional(),
  internalIp: ipAddressValue.optional(),
  externalIp: ipAddressValue.optional(),
  /** WGS 84 degrees; both must be given, or neither. */
  latitude: z.number().min(-90).max(90).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  /** An IANA zone; null takes the zone of the position, else of the customer's country. */
  timeZone: textValue(64).nullable().optional(),
  /** All tags of the device, at most 20 of at most 40 characters; tags that differ only in case count once. */
  tags: tagsValue.optional(),
  modelId: deviceModelIdValue.optional(),
  customerId: customerIdValue.optional().describe('Staff admins only.'),
}

export const setDeviceDetails = call({
  method: 'POST',
  path: 'Device/SetDeviceDetails',
  summary: 'Change the record of a device. What is left out stays; only staff admins move it to another customer.',
  permission: 'deviceManager',
  body: z.strictObject({
    ...readOnly,
    id: deviceIdValue,
    ...details,
    /**
     * The values that the changed fields had when the caller read them. If somebody changed one of them since, the call
     * is refused with `settings_changed` and nothing changes. Without it, changes made meanwhile are overwritten.
     */
    basedOn: z.strictObject(details).optional(),
  }),
  answer: device,
  errors: ['customer_deactivated', 'not_found', 'settings_changed'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'ofSeveral',
  largestBodyBytes: 128 * 1024,
})

export const changeDeviceTags = call({
  method: 'POST',
  path: 'Device/ChangeDeviceTags',
  summary: 'Give a device tags, take some away, or both; the others stay. A device has at most 20.',
  permission: 'deviceManager',
  body: z.strictObject({ id: deviceIdValue, add: tagsValue.optional(), remove: tagsValue.optional() }),
  answer: device,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'ofSeveral',
})

export const MOST_TAGS_OFFERED = 100

export const listDeviceTags = call({
  method: 'GET',
  path: 'Device/GetDeviceTagList',
  summary: 'Tags of the devices that the caller may see, the most used first; at most 100.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({
    customerId: customerFilterValue.optional(),
    /** Matches the beginnings of its words, in plain letters: `koln` finds Köln. */
    search: textValue(200).optional(),
  }),
  answer: z.array(z.object({ tag: z.string(), devices: z.number().int() })),
  errors: ['not_found'],
})

export const listClientVersions = call({
  method: 'GET',
  path: 'Device/GetClientVersionList',
  summary: 'Versions that the clients of the devices run which the caller may see, the newest first; null: unknown.',
  permission: 'seeDevices',
  shows: ['Device', 'Client update'],
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: z.array(z.object({ version: z.string().nullable(), devices: z.number().int() })),
  errors: ['not_found'],
})

export const setDeviceStatus = call({
  method: 'GET',
  path: 'Device/SetDeviceStatus',
  summary: 'Make a device Paired (2), Maintenance (3), Deactivated (4) or Out of order (5).',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue, statusId: z.int32() }),
  answer: device,
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'ofSeveral',
})

export const deleteDevice = call({
  method: 'GET',
  path: 'Device/DelDevice',
  summary: 'Delete a device with its readings, messages and commands; what the audit log knows of it stays.',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Device' },
  stepUp: 'always',
})

export const renewDeviceKey = call({
  method: 'POST',
  path: 'Device/RenewDeviceKey',
  summary: 'The file a device connects with, under a new key. Every older key dies at once.',
  permission: 'deviceManager',
  body: z.strictObject({ id: deviceIdValue }),
  answer: deviceConfiguration,
  errors: ['not_found'],
  changes: { action: 'Download', entity: 'Device' },
  answersWith: 'file',
  stepUp: 'always',
})

export const getTimeZoneAt = call({
  method: 'GET',
  path: 'Device/GetTimeZoneAt',
  summary: 'The IANA time zone of a position.',
  permission: 'deviceManager',
  shows: [],
  query: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  answer: z.object({ timeZone: z.string() }),
})
