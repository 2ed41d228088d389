import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  alertIdValue,
  customerFilterValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  incidentIdValue,
  instantValue,
  momentValue,
  textValue,
} from '#contract/call/values.ts'
import { ATTENTION_GROUPS, type AttentionGroup } from '#domain/attention/attention.ts'
import { STEP_KINDS } from '#domain/attention/recommendedStep.ts'
import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

export const DASHBOARD_KEYS = [
  /** Active devices that are online, as the list's filter `activeConnected` shows them. */
  'DEVICES_ACTIVE',
  'DEVICES_MAINTENANCE',
  'DEVICES_OUT_OF_ORDER',
  'DEVICES_PENDING',
  /** Devices in any status. */
  'DEVICES_ALL',
  /** Devices with an alert that was Active at any moment of the last 24 hours (rules/overview 3). */
  'DEVICES_WITH_ALERTS_24H',
] as const
export type DashboardKey = (typeof DASHBOARD_KEYS)[number]

/** A number of the Overview (rules/overview 2). */
export const dashboardValue = z.object({ key: z.enum(DASHBOARD_KEYS), value: z.number().int() })
export type DashboardValue = z.output<typeof dashboardValue>

const dashboardQuery = z.strictObject({
  customerId: customerFilterValue.optional(),
  /** The default is the last seven days, and only `LAST_ALERTS` obeys it (rules/overview 7). */
  dateFrom: instantValue.optional(),
  dateTo: instantValue.optional(),
})

export const getDashboardValues = call({
  method: 'GET',
  path: 'Dashboard/GetDashboardValues',
  summary: 'The numbers of the tiles of the Overview, as of now: each is the number of rows that its list has.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Alert', 'Maintenance'],
  query: dashboardQuery,
  answer: z.array(dashboardValue),
  errors: ['not_found'],
})

export const TREND_POINTS = 48

export const tileTrend = z.object({
  from: momentValue,
  stepMinutes: z.number().int(),
  /** The value of each tile in each half hour, the present one last; null where nothing was counted. */
  trends: z.array(z.object({ key: z.enum(DASHBOARD_KEYS), values: z.array(z.number().int().nullable()) })),
})
export type TileTrend = z.output<typeof tileTrend>

export const getTileTrends = call({
  method: 'GET',
  path: 'Dashboard/GetTileTrends',
  summary: 'What the tiles of the Overview counted in each half hour of the last 24 hours.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Alert', 'Maintenance'],
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: tileTrend,
  errors: ['not_found'],
})

export const ETL_STATUSES = ['READY', 'PROCESSING', 'FAILED'] as const

/** The state of the hourly roll-up that analytics reads (rules/overview 10). */
export const etlInfo = z.object({ etl_status: z.enum(ETL_STATUSES), etl_last_refresh: momentValue.nullable() })
export type EtlInfo = z.output<typeof etlInfo>

/** A Paired device by its hottest display (rules/overview 4), in °C; null is unknown. */
export const temperatureRow = z.object({
  device: z.string(),
  device_id: deviceIdValue,
  device_guid: deviceGuidValue,
  display_number: z.number().int(),
  internal_temp: z.number().nullable(),
  intake_temp: z.number().nullable(),
  /** The lowest threshold of an alert about this display's internal temperature; null when there is none. */
  internal_limit: z.number().nullable(),
  /** The worst severity of the thresholds that the newest reading is above; null when it is above none. */
  internal_severity_id: z.number().int().nullable(),
  /** The time of the newest reading; in `AVG_TEMPERATURE` the beginning of the UTC hour of the means. */
  device_time: momentValue,
})
export type TemperatureRow = z.output<typeof temperatureRow>

/** The number of devices with an Opened alert of this text, most active ones first (rules/overview 6). */
export const openedAlertRow = z.object({
  condition_field: z.string(),
  condition_text: z.string(),
  /** The condition in words with its limit: "Display too hot, limit 40 °C". */
  title: z.string(),
  count_devices: z.number().int(),
  /** The devices on which the alert is Opened and Active. */
  count_active: z.number().int(),
  /** The devices on which the alert is Opened and Not Active, so resolved but not closed. */
  count_over: z.number().int(),
})
export type OpenedAlertRow = z.output<typeof openedAlertRow>

/** Alerts that opened within the last year, by hour and weekday in the requested zone (rules/overview 8). */
export const heatMapRow = z.object({
  /** 0 to 23. */
  hn: z.number().int(),
  /** 1 is Monday. */
  dwn: z.number().int(),
  count_alerts: z.number().int(),
})
export type HeatMapRow = z.output<typeof heatMapRow>

export const lastAlertRow = z.object({
  alert_id: alertIdValue,
  device: z.string(),
  device_guid: deviceGuidValue,
  /** Another customer owns the device now, so it cannot be opened. */
  device_has_left: z.boolean(),
  /** The device time of the reading that opened it. */
  device_time: momentValue,
  condition_field: z.string(),
  condition_text: z.string(),
  status_name: z.string(),
  condition_state_name: z.string(),
})
export type LastAlertRow = z.output<typeof lastAlertRow>

export const DASHBOARD_TABLES = [
  /** The ten warmest devices by the newest reading of the last 24 hours of their hottest display, warmest first. */
  'INTERNAL_TEMPERATURE',
  /** Sorted by the number of devices on which the alert is active, then of all devices, largest first. */
  'OPENED_ALERTS',
  /** Always 168 rows. */
  'HEATMAP_ALERTS',
  'LAST_ALERTS',
  /** The three warmest devices with 24 rows each, hours in order. */
  'AVG_TEMPERATURE',
  'ETL_DB_INFO',
] as const

export const getDashboardTable = call({
  method: 'GET',
  path: 'Dashboard/GetDashboardTable',
  summary: 'One table of the Overview. ETL_DB_INFO is for internal users and exempt from limits of the period.',
  permission: 'seeDevicesOrInternal',
  shows: ['Device', 'Customer', 'Alert', 'Maintenance'],
  query: dashboardQuery.extend({
    table: z.enum(DASHBOARD_TABLES),
    /** The IANA zone in which hours and weekdays are counted; UTC when it is left out. */
    timeZone: textValue(64).refine(isTimeZone, 'must be an IANA time zone').optional(),
  }),
  answer: z.union([
    z.array(temperatureRow),
    z.array(openedAlertRow),
    z.array(heatMapRow),
    z.array(lastAlertRow),
    z.array(etlInfo),
  ]),
  errors: ['not_found'],
})

/** One thing that needs attention: an incident, or devices with the same problem. */
export const attentionRow = z.object({
  /** It stays the same while the row tells the same. */
  key: z.string(),
  group: z.enum(ATTENTION_GROUPS),
  /** The worst problem of its devices; null for an incident or a rollout. */
  kind: z.enum(WRONG_KINDS).nullable(),
  severityId: z.number().int(),
  /** One sentence without a full stop, such as `Dark: power switch 1 is off`. */
  what: z.string(),
  /** The first devices of the row; an incident may have left no device that the caller can open. */
  devices: z.array(
    z.object({
      deviceId: deviceIdValue,
      deviceGuid: deviceGuidValue,
      deviceModelId: deviceModelIdValue,
      deviceName: z.string(),
      customerName: z.string(),
      address: z.string(),
    }),
  ),
  deviceCount: z.number().int(),
  /** The problem has lasted at least since then; null when nobody knows. */
  since: momentValue.nullable(),
  /** True when the problem may have begun earlier, because nothing is known of the time before. */
  isAtLeast: z.boolean(),
  /** Empty while nobody owns it, or several people own parts of it. */
  ownerName: z.string(),
  /** The incident that all of its devices belong to; null when there is none, or several. */
  incidentId: incidentIdValue.nullable(),
  /** The alert that is the root cause of an incident; null for everything else. */
  alertId: alertIdValue.nullable(),
  /** The halted rollout; null for everything else. */
  updateId: z.number().int().nullable(),
  /** What the diagnosis of a single device recommends; null when it recommends nothing. */
  step: z.object({ kind: z.enum(STEP_KINDS), label: z.string(), control: z.string().nullable() }).nullable(),
})
export type AttentionRow = z.output<typeof attentionRow>

/** So many rows are answered of what needs attention, and as many of what is excused. */
export const MOST_ATTENTION_ROWS = 50

export const wrongNow = z.object({
  /** Each count equals the list of that filter; a device may be in several. */
  counts: z.object({
    dark: z.number().int(),
    silent: z.number().int(),
    alerted: z.number().int(),
    unanswered: z.number().int(),
    onBattery: z.number().int(),
    inMaintenance: z.number().int(),
    reportsRefused: z.number().int(),
    clockWrong: z.number().int(),
    restarting: z.number().int(),
    identityConflict: z.number().int(),
  } satisfies Record<WrongKind, z.ZodNumber>),
  devices: z.number().int(),
  /** All devices in status Active, connected or not. */
  activeDevices: z.number().int(),
  /** What each chip counts: devices, and each halted rollout as one. `all` is the sum of the others but `excused`. */
  attention: z.object({
    all: z.number().int(),
    dark: z.number().int(),
    silent: z.number().int(),
    alerted: z.number().int(),
    onBattery: z.number().int(),
    other: z.number().int(),
    rollout: z.number().int(),
    excused: z.number().int(),
  } satisfies Record<AttentionGroup | 'all', z.ZodNumber>),
  /** The number of all rows; `rows` has the first of them. */
  rowCount: z.number().int(),
  /** Critical by age, warnings by age, rollouts, then what is excused (rules/overview 11). */
  rows: z.array(attentionRow),
})
export type WrongNow = z.output<typeof wrongNow>

export const getWrongNow = call({
  method: 'GET',
  path: 'Dashboard/GetWrongNow',
  summary: 'What needs attention, worst first: incidents, devices that are dark or not reporting, and halted rollouts.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Alert', 'Incident', 'Maintenance', 'Maintenance window', 'Client update'],
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: wrongNow,
  errors: ['not_found'],
})
