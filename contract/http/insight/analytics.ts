import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, fieldIdValue, instantValue, momentValue } from '#contract/call/values.ts'
import { STEPS_MINUTES } from '#domain/analytics/step.ts'

/** A measurement that a chart offers (rules/analytics 1). */
export const measurement = z.object({
  mea_id: fieldIdValue,
  mea_name: z.string(),
  mea_group: z.string(),
  event_type_id: z.number().int(),
})
export type Measurement = z.output<typeof measurement>

export const listMeasurements = call({
  method: 'GET',
  path: 'Analytics/GetDeviceMeasurementList',
  summary: 'What a chart of this device offers; it follows from its model.',
  permission: 'analytics',
  shows: ['Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(measurement),
  errors: ['not_found'],
})

export const MOST_DEVICES = 100
export const MOST_MEASUREMENTS = 50

export const analyticsTableQuery = z.strictObject({
  /** If given, every measurement must belong to it. */
  eventTypeId: z.int32().optional(),
  /** The address holds a list separated by commas. */
  devices: z.array(deviceIdValue).min(1).max(MOST_DEVICES),
  measurements: z.array(fieldIdValue).min(1).max(MOST_MEASUREMENTS),
  dateFrom: instantValue,
  dateTo: instantValue,
  minutesRound: z.union(STEPS_MINUTES.map((step) => z.literal(step))).optional(),
  /** If true, there is one row for each bucket, the mean over the devices; otherwise one for each bucket and device. */
  groupDevices: z.boolean().optional(),
  limit: z.int32().min(1).max(100_000).optional(),
  /** Adds `m_{id}_min` and `m_{id}_max` beside `m_{id}`. */
  withRange: z.boolean().optional(),
})

/** `time` begins the bucket, `deviceId` follows unless grouped, then `m_{id}` for each measurement; null is a gap. */
export const analyticsRow = z
  .object({ time: z.iso.datetime(), deviceId: deviceIdValue.optional() })
  .catchall(z.number().nullable())
export type AnalyticsRow = z.output<typeof analyticsRow>

export const getAnalyticsTable = call({
  method: 'GET',
  path: 'Analytics/GetAnalyticsDataTable',
  summary: 'Means over buckets of 5 to 60 minutes; the period is widened to the borders of its buckets.',
  permission: 'seeDevicesOrAnalytics',
  shows: [],
  query: analyticsTableQuery,
  answer: z.array(analyticsRow),
  errors: ['not_found', 'step_too_fine', 'too_many_points'],
})

const numbersOrGaps = z.array(z.number().nullable())

/** The buckets of one device, from the first that holds a value to the last. */
export const deviceColumns = z.object({
  deviceId: deviceIdValue,
  /** The beginning of the first bucket; each next one begins a step later. */
  from: z.iso.datetime(),
  /** The columns in the requested order, all equally long; null is a gap. */
  columns: z.array(
    z.object({
      id: fieldIdValue,
      means: numbersOrGaps,
      minima: numbersOrGaps.optional(),
      maxima: numbersOrGaps.optional(),
    }),
  ),
})
export type DeviceColumns = z.output<typeof deviceColumns>

/** Returns the same numbers as `getAnalyticsTable`, in a third of the bytes. */
export const getAnalyticsColumns = call({
  method: 'GET',
  path: 'Analytics/GetAnalyticsColumns',
  summary: 'What GetAnalyticsDataTable answers for each device, as columns: where they begin, then only numbers.',
  permission: 'seeDevicesOrAnalytics',
  shows: [],
  query: analyticsTableQuery.pick({
    devices: true,
    measurements: true,
    dateFrom: true,
    dateTo: true,
    minutesRound: true,
    withRange: true,
  }),
  /** Devices without any value are left out. */
  answer: z.object({ stepMinutes: z.number().int(), devices: z.array(deviceColumns) }),
  errors: ['not_found', 'step_too_fine', 'too_many_points'],
})

/** This is many times more than a screen has pixels. */
export const MOST_READINGS = 20_000

export const getReadings = call({
  method: 'GET',
  path: 'Analytics/GetReadings',
  summary: 'What a device reported of one measurement, reading by reading, oldest first; nothing where none are kept.',
  permission: 'seeDevicesOrAnalytics',
  shows: [],
  query: z.strictObject({
    deviceId: deviceIdValue,
    measurementId: fieldIdValue,
    dateFrom: instantValue,
    dateTo: instantValue,
  }),
  answer: z.object({
    /** Device times, in milliseconds since 1970. */
    timesMs: z.array(z.number().int()),
    values: z.array(z.number()),
    /** False when there are more than 20,000, and these are the newest. */
    isWhole: z.boolean(),
  }),
  errors: ['not_found'],
})

export const MOST_PRESENT_VALUES = 100

export const presentValue = z.object({
  deviceId: deviceIdValue,
  fieldId: fieldIdValue,
  value: z.union([z.number(), z.string()]),
  /** The device time of the reading. */
  at: momentValue,
  /** The means of the last 24 UTC hours, oldest first, null for a gap; null when the field is no measurement. */
  means24h: z.array(z.number().nullable()).nullable(),
})
export type PresentValue = z.output<typeof presentValue>

export const getPresentValues = call({
  method: 'GET',
  path: 'Device/GetPresentValues',
  summary:
    'The newest reading of a field of each of these devices, and its last 24 hours. What cannot be answered is named, and the rest is answered.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device'],
  query: z.strictObject({
    /** The address holds lists separated by commas; the first device belongs to the first field, and so on. */
    devices: z.array(deviceIdValue).min(1).max(MOST_PRESENT_VALUES),
    fields: z.array(fieldIdValue).min(1).max(MOST_PRESENT_VALUES),
  }),
  answer: z.object({
    /** Values that were never reported are left out. */
    values: z.array(presentValue),
    /** Pairs whose device does not exist for the caller, or whose field no device reports. */
    unknown: z.array(presentValue.pick({ deviceId: true, fieldId: true })),
  }),
  errors: ['not_found'],
})
