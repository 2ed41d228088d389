import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, fieldIdValue, instantValue } from '#contract/call/values.ts'
import { STEPS_MINUTES } from '#domain/analytics/step.ts'

/** P1 §3 "Measurement option". */
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
  summary: 'What a chart of this device offers; it follows from its model (P1 §5).',
  permission: 'analytics',
  shows: ['Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: z.array(measurement),
  errors: ['not_found'],
})

export const MOST_DEVICES = 100
export const MOST_MEASUREMENTS = 50

export const analyticsTableQuery = z.strictObject({
  /** When given, every measurement must belong to it. */
  eventTypeId: z.int32().optional(),
  /** Comma list in the address. */
  devices: z.array(deviceIdValue).min(1).max(MOST_DEVICES),
  measurements: z.array(fieldIdValue).min(1).max(MOST_MEASUREMENTS),
  dateFrom: instantValue,
  dateTo: instantValue,
  minutesRound: z.union(STEPS_MINUTES.map((step) => z.literal(step))).optional(),
  /** True: one row for each bucket, the mean over the devices. Else one for each bucket and device. */
  groupDevices: z.boolean().optional(),
  /** The newest n buckets. */
  limit: z.int32().min(1).max(100_000).optional(),
  /** Adds `m_{id}_min` and `m_{id}_max` beside `m_{id}`. */
  withRange: z.boolean().optional(),
})

/** `time` first (begin of the bucket), `deviceId` unless grouped, then `m_{id}` for each measurement; null is a gap. */
export const analyticsRow = z
  .object({ time: z.iso.datetime(), deviceId: deviceIdValue.optional() })
  .catchall(z.number().nullable())
export type AnalyticsRow = z.output<typeof analyticsRow>

export const getAnalyticsTable = call({
  method: 'GET',
  path: 'Analytics/GetAnalyticsDataTable',
  summary: 'Means over buckets of 5 to 60 minutes; the period is widened to the borders of its buckets.',
  permission: 'deviceManagerOrAnalytics',
  shows: [],
  query: analyticsTableQuery,
  body: nothing,
  answer: z.array(analyticsRow),
  errors: ['not_found', 'step_too_fine', 'too_many_points'],
})

const numbersOrGaps = z.array(z.number().nullable())

/** Buckets of one device, from the first that holds anything to the last. */
export const deviceColumns = z.object({
  deviceId: deviceIdValue,
  /** Begin of the first; each next begins a step later. */
  from: z.iso.datetime(),
  /** As asked for; all are equally long, null is a gap. */
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

/** Of the same question the same numbers as `getAnalyticsTable`, in a third of the bytes. */
export const getAnalyticsColumns = call({
  method: 'GET',
  path: 'Analytics/GetAnalyticsColumns',
  summary: 'What GetAnalyticsDataTable answers for each device, as columns: where they begin, then only numbers.',
  permission: 'deviceManagerOrAnalytics',
  shows: [],
  query: analyticsTableQuery.pick({
    devices: true,
    measurements: true,
    dateFrom: true,
    dateTo: true,
    minutesRound: true,
    withRange: true,
  }),
  body: nothing,
  /** Devices without any value are left out. */
  answer: z.object({ stepMinutes: z.number().int(), devices: z.array(deviceColumns) }),
  errors: ['not_found', 'step_too_fine', 'too_many_points'],
})
