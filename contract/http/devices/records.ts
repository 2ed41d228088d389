import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  alertIdValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  fieldIdValue,
  instantValue,
  momentValue,
  textValue,
} from '#contract/call/values.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'
import { DEVICE_UPDATE_STATES } from '#domain/rollouts/states.ts'
import { COMMAND_STATES } from './commands.ts'
import { readingValue } from './status.ts'

const period = { deviceId: deviceIdValue, dateFrom: instantValue, dateTo: instantValue }
const paging = {
  pageSize: z.int32().min(1).max(1000).optional(),
  next: textValue(200).optional(),
}
const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.union([
    z.array(row),
    z.object({ rows: z.array(row), total: z.number().int().nullable(), next: z.string().nullable() }),
  ])

/**
 * One stored report. Fields have the wire names of component 1 (`d_backlight_level`), and `number` says which component
 * they belong to; unknown ones are absent, and those that the catalogue does not know are under `extra`.
 */
export const rawRow = z
  .object({
    device_dt: momentValue,
    inserted: momentValue,
    number: z.number().int(),
    /** What the device's clock said, if it was not believed. */
    claimed_at: momentValue.optional(),
    extra: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).optional(),
  })
  .catchall(readingValue)
export type RawRow = z.output<typeof rawRow>

export const listRawData = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeRawDataV2',
  summary: 'Stored reports of one kind, newest first: at most 1,000, or a page when pageSize or next is given.',
  permission: 'seeDevices',
  shows: [],
  query: z.strictObject({ ...period, evTypeId: z.int32(), ...paging }),
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
  answer: z.array(rawRow),
  errors: ['not_found'],
  answersWith: 'row-stream',
  stepUp: 'always',
})

/** A message of the device; `at` is in device time. */
export const messageRow = z.object({ inserted: momentValue, at: momentValue, msg: z.string() })
export type MessageRow = z.output<typeof messageRow>

const search = { text: textValue(200).optional() }

export const listMessages = call({
  method: 'GET',
  path: 'EventType/GetDeviceEvTypeMsgData',
  summary: 'Messages of a device, newest first: at most 1,000, or a page when pageSize or next is given.',
  permission: 'seeDevices',
  shows: [],
  query: z.strictObject({ ...period, ...search, ...paging }),
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
  answer: z.array(messageRow),
  errors: ['not_found'],
  answersWith: 'row-stream',
  stepUp: 'always',
})

export const MOST_LANE_ITEMS = 500
export const LONGEST_TIMELINE_DAYS = 366
/** Light and power come from readings for the newest days of a period, up to this number, else from hourly data. */
export const LONGEST_READ_DAYS = 8

/** A period; its end is null while it lasts. */
const stretch = { from: momentValue, to: momentValue.nullable() }
/**
 * Set when the period comes from hourly data: the state lasted all of each hour, or a part of it. Absent when it comes
 * from the readings themselves.
 */
const byHours = { hours: z.enum(['whole', 'part']).optional() }

/**
 * The events of one subject, oldest first. They are complete from `since` on, which is after the beginning of the
 * period if there were more than an answer holds.
 */
const lane = <Item extends z.ZodType>(item: Item) => z.object({ since: momentValue, items: z.array(item) }).optional()

/** The timeline of a device; lanes that the reader may not see are absent. */
export const deviceTimeline = z.object({
  alerts: lane(
    z.object({
      ...stretch,
      alertId: alertIdValue,
      conditionText: z.string(),
      title: z.string(),
      severityId: z.number().int(),
    }),
  ),
  /** A command lasts until the device answered, or the server gave up waiting. */
  commands: lane(
    z.object({
      ...stretch,
      id: z.guid(),
      /** The name and the arguments are those of contract/mqtt/command.ts. */
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      state: z.enum(COMMAND_STATES),
      /** "Staff" stands for people outside the caller's scope. */
      by: z.string(),
    }),
  ),
  settings: lane(
    z.object({
      at: momentValue,
      id: z.number().int(),
      name: z.string(),
      /** The requested values, as arguments of that command. */
      args: z.record(z.string(), z.unknown()),
      by: z.string(),
    }),
  ),
  updates: lane(
    z.object({
      ...stretch,
      rolloutId: z.number().int(),
      version: z.string(),
      state: z.enum(DEVICE_UPDATE_STATES),
      reason: z.string(),
    }),
  ),
  /** Periods without a connection, or without reports. */
  presence: lane(z.object({ ...stretch, reason: z.string() })),
  /** The light by the readings of the displays; `lit` is left out. */
  light: lane(z.object({ ...stretch, kind: z.enum(LIGHT_KINDS), ...byHours })),
  /** Periods on battery, as the UPS reported; in hourly data, those in which its input had no voltage. */
  power: lane(z.object({ ...stretch, ...byHours })),
  maintenance: lane(z.object({ ...stretch, id: z.number().int(), comment: z.string(), componentName: z.string() })),
  windows: lane(z.object({ ...stretch, windowId: z.number().int(), reason: z.string() })),
})
export type DeviceTimeline = z.output<typeof deviceTimeline>

export const getDeviceTimeline = call({
  method: 'GET',
  path: 'Device/GetDeviceTimeline',
  summary:
    'What happened with a device in a period, by lanes: alerts, commands, settings, updates, presence, light, power, maintenance, windows.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Device component', 'Alert', 'Client update', 'Maintenance', 'Maintenance window'],
  query: z.strictObject(period),
  answer: deviceTimeline,
  errors: ['not_found'],
})

/** Each device of a site gets fewer items, because an answer holds several devices. */
export const MOST_SITE_LANE_ITEMS = 100
export const LONGEST_SITE_DAYS = 31
/** The counterpart of `LONGEST_READ_DAYS` for each device of a site. */
export const SITE_READ_DAYS = 1

export const getSiteTimeline = call({
  method: 'GET',
  path: 'Device/GetSiteTimeline',
  summary:
    'Timelines of a device and of those that stand with it (same customer, within 150 m or at the same address), of at most 31 days: 20 devices, the worst of the period first.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Device component', 'Alert', 'Client update', 'Maintenance'],
  query: z.strictObject(period),
  answer: z.object({
    devices: z.array(
      z.object({
        id: deviceIdValue,
        guid: deviceGuidValue,
        name: z.string(),
        modelId: deviceModelIdValue,
        lanes: deviceTimeline,
      }),
    ),
    leftOut: z.number().int(),
  }),
  errors: ['not_found'],
})
export type SiteTimeline = z.output<typeof getSiteTimeline.answer>

export const MOST_UNUSUAL_FIELDS = 20

export const getUnusualFields = call({
  method: 'GET',
  path: 'Device/GetUnusualFields',
  summary:
    'What was most unusual in a window of at most a day: hourly means against the same hours of up to 14 earlier days.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device'],
  query: z.strictObject(period),
  answer: z.object({
    /** The fields, the most unusual first. */
    fields: z.array(
      z.object({
        fieldId: fieldIdValue,
        /** The beginning of the hour in which the value was furthest from usual. */
        at: momentValue,
        value: z.number(),
        usualFrom: z.number(),
        usualTo: z.number(),
        /** The distance between the value and the median of the earlier days, in spreads; 3 or more. */
        score: z.number(),
      }),
    ),
    compared: z.number().int(),
    withoutHistory: z.number().int(),
  }),
  errors: ['not_found'],
})
export type UnusualFields = z.output<typeof getUnusualFields.answer>
