import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { DEVICE_FILTERS, DEVICE_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  instantValue,
  momentValue,
  nameValue,
  tagsValue,
  textValue,
  versionFilterValue,
} from '#contract/call/values.ts'
import { releaseKeyValue } from '#contract/mqtt/client.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'

/** Texts that nobody has filled in are empty; unknown numbers and moments are null. */
export const device = z.object({
  id: deviceIdValue,
  guid: deviceGuidValue,
  name: z.string(),
  address: z.string(),
  statusId: z.number().int(),
  connStatusId: z.number().int(),
  /** The time of the newest report by the clock of the device, or of its arrival if that clock is not believed. */
  lastEvent: momentValue.nullable(),
  /** The device's clock is ahead of the server's by this much, negative if behind; null while it is right. */
  clockErrorMs: z.number().int().nullable(),
  /** Its reports have been refused since then, the last one within an hour; null while none are refused. */
  refusedSince: momentValue.nullable(),
  activeAlerts: z.number().int(),
  /** What the worst of its customer's active alerts is called, the newest of equals; null when none is active. */
  worstAlert: z.object({ title: z.string(), severityId: z.number().int() }).nullable(),
  modelId: deviceModelIdValue,
  customerId: customerIdValue,
  customerName: z.string(),
  attrSerial: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  description: z.string(),
  iotDeviceId: z.string(),
  internalIp: z.string(),
  externalIp: z.string(),
  timeZone: z.string(),
  timeZoneIsAssumed: z.boolean(),
  /** The state of its worst display, some seconds old; null without displays, and while it was not evaluated. */
  light: z.enum(LIGHT_KINDS).nullable(),
  lightSince: momentValue.nullable(),
  /** True when the state may have begun earlier, because nothing was known until then. */
  lightIsAtLeast: z.boolean(),
  /** The reason in one sentence, or what is wrong although the display is lit. */
  lightCause: z.string().nullable(),
  /** Null when no UPS reports it. */
  isOnBattery: z.boolean().nullable(),
  /** Two machines report as this device at least since then; null while only one does. */
  identityConflictSince: momentValue.nullable(),
  /** The worst of its present problems, as the Overview counts it; null when there is none. */
  wrong: z.enum(WRONG_KINDS).nullable(),
  /** The version of its client; null while it has not reported one. */
  clientVersion: z.string().nullable(),
  tags: z.array(z.string()),
})
export type Device = z.output<typeof device>

export const deviceFilter = z.strictObject({
  customerId: customerFilterValue.optional(),
  /** Matches text within the name, ignoring case. */
  deviceName: textValue(200).optional(),
  /** Words of name, place, serial number, customer and tags, in any order and in plain letters: `koln`, `athina`. */
  search: textValue(200).optional(),
  modelId: deviceModelIdValue.optional(),
  /** Matches the beginnings of words of the place, in any order and in plain letters. */
  place: textValue(200).optional(),
  /** Matches text within the serial number, ignoring case. */
  attrSerial: textValue(200).optional(),
  /** Selects devices that have all of these tags, ignoring case. */
  tags: tagsValue.min(1).optional(),
  /** The version that its client reports: `2.4.1`, anything older (`before-2.4.1`), or `unknown`. */
  clientVersion: versionFilterValue.optional(),
  statusId: z.int32().optional(),
  connStatusId: z.int32().min(0).max(1).optional(),
  filter: z.enum(DEVICE_FILTERS).optional(),
  /** The problem that `filter` names (else any) has lasted at least this long, as far as is known. */
  forMinutes: z.int32().min(1).optional(),
  /** The same problem began then or later. */
  since: instantValue.optional(),
})

const wholeListQuery = deviceFilter.extend({
  sort: z.enum(DEVICE_SORT_COLUMNS).optional(),
  descending: z.boolean().optional(),
})

export const deviceListQuery = wholeListQuery.extend({
  rowNum: z.int32().min(1).optional(),
  pageSize: z.int32().min(1).max(500).optional(),
  limit: z.int32().min(1).max(500).optional(),
  /** The key of the next page, from the answer before; it holds the last row's name and address. */
  next: textValue(4000).optional(),
})

export const devicePage = z.object({
  rows: z.array(device),
  /** The total is exact up to 10,000, and null beyond. */
  total: z.number().int().nullable(),
  next: z.string().nullable(),
})

const countOfList = z.number().int().nullable()

export const listDevices = call({
  method: 'GET',
  path: 'Device/GetDeviceList',
  summary: 'Devices the caller may see: all of them, or a page when rowNum, pageSize, limit or next is given.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Customer', 'Alert', 'Client update'],
  query: deviceListQuery,
  answer: z.union([z.array(device), devicePage]),
  errors: ['not_found', 'page_too_deep'],
})

export const exportDevices = call({
  method: 'GET',
  path: 'Device/GetDeviceListFull',
  summary: 'All devices that the filter finds, in its order, row by row.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Customer', 'Alert', 'Client update'],
  query: wholeListQuery,
  answer: z.array(device),
  errors: ['not_found'],
  answersWith: 'row-stream',
  stepUp: 'always',
})

export const countDeviceList = call({
  method: 'GET',
  path: 'Device/GetDeviceListCounts',
  summary: 'How many devices the tabs of the list have. A count is null beyond 10,000.',
  permission: 'seeDevices',
  shows: ['Device', 'Alert', 'Client update'],
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: z.object({
    all: countOfList,
    wrong: countOfList,
    maintenance: countOfList,
    /** Clients older than the newest one that any of these devices runs; absent while no version is known. */
    notUpdated: z.object({ newest: z.string(), devices: countOfList }).optional(),
  }),
  errors: ['not_found'],
})

export const getDevice = call({
  method: 'GET',
  path: 'Device/GetDevice',
  summary: 'One device by its public identity.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Client update'],
  query: z.strictObject({ guid: deviceGuidValue }),
  answer: device,
  errors: ['not_found'],
})

export const getDeviceById = call({
  method: 'GET',
  path: 'Device/GetDeviceById',
  summary: 'One device by its number; analytics reads its model.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Customer'],
  query: z.strictObject({ id: deviceIdValue }),
  answer: device,
  errors: ['not_found'],
})

export const createDevice = call({
  method: 'POST',
  path: 'Device/CreateDevice',
  summary: 'Add a device, Pending and fitted with the standard components of its model.',
  permission: 'createDevice',
  body: z.strictObject({
    /** Staff must give it; for a customer user it defaults to their own, and no other is found. */
    customerId: customerIdValue.optional(),
    modelId: deviceModelIdValue,
    name: nameValue(200),
  }),
  answer: device,
  errors: ['customer_deactivated', 'created_just_now', 'not_found'],
  changes: { action: 'Create', entity: 'Device' },
  takesIdempotencyKey: true,
})

export const deviceConfiguration = z.object({
  guid: deviceGuidValue,
  key: z.string(),
  mqttUrl: z.string(),
  httpUrl: z.string(),
  name: z.string(),
  modelId: deviceModelIdValue,
  /** The public keys of releases, base64 of 32 bytes each: the device runs only what one of them has signed. */
  releaseKeys: z.array(releaseKeyValue).max(10).default([]),
  /** PEM certificates of authorities that the device trusts for the server, beside those that it already knows. */
  trustedCertificates: z.string().max(65_536).optional(),
})
export type DeviceConfiguration = z.output<typeof deviceConfiguration>

export const downloadConfiguration = call({
  method: 'GET',
  path: 'Device/DownloadConfiguration',
  summary: 'The file a device connects with. Issues a new key; the old one dies when the new one is first used.',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue }),
  answer: deviceConfiguration,
  errors: ['not_found'],
  changes: { action: 'Download', entity: 'Device' },
  answersWith: 'file',
  stepUp: 'always',
})
