import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, instantValue, momentValue, textValue } from '#contract/call/values.ts'
import { readingValue } from './deviceState.ts'

const period = { deviceId: deviceIdValue, dateFrom: instantValue, dateTo: instantValue }
const paging = {
  pageSize: z.int32().min(1).max(1000).optional(),
  /** Key of the next page, from the answer before. */
  next: textValue(200).optional(),
}
const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.union([
    z.array(row),
    z.object({ rows: z.array(row), total: z.number().int().nullable(), next: z.string().nullable() }),
  ])

/**
 * One stored report. Fields stand under the wire names of component 1 (`d_backlight_level`), `number` says of which
 * component they are; unknown ones are absent, those that the catalogue does not know stand under `extra`.
 */
export const rawRow = z
  .object({
    device_dt: momentValue,
    inserted: momentValue,
    number: z.number().int(),
    /** What the device's clock said where it was not believed. */
    claimed_at: momentValue.optional(),
    extra: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).optional(),
  })
  .catchall(readingValue)
export type RawRow = z.output<typeof rawRow>

export const listRawData = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeRawDataV2',
  summary: 'Stored reports of one kind, newest first: at most 1,000, or a page when pageSize or next is given.',
  permission: 'deviceManager',
  shows: [],
  query: z.strictObject({ ...period, evTypeId: z.int32(), ...paging }),
  body: nothing,
  answer: pageOf(rawRow),
  errors: ['not_found'],
})

export const exportRawData = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeRawDataV2Full',
  summary: 'All stored reports of one kind in the period, newest first, row by row.',
  permission: 'rawExport',
  shows: [],
  query: z.strictObject({ ...period, evTypeId: z.int32() }),
  body: nothing,
  answer: z.array(rawRow),
  errors: ['not_found'],
  answersWith: 'row-stream',
})

/** P2 §3 "Message record", with the device's own time. */
export const messageRow = z.object({ inserted: momentValue, at: momentValue, msg: z.string() })
export type MessageRow = z.output<typeof messageRow>

/** Contained in the message, whatever the case. */
const search = { text: textValue(200).optional() }

export const listMessages = call({
  method: 'GET',
  path: 'EventType/GetDeviceEvTypeMsgData',
  summary: 'Messages of a device, newest first: at most 1,000, or a page when pageSize or next is given.',
  permission: 'deviceManager',
  shows: [],
  query: z.strictObject({ ...period, ...search, ...paging }),
  body: nothing,
  answer: pageOf(messageRow),
  errors: ['not_found'],
})

export const exportMessages = call({
  method: 'GET',
  path: 'EventType/GetDeviceEvTypeMsgDataFull',
  summary: 'All messages of a device in the period, newest first, row by row.',
  permission: 'rawExport',
  shows: [],
  query: z.strictObject({ ...period, ...search }),
  body: nothing,
  answer: z.array(messageRow),
  errors: ['not_found'],
  answersWith: 'row-stream',
})
