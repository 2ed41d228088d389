import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
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
  permission: 'seeDevices',
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
  stepUp: 'always',
})

/** A message; `at` is the device's own time. */
export const messageRow = z.object({ inserted: momentValue, at: momentValue, msg: z.string() })
export type MessageRow = z.output<typeof messageRow>

/** Contained in the message, whatever the case. */
const search = { text: textValue(200).optional() }

export const listMessages = call({
  method: 'GET',
  path: 'EventType/GetDeviceEvTypeMsgData',
  summary: 'Messages of a device, newest first: at most 1,000, or a page when pageSize or next is given.',
  permission: 'seeDevices',
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
  stepUp: 'always',
})

/** A lane tells its newest items, at most so many. */
export const MOST_LANE_ITEMS = 500
/** A year and a day: the longest period of a timeline. */
export const LONGEST_TIMELINE_DAYS = 366
/** Light and power are read from the readings themselves: of longer periods, the newest so many days; before, by hours. */
export const LONGEST_READ_DAYS = 8

/** From a moment up to another; null: it lasts still. */
const stretch = { from: momentValue, to: momentValue.nullable() }
/** Told by what is kept of hours: so in all of each, or in a part of each. Absent: told by the readings themselves. */
const byHours = { hours: z.enum(['whole', 'part']).optional() }

/**
 * What happened with one thing, oldest first. `since`: from when on that is all of it; after the beginning of the period
 * where there was more than an answer holds.
 */
const lane = <Item extends z.ZodType>(item: Item) => z.object({ since: momentValue, items: z.array(item) }).optional()

/** Of a device; lanes that the reader may not read are absent. */
export const deviceTimeline = z.object({
  /** Times at which the condition of an alert was met. */
  alerts: lane(
    z.object({ ...stretch, alertId: alertIdValue, conditionText: z.string(), severityId: z.number().int() }),
  ),
  /** Until the device answered, or the command was given up. */
  commands: lane(
    z.object({
      ...stretch,
      id: z.guid(),
      /** As in contract/mqtt/command.ts. */
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      state: z.enum(COMMAND_STATES),
      /** "Staff" for people outside one's scope. */
      by: z.string(),
    }),
  ),
  settings: lane(
    z.object({
      at: momentValue,
      /** Of the audit log. */
      id: z.number().int(),
      /** Name of the command that sets it. */
      name: z.string(),
      /** What was asked for, as arguments of that command. */
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
  /** Times without a connection, or in which it was silent. */
  presence: lane(z.object({ ...stretch, reason: z.string() })),
  /** How the light was, told by the readings of the displays; `lit` and `unknown` are left out. */
  light: lane(z.object({ ...stretch, kind: z.enum(LIGHT_KINDS), ...byHours })),
  /** Times on battery, as the UPS reported; of hours, in which its input had no voltage. */
  power: lane(z.object({ ...stretch, ...byHours })),
  maintenance: lane(z.object({ ...stretch, id: z.number().int(), comment: z.string(), componentName: z.string() })),
  /** Times in maintenance windows. */
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
  body: nothing,
  answer: deviceTimeline,
  errors: ['not_found'],
})

/** Of a site each device is told more briefly. */
export const MOST_SITE_LANE_ITEMS = 100
export const LONGEST_SITE_DAYS = 31
/** As `LONGEST_READ_DAYS`, of each device of a site. */
export const SITE_READ_DAYS = 1

export const getSiteTimeline = call({
  method: 'GET',
  path: 'Device/GetSiteTimeline',
  summary:
    'Timelines of a device and of those that stand with it (same customer, within 150 m or at the same address), of at most 31 days: 20 devices, the worst of the period first.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Device component', 'Alert', 'Client update', 'Maintenance'],
  query: z.strictObject(period),
  body: nothing,
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
    /** How many more stand there. */
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
  body: nothing,
  answer: z.object({
    /** The most unusual first. */
    fields: z.array(
      z.object({
        fieldId: fieldIdValue,
        /** Beginning of the hour in which it was furthest from usual. */
        at: momentValue,
        /** Its mean in that hour. */
        value: z.number(),
        usualFrom: z.number(),
        usualTo: z.number(),
        /** Spreads between the value and the median of the earlier days; 3 or more. */
        score: z.number(),
      }),
    ),
    /** How many fields could be compared, and how many had fewer than 5 earlier days. */
    compared: z.number().int(),
    withoutHistory: z.number().int(),
  }),
  errors: ['not_found'],
})
export type UnusualFields = z.output<typeof getUnusualFields.answer>
