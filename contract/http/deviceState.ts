import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, fieldIdValue, momentValue } from '#contract/call/values.ts'

/** Raw value of a field as the device reported it; the display rules of the catalogue write it for people. */
export const readingValue = z.union([z.number(), z.string()])

/** The flat status record: every known field under its prefixed wire name, plus `device_dt`. Unknown fields are absent. */
export const deviceState = z.object({ device_dt: momentValue.nullable() }).catchall(readingValue)

export const getDeviceState = call({
  method: 'GET',
  path: 'Device/GetDeviceEvTypeState',
  summary: 'The newest known value of every field of a device.',
  permission: 'deviceManager',
  shows: ['Device', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: deviceState,
  errors: ['not_found'],
})

/** P2 §3 "Dashboard item", with the device time of the value, so that every tile can show its age. */
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
})
export type DashboardItem = z.output<typeof dashboardItem>

export const getDeviceDashboard = call({
  method: 'GET',
  path: 'Device/GetDeviceDashboardData',
  summary: 'The tiles of a device: one for each field of each of its components.',
  permission: 'deviceManager',
  shows: ['Device', 'Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: z.array(dashboardItem),
  errors: ['not_found'],
})
