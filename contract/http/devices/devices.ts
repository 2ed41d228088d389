import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
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
  /** Time of the newest report by the clock of the device, or when it came where that clock is not believed. */
  lastEvent: momentValue.nullable(),
  /** How far the clock of the device is ahead of the server's, negative where it is behind; null while it is right. */
  clockErrorMs: z.number().int().nullable(),
  /** Reports of it are refused, the last one within an hour, and they have been since then; null while none are. */
  refusedSince: momentValue.nullable(),
  /** Alerts that are Opened and Active. */
  activeAlerts: z.number().int(),
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
  /** IANA zone of the display. */
  timeZone: z.string(),
  timeZoneIsAssumed: z.boolean(),
  /** Of its worst display, some seconds old at most; null without displays, and while nobody has judged it. */
  light: z.enum(LIGHT_KINDS).nullable(),
  /** It is so since then. */
  lightSince: momentValue.nullable(),
  /** It may have been so before, because nothing was known until then. */
  lightIsAtLeast: z.boolean(),
  /** Why, in one sentence, or what is wrong although it is lit. */
  lightCause: z.string().nullable(),
  /** Null where no UPS tells it. */
  isOnBattery: z.boolean().nullable(),
  /** Two machines report as this device at least since then; null while one does. */
  identityConflictSince: momentValue.nullable(),
  /** The worst of what is wrong of it now, as the Overview counts it; null where nothing is. */
  wrong: z.enum(WRONG_KINDS).nullable(),
  /** Version of its client; null while it has not said. */
  clientVersion: z.string().nullable(),
  /** Free labels, as people wrote them. */
  tags: z.array(z.string()),
})
export type Device = z.output<typeof device>

/** What narrows a list or a map of devices: the same words everywhere. */
export const deviceFilter = z.strictObject({
  customerId: customerFilterValue.optional(),
  /** Contained in the name, whatever the case. */
  deviceName: textValue(200).optional(),
  /** Words of name, place, serial number, customer and tags, in any order and in plain letters: `koln`, `athina`. */
  search: textValue(200).optional(),
  modelId: deviceModelIdValue.optional(),
  /** Beginnings of words of the place, in any order and in plain letters. */
  place: textValue(200).optional(),
  /** Contained in the serial number, whatever the case. */
  attrSerial: textValue(200).optional(),
  /** Those that have all of these tags, whatever the case. */
  tags: tagsValue.min(1).optional(),
  /** What its client says that it is: `2.4.1`, whatever is older (`before-2.4.1`), or `unknown`. */
  clientVersion: versionFilterValue.optional(),
  statusId: z.int32().optional(),
  connStatusId: z.int32().min(0).max(1).optional(),
  filter: z.enum(DEVICE_FILTERS).optional(),
  /** Of what is wrong now (by `filter`, else anything): it is known to have been so for this long already. */
  forMinutes: z.int32().min(1).optional(),
  /** Of the same: it began then or later. */
  since: instantValue.optional(),
})

const wholeListQuery = deviceFilter.extend({
  sort: z.enum(DEVICE_SORT_COLUMNS).optional(),
  descending: z.boolean().optional(),
})

export const deviceListQuery = wholeListQuery.extend({
  /** 1-based first row. */
  rowNum: z.int32().min(1).optional(),
  pageSize: z.int32().min(1).max(500).optional(),
  limit: z.int32().min(1).max(500).optional(),
  /** Key of the next page, from the answer before; it holds the last row's name and address. */
  next: textValue(4000).optional(),
})

export const devicePage = z.object({
  rows: z.array(device),
  /** Exact up to 10,000, null beyond. */
  total: z.number().int().nullable(),
  next: z.string().nullable(),
})

export const listDevices = call({
  method: 'GET',
  path: 'Device/GetDeviceList',
  summary: 'Devices the caller may see: all of them, or a page when rowNum, pageSize, limit or next is given.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Customer', 'Alert', 'Client update'],
  query: deviceListQuery,
  body: nothing,
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
  body: nothing,
  answer: z.array(device),
  errors: ['not_found'],
  answersWith: 'row-stream',
  stepUp: 'always',
})

export const getDevice = call({
  method: 'GET',
  path: 'Device/GetDevice',
  summary: 'One device by its public identity.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Client update'],
  query: z.strictObject({ guid: deviceGuidValue }),
  body: nothing,
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
  body: nothing,
  answer: device,
  errors: ['not_found'],
})

export const createDevice = call({
  method: 'POST',
  path: 'Device/CreateDevice',
  summary: 'Add a device, Pending and fitted with the standard components of its model.',
  permission: 'createDevice',
  query: nothing,
  body: z.strictObject({
    /** Required of staff; a customer user's own where it is left out, and no other is found. */
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
  /** Public keys of releases, base64 of 32 bytes each: the device runs only what one of them has signed. */
  releaseKeys: z.array(releaseKeyValue).max(10).default([]),
  /** In PEM: whose certificates the device takes for those of the server, beside those it knows by itself. */
  trustedCertificates: z.string().max(65_536).optional(),
})
export type DeviceConfiguration = z.output<typeof deviceConfiguration>

export const downloadConfiguration = call({
  method: 'GET',
  path: 'Device/DownloadConfiguration',
  summary: 'The file a device connects with. Issues a new key; the old one dies when the new one is first used.',
  permission: 'deviceManager',
  query: z.strictObject({ id: deviceIdValue }),
  body: nothing,
  answer: deviceConfiguration,
  errors: ['not_found'],
  changes: { action: 'Download', entity: 'Device' },
  answersWith: 'file',
  stepUp: 'always',
})
