import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
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
  /** Active devices that are online: the list's filter `activeConnected`. */
  'DEVICES_ACTIVE',
  'DEVICES_MAINTENANCE',
  'DEVICES_OUT_OF_ORDER',
  'DEVICES_PENDING',
  /** In whatever status. */
  'DEVICES_ALL',
  /** Devices of which an alert was Active at any moment of the last 24 hours (rules/overview 3). */
  'DEVICES_WITH_ALERTS_24H',
] as const
export type DashboardKey = (typeof DASHBOARD_KEYS)[number]

/** A number of the Overview (rules/overview 2). */
export const dashboardValue = z.object({ key: z.enum(DASHBOARD_KEYS), value: z.number().int() })
export type DashboardValue = z.output<typeof dashboardValue>

const dashboardQuery = z.strictObject({
  customerId: customerFilterValue.optional(),
  /** It is the last seven days where it is left out, and only `LAST_ALERTS` obeys it (rules/overview 7). */
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
  body: nothing,
  answer: z.array(dashboardValue),
  errors: ['not_found'],
})

/** Half hours of a day. */
export const TREND_POINTS = 48

export const tileTrend = z.object({
  /** Begin of the first half hour. */
  from: momentValue,
  stepMinutes: z.number().int(),
  /** What each tile counted in each half hour, the present one last; null where nobody counted. */
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
  body: nothing,
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
  /** Which display of the device is the hottest. */
  display_number: z.number().int(),
  internal_temp: z.number().nullable(),
  intake_temp: z.number().nullable(),
  /** The lowest to which a condition that applies to this display watches the internal one rise; null: none does. */
  internal_limit: z.number().nullable(),
  /** Of the newest reading; in `AVG_TEMPERATURE` the begin of the UTC hour of which the temperatures are means. */
  device_time: momentValue,
})
export type TemperatureRow = z.output<typeof temperatureRow>

/** How many devices have an Opened alert of this text; most that are so now come first (rules/overview 6). */
export const openedAlertRow = z.object({
  condition_field: z.string(),
  condition_text: z.string(),
  count_devices: z.number().int(),
  /** Of them those on which it is so now: Opened and Active. */
  count_active: z.number().int(),
  /** Those on which it is over and not closed: Opened and Not Active. */
  count_over: z.number().int(),
})
export type OpenedAlertRow = z.output<typeof openedAlertRow>

/** Alerts that opened within the last year, by hour and weekday in the zone asked for (rules/overview 8). */
export const heatMapRow = z.object({
  /** 0 to 23. */
  hn: z.number().int(),
  /** 1 is Monday. */
  dwn: z.number().int(),
  count_alerts: z.number().int(),
})
export type HeatMapRow = z.output<typeof heatMapRow>

/** One of the ten newest alerts of the period. */
export const lastAlertRow = z.object({
  alert_id: alertIdValue,
  device: z.string(),
  device_guid: deviceGuidValue,
  /** Another customer has it now: it cannot be opened. */
  device_has_left: z.boolean(),
  /** Device time of the reading that opened it. */
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
  /** By the number of devices on which it is so now, then of all of them, largest first. */
  'OPENED_ALERTS',
  /** Always 168 rows. */
  'HEATMAP_ALERTS',
  'LAST_ALERTS',
  /** The three warmest devices, 24 rows each, hours in order. */
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
    /** IANA zone in which hours and weekdays are counted; UTC where it is left out. */
    timeZone: textValue(64).refine(isTimeZone, 'must be an IANA time zone').optional(),
  }),
  body: nothing,
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

/** An Active device of which something is wrong now: the worst of it, and what else. */
export const wrongDevice = z.object({
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  deviceModelId: deviceModelIdValue,
  customerName: z.string(),
  address: z.string(),
  kind: wrongKind,
  /** It is so at least since then; null where nobody knows. */
  since: momentValue.nullable(),
  /** It may have been so before: of what was before nothing is known. */
  isAtLeast: z.boolean(),
  /** Everything else that is wrong of it, the worst first. */
  also: z.array(wrongKind),
  /** Why it is dark or unknown, or what is wrong although it is lit; as "Why is it dark?" says it. */
  cause: z
    .object({
      finding: z.enum(FINDINGS),
      link: z.enum(LINK_KINDS),
      sentence: z.string(),
      /** Section of the Setup tab where it is mended; null where somebody has to go there. */
      section: z.string().nullable(),
      /** The very control there; null where it is the section as a whole. */
      control: z.string().nullable(),
    })
    .nullable(),
  /** The newest of its active alerts; null without any. */
  alert: z.object({ id: alertIdValue, conditionText: z.string() }).nullable(),
  activeAlerts: z.number().int(),
  /** A power command of the last day of which nobody knows what became, in the words of the commands. */
  unknownCommand: z.object({ name: z.string(), args: z.record(z.string(), z.unknown()), at: momentValue }).nullable(),
  /** Who took one of its active alerts; empty while nobody did. */
  takenBy: z.string(),
  /** Of a device that is under maintenance: until when, and why. */
  maintenance: z.object({ until: momentValue, reason: z.string() }).nullable(),
})
export type WrongDevice = z.output<typeof wrongDevice>

export const MOST_WRONG_DEVICES = 50

export const wrongNow = z.object({
  /** Of each kind as many devices as the list of that filter has; a device may be of several. */
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
  /** Devices of which anything is wrong. */
  devices: z.number().int(),
  /** The worst of them, at most 50: by kind, then what puts most at stake, then the longest. */
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
  body: nothing,
  answer: wrongNow,
  errors: ['not_found'],
})
