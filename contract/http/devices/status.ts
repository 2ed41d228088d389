import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, fieldIdValue, instantValue, momentValue } from '#contract/call/values.ts'
import { OPERATOR_CODES } from '#domain/alerts/operators.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'

/** Raw value of a field as the device reported it; the display rules of the catalogue write it for people. */
export const readingValue = z.union([z.number(), z.string()])

/** The flat status record: every known field under its prefixed wire name, plus `device_dt`. Unknown fields are absent. */
export const deviceState = z.object({ device_dt: momentValue.nullable() }).catchall(readingValue)

export const getDeviceState = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeState',
  summary: 'The newest known value of every field of a device.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: deviceState,
  errors: ['not_found'],
})

/** A tile, with the device time of its value, so that it can show the age (rules/display 1). */
export const dashboardItem = z.object({
  field_id: fieldIdValue,
  field_name: z.string(),
  field_db_name: z.string(),
  field_value: readingValue.nullable(),
  group_name: z.string(),
  alert_id: z.number().int().nullable(),
  icon: z.string(),
  measurement_id: fieldIdValue.nullable(),
  measurement_name: z.string().nullable(),
  measurement_event_type_id: z.number().int().nullable(),
  /** Hourly means of the last 24 hours, oldest first; null is a gap. */
  data_points_24h: z.array(z.number().nullable()).length(24),
  value_dt: momentValue.nullable(),
  /** What the clock of the device said, where it cannot be believed: `value_dt` is when the reading came then. */
  claimed_dt: momentValue.optional(),
})
export type DashboardItem = z.output<typeof dashboardItem>

export const getDeviceDashboard = call({
  method: 'GET',
  path: 'Device/GetDeviceDashboardData',
  summary: 'The tiles of a device: one for each field of each of its components.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: z.array(dashboardItem),
  errors: ['not_found'],
})

/** A number that a reading is compared with, by a condition of the device or of its model. */
const readingLimit = z.object({
  field_id: fieldIdValue,
  operatorCode: z.enum(OPERATOR_CODES),
  value: z.number(),
  /** The whole condition in words. */
  conditionText: z.string(),
})
export type ReadingLimit = z.output<typeof readingLimit>

export const getReadingLimits = call({
  method: 'GET',
  path: 'Device/GetReadingLimits',
  summary: 'Numbers that the readings of a device are compared with, by its own conditions and those of its model.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Alert condition'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: z.array(readingLimit),
  errors: ['not_found'],
})

const lastVisit = z.object({
  id: z.number().int(),
  startDt: momentValue,
  endDt: momentValue.nullable(),
  /** The beginning of what was written about it. */
  comment: z.string(),
  /** Empty: the device as a whole. */
  componentName: z.string(),
})

export const refusedReports = z.object({
  since: momentValue,
  lastAt: momentValue,
  count: z.number().int(),
  /** Of the newest, in one word (`bad_value`), and in a sentence for whoever wrote the program. */
  reason: z.string(),
  detail: z.string(),
  /** Of the newest: its topic below that of the device, and the first kilobytes of what it held. */
  topic: z.string(),
  payload: z.string(),
})
export type RefusedReports = z.output<typeof refusedReports>

export const getDeviceHealth = call({
  method: 'GET',
  path: 'Device/GetDeviceHealth',
  summary:
    'What a first look at a device needs beside its tiles: its limits, its open alerts, its last visit, its refused reports.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component', 'Alert', 'Alert condition', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: z.object({
    /** Those of its own and those of its model: both apply. */
    limits: z.array(readingLimit),
    /** Opened and Active. */
    alertsNow: z.number().int(),
    /** Opened and Not Active: over, and not closed. */
    alertsOver: z.number().int(),
    /** The newest maintenance that has begun; null where none is written down. */
    lastVisit: lastVisit.nullable(),
    /** Components that never reported, though the device has: each is there or not, and somebody has to say which. */
    unreported: z.array(
      z.object({
        componentId: z.number().int(),
        modelId: z.number().int(),
        number: z.number().int(),
        label: z.string(),
      }),
    ),
    /** Reports that are refused now, the last one within an hour; null where none are. */
    refused: refusedReports.nullable(),
  }),
  errors: ['not_found'],
})
export type DeviceHealth = z.output<typeof getDeviceHealth.answer>

export const STATE_SOURCES = [
  /** The newest of each field at or before the moment, at most a day older. */
  'READINGS',
  /** Readings of then are no longer kept: means of the UTC hour in which the moment lies, of what is measured. */
  'HOURLY_MEANS',
] as const
export type StateSource = (typeof STATE_SOURCES)[number]

export const getDeviceStateAt = call({
  method: 'GET',
  path: 'Device/GetDeviceStateAt',
  summary: 'The tiles of a device as they were at a moment, and what is kept of how it was then.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component', 'Alert', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue, at: instantValue }),
  body: nothing,
  answer: z.object({
    source: z.enum(STATE_SOURCES),
    /** As those of now; the means are of the 24 hours before, without the hour that the moment cuts. */
    tiles: z.array(dashboardItem),
    /** null: nothing is kept of then. */
    isOnline: z.boolean().nullable(),
    /** Of its worst display, by what these had reported and by its off times of then; null: not known any more. */
    light: z.enum(LIGHT_KINDS).nullable(),
    /** As its UPS had reported; null: it had not, or this is not kept. */
    isOnBattery: z.boolean().nullable(),
    /** What people had set last, a section each, as arguments of the command that sets it. */
    settings: z.array(
      z.object({
        /** Of the audit log. */
        id: z.number().int(),
        at: momentValue,
        name: z.string(),
        args: z.record(z.string(), z.unknown()),
        /** "Staff" for people outside one's scope. */
        by: z.string(),
      }),
    ),
    /** Opened before, not closed then, and Active. */
    alertsNow: z.number().int(),
    /** Opened before, not closed then, and over. */
    alertsOver: z.number().int(),
    /** The newest maintenance that had begun; null where none is written down. */
    lastVisit: lastVisit.nullable(),
  }),
  errors: ['not_found'],
})
export type DeviceStateAt = z.output<typeof getDeviceStateAt.answer>
