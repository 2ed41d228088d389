import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, fieldIdValue, instantValue, momentValue } from '#contract/call/values.ts'
import { OPERATOR_CODES } from '#domain/alerts/operators.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'

/** The raw value of a field as the device reported it; the display rules of the catalogue format it. */
export const readingValue = z.union([z.number(), z.string()])

/** A flat record of every known field under its prefixed wire name, plus `device_dt`. Unknown fields are absent. */
export const deviceState = z.object({ device_dt: momentValue.nullable() }).catchall(readingValue)

export const getDeviceState = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeState',
  summary: 'The newest known value of every field of a device.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: deviceState,
  errors: ['not_found'],
})

/** A tile, with the device time of its value, so that the tile can show the age (rules/display 1). */
export const dashboardItem = z.object({
  field_id: fieldIdValue,
  field_name: z.string(),
  field_db_name: z.string(),
  field_value: readingValue.nullable(),
  group_name: z.string(),
  alert_id: z.number().int().nullable(),
  /** The worst severity of the active alerts of the field; null without one. */
  alert_severity_id: z.number().int().nullable(),
  icon: z.string(),
  measurement_id: fieldIdValue.nullable(),
  measurement_name: z.string().nullable(),
  measurement_event_type_id: z.number().int().nullable(),
  /** The hourly means of the last 24 hours, oldest first; null is a gap. */
  data_points_24h: z.array(z.number().nullable()).length(24),
  value_dt: momentValue.nullable(),
  /** What the device's clock said, if it cannot be believed; `value_dt` is then the time of arrival. */
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
  answer: z.array(dashboardItem),
  errors: ['not_found'],
})

/** A threshold of a condition of the device or of its model, which the console compares a reading with. */
const readingLimit = z.object({
  field_id: fieldIdValue,
  operatorCode: z.enum(OPERATOR_CODES),
  value: z.number(),
  conditionText: z.string(),
  severityId: z.number().int(),
})
export type ReadingLimit = z.output<typeof readingLimit>

export const getReadingLimits = call({
  method: 'GET',
  path: 'Device/GetReadingLimits',
  summary: 'Numbers that the readings of a device are compared with, by its own conditions and those of its model.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Alert condition'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(readingLimit),
  errors: ['not_found'],
})

const lastVisit = z.object({
  id: z.number().int(),
  startDt: momentValue,
  endDt: momentValue.nullable(),
  comment: z.string(),
  /** Empty means the device as a whole. */
  componentName: z.string(),
})

export const refusedReports = z.object({
  since: momentValue,
  lastAt: momentValue,
  count: z.number().int(),
  /** The reason for the newest refusal, as one word (`bad_value`) and as a sentence for the developer of the client. */
  reason: z.string(),
  detail: z.string(),
  /** The newest refused report: its topic below the device's root, and the first kilobytes of its payload. */
  topic: z.string(),
  payload: z.string(),
})

export const getDeviceHealth = call({
  method: 'GET',
  path: 'Device/GetDeviceHealth',
  summary:
    'What a first look at a device needs beside its tiles: its limits, its open alerts, its last visit, its refused reports.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component', 'Alert', 'Alert condition', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.object({
    /** Thresholds of the device and of its model; both apply. */
    limits: z.array(readingLimit),
    alertsNow: z.number().int(),
    /** The worst severity of the active ones; null when none is active. */
    alertsSeverityId: z.number().int().nullable(),
    /** The number of alerts that are Opened and Not Active: resolved, but not closed. */
    alertsOver: z.number().int(),
    /** The newest maintenance that has begun; null when none is recorded. */
    lastVisit: lastVisit.nullable(),
    /** Components that never reported although the device has; somebody must say whether they exist. */
    unreported: z.array(
      z.object({
        componentId: z.number().int(),
        modelId: z.number().int(),
        number: z.number().int(),
        label: z.string(),
      }),
    ),
    /** The reports that are refused now, the last one within an hour; null when none are. */
    refused: refusedReports.nullable(),
  }),
  errors: ['not_found'],
})
export type DeviceHealth = z.output<typeof getDeviceHealth.answer>

export const STATE_SOURCES = [
  /** The newest value of each field at or before the moment, at most a day older. */
  'READINGS',
  /** The readings are no longer kept, so these are means of the UTC hour that contains the moment. */
  'HOURLY_MEANS',
] as const

export const getDeviceStateAt = call({
  method: 'GET',
  path: 'Device/GetDeviceStateAt',
  summary: 'The tiles of a device as they were at a moment, and what is kept of how it was then.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component', 'Alert', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue, at: instantValue }),
  answer: z.object({
    source: z.enum(STATE_SOURCES),
    /** The tiles as at present, with means of the 24 hours before, without the hour that contains the moment. */
    tiles: z.array(dashboardItem),
    /** Null when nothing is kept for that time. */
    isOnline: z.boolean().nullable(),
    /** The state of its worst display, by its readings and off times at that time; null when it is no longer known. */
    light: z.enum(LIGHT_KINDS).nullable(),
    /** The last report of its UPS; null when there was none, or it is no longer kept. */
    isOnBattery: z.boolean().nullable(),
    /** The last settings that people had applied, one per section, as arguments of the command. */
    settings: z.array(
      z.object({
        id: z.number().int(),
        at: momentValue,
        name: z.string(),
        args: z.record(z.string(), z.unknown()),
        /** "Staff" stands for people outside the caller's scope. */
        by: z.string(),
      }),
    ),
    alertsNow: z.number().int(),
    alertsSeverityId: z.number().int().nullable(),
    /** The number of alerts that were resolved but not closed at that time. */
    alertsOver: z.number().int(),
    /** The newest maintenance that had begun; null when none is recorded. */
    lastVisit: lastVisit.nullable(),
  }),
  errors: ['not_found'],
})
export type DeviceStateAt = z.output<typeof getDeviceStateAt.answer>
