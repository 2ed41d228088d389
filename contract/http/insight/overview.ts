import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  alertIdValue,
  customerFilterValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  instantValue,
  momentValue,
  textValue,
} from '#contract/call/values.ts'
import { FINDINGS, LINK_KINDS } from '#domain/darkness/links.ts'
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
  /** The time of the newest reading; in `AVG_TEMPERATURE` the beginning of the UTC hour of the means. */
  device_time: momentValue,
})
export type TemperatureRow = z.output<typeof temperatureRow>

/** The number of devices with an Opened alert of this text, most active ones first (rules/overview 6). */
export const openedAlertRow = z.object({
  condition_field: z.string(),
  condition_text: z.string(),
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

const wrongKind = z.enum(WRONG_KINDS)

/** An Active device that needs attention, with its worst problem and the others. */
export const wrongDevice = z.object({
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  deviceModelId: deviceModelIdValue,
  customerName: z.string(),
  address: z.string(),
  kind: wrongKind,
  /** The problem has lasted at least since then; null when nobody knows. */
  since: momentValue.nullable(),
  /** True when the problem may have begun earlier, because nothing is known of the time before. */
  isAtLeast: z.boolean(),
  also: z.array(wrongKind),
  /** The reason why it is dark or unknown, or what is wrong although it is lit, as "Why is it dark?" says it. */
  cause: z
    .object({
      finding: z.enum(FINDINGS),
      link: z.enum(LINK_KINDS),
      sentence: z.string(),
      /** The section of the Setup tab that helps; null when somebody has to travel there. */
      section: z.string().nullable(),
      /** The control within the section; null when it is the section as a whole. */
      control: z.string().nullable(),
    })
    .nullable(),
  alert: z.object({ id: alertIdValue, conditionText: z.string() }).nullable(),
  activeAlerts: z.number().int(),
  /** A power command of the last day whose result nobody knows, in the words of the commands. */
  unknownCommand: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()), at: momentValue }).nullable(),
  /** The owner of one of its active alerts; empty while nobody owns one. */
  takenBy: z.string(),
  /** Set while the device is in maintenance: its end and its reason. */
  maintenance: z.object({ until: momentValue, reason: z.string() }).nullable(),
})
export type WrongDevice = z.output<typeof wrongDevice>

export const MOST_WRONG_DEVICES = 50

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
  /** The devices are sorted by kind, then by how much is at stake, then by duration, up to 50. */
  rows: z.array(wrongDevice),
})
export type WrongNow = z.output<typeof wrongNow>

export const getWrongNow = call({
  method: 'GET',
  path: 'Dashboard/GetWrongNow',
  summary: 'What is wrong now, worst first: Active devices that are dark unplanned, silent, alerted or on battery.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Alert', 'Maintenance', 'Maintenance window'],
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: wrongNow,
  errors: ['not_found'],
})
