import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { ALERT_FILTERS } from '#contract/call/listOptions.ts'
import {
  alertIdValue,
  customerFilterValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  fieldIdValue,
  incidentIdValue,
  instantValue,
  momentValue,
  namedValue,
  textValue,
  userIdValue,
} from '#contract/call/values.ts'
import { CONDITION_KINDS, type ConditionKind, SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import { WEEK_HOUR } from '#domain/alerts/weekHour.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

/** The incident that contains the alert since it was last raised, as far as its reader may see it. */
const incidentOfAlert = z.object({
  id: incidentIdValue,
  /** The count includes this alert. */
  alertCount: z.number().int(),
  /** True for the root cause; the other alerts are its consequences. */
  isCause: z.boolean(),
})

const raisedUnder = z.object({ reason: z.string(), from: momentValue, to: momentValue })

/** Says which devices its condition applies to at present; null when the condition was deleted. */
const conditionOrigin = z.object({
  of: z.enum(['device', 'model', 'customer', 'tag', 'all']),
  /** The name is empty unless the condition applies to a customer, or to a tag of a customer. */
  customerName: z.string(),
  tag: z.string(),
})

export const alert = z.object({
  id: alertIdValue,
  /** 1 Opened, 2 Closed. */
  statusId: z.number().int(),
  /** 1 Active, 2 Not Active. */
  conditionStateId: z.number().int(),
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  deviceModelId: deviceModelIdValue,
  deviceAddress: z.string(),
  /** Another customer owns the device now, so the alert shows its former name and place, and it cannot be opened. */
  deviceHasLeft: z.boolean(),
  conditionText: z.string(),
  /** What happened, with its value: "Display too hot: 48.5 °C, limit 40 °C" (rules/alerts 18). */
  title: z.string(),
  /** The device time of the reading that opened it. */
  created: momentValue,
  /** The server learned of it at this moment. */
  found: momentValue,
  /** Whole minutes from opening to closing, or until now. */
  openMinutes: z.number().int(),
  /** The condition was met this often while the alert was open. */
  activeCount: z.number().int(),
  /** The owner's name, empty while nobody owns it. */
  ownerName: z.string(),
  closed: momentValue.nullable(),
  /** The moment at which it was Active last; null while it is Active and not closed. */
  lastActive: momentValue.nullable(),
  /** The last change of its condition state, its owner or its status. */
  lastChanged: momentValue,
  fieldId: fieldIdValue,
  conditionOrigin: conditionOrigin.nullable(),
  /** 1 critical, 2 warning, 3 information; the severity stays what it was when the alert opened. */
  severityId: z.number().int(),
  /** The chart of the alert draws this; null when the field is no measurement. */
  eventTypeIdAnalytics: z.number().int().nullable(),
  measurementId: fieldIdValue.nullable(),
  measurementName: z.string().nullable(),
  /**
   * The maintenance window in which it was raised, by the clock of the device, so nobody is mailed before its end. Null
   * when it was raised in none.
   */
  maintenance: raisedUnder.nullable(),
  /** Null when it is not folded yet, or was raised before incidents were kept. */
  incident: incidentOfAlert.nullable(),
})
export type Alert = z.output<typeof alert>

export const alertListQuery = z.strictObject({
  deviceId: deviceIdValue.optional(),
  customerId: customerFilterValue.optional(),
  statusId: z.int32().optional(),
  conditionStateId: z.int32().optional(),
  id: alertIdValue.optional(),
  /** Matches text within the condition's text or the device's name, ignoring case. */
  alertText: textValue(200).optional(),
  /** Selects alerts that opened from here on, in device time, inclusive. */
  dateFrom: instantValue.optional(),
  dateTo: instantValue.optional(),
  filter: z.enum(ALERT_FILTERS).optional(),
  isInMaintenance: z.boolean().optional(),
  severityId: z.int32().min(1).max(SEVERITIES.length).optional(),
  /** Alerts that opened within the last year in this hour of the week; `1-09` is Monday from 9 to 10. */
  weekHour: textValue(4).regex(WEEK_HOUR).optional(),
  /** The IANA zone of `weekHour`; UTC when it is left out. */
  timeZone: textValue(64).refine(isTimeZone, 'must be an IANA time zone').optional(),
  rowNum: z.int32().min(1).optional(),
  pageSize: z.int32().min(1).max(500).optional(),
  limit: z.int32().min(1).max(500).optional(),
  next: textValue(200).optional(),
})

export const alertPage = z.object({
  rows: z.array(alert),
  /** The total is exact up to 10,000, and null beyond. */
  total: z.number().int().nullable(),
  /** The number of devices in the rows of this filter, for the header: exact up to 10,000 alerts, null beyond. */
  deviceCount: z.number().int().nullable(),
  next: z.string().nullable(),
})

export const listAlerts = call({
  method: 'GET',
  path: 'Alert/GetAlertList',
  summary: 'Alerts, newest first: at most 100 of them, or a page when rowNum, pageSize, limit or next is given.',
  permission: 'seeDevices',
  shows: ['Alert', 'Alert condition', 'Device', 'Customer', 'Maintenance window'],
  query: alertListQuery,
  answer: z.union([z.array(alert), alertPage]),
  errors: ['not_found', 'page_too_deep'],
})

/** An event in the life of an alert. Events of readings carry device time, those of people carry server time. */
export const alertHistoryEntry = z.object({
  id: z.number().int(),
  kind: z.enum(['opened', 'active', 'notActive', 'acknowledged', 'closed', 'moved', 'withdrawn']),
  at: momentValue,
  username: z.string(),
  text: z.string(),
})

/** The details of an alert (rules/alerts 15), and what the page beside it shows. */
export const alertDetails = z.object({
  id: alertIdValue,
  created: momentValue,
  status_name: z.string(),
  alert_open_minutes: z.number().int(),
  device_name: z.string(),
  et_field_group_name: z.string(),
  action_type_name: z.string(),
  condition_state_name: z.string(),
  et_field_name: z.string(),
  metric_value_dec: z.number().nullable(),
  metric_value_text: z.string().nullable(),
  /** The threshold of the condition. */
  value_dec: z.number().nullable(),
  value_text: z.string().nullable(),
  condition_text: z.string(),
  /** What happened, with its value (rules/alerts 18). */
  title: z.string(),
  close_resolution_name: z.string().nullable(),
  close_comment: z.string(),
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceModelId: deviceModelIdValue,
  deviceHasLeft: z.boolean(),
  statusId: z.number().int(),
  conditionStateId: z.number().int(),
  found: momentValue,
  closed: momentValue.nullable(),
  closedBy: z.string().nullable(),
  activeCount: z.number().int(),
  field_id: fieldIdValue,
  operatorCode: z.string(),
  measurementId: fieldIdValue.nullable(),
  acknowledged: z
    .object({
      at: momentValue,
      username: z.string(),
      /** Null when the owner is outside the caller's scope. */
      ownerId: userIdValue.nullable(),
      ownerName: z.string(),
      note: z.string(),
    })
    .nullable(),
  /** The newest entries, oldest first. */
  history: z.array(alertHistoryEntry),
  /** The key with which `Alert/GetAlertHistory` reads earlier entries; null when there are none. */
  olderHistory: z.string().nullable(),
  customerName: z.string(),
  /** The address of the device when the alert opened. */
  deviceAddress: z.string(),
  kind: z.enum(CONDITION_KINDS.map(({ kind }) => kind) as [ConditionKind, ...ConditionKind[]]),
  conditionOrigin: conditionOrigin.nullable(),
  /** 1 critical, 2 warning, 3 information; the severity stays what it was when the alert opened. */
  severityId: z.number().int(),
  lastChanged: momentValue,
  /** Other alerts of the same device within an hour around its opening, at most 20. */
  neighbours: z.array(
    z.object({
      id: alertIdValue,
      created: momentValue,
      conditionText: z.string(),
      title: z.string(),
      statusId: z.number().int(),
    }),
  ),
  maintenanceIds: z.array(z.number().int()),
  /** The maintenance window in which it was raised, by the clock of the device; null when it was raised in none. */
  maintenance: raisedUnder.nullable(),
  /** Null when it is not folded yet, or was raised before incidents were kept. */
  incident: incidentOfAlert.nullable(),
})
export type AlertDetails = z.output<typeof alertDetails>

export const getAlertDetails = call({
  method: 'GET',
  path: 'Alert/GetAlertDetails',
  summary: 'One alert with its history.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Alert', 'Alert condition', 'Device', 'Customer', 'Maintenance', 'Maintenance window'],
  query: z.strictObject({ id: alertIdValue }),
  answer: alertDetails,
  errors: ['not_found'],
})

export const getAlertHistory = call({
  method: 'GET',
  path: 'Alert/GetAlertHistory',
  summary: 'What happened to an alert, newest first, page by page.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Alert'],
  query: z.strictObject({
    id: alertIdValue,
    pageSize: z.int32().min(1).max(500).optional(),
    next: textValue(200).optional(),
  }),
  answer: z.object({ rows: z.array(alertHistoryEntry), next: z.string().nullable() }),
  errors: ['not_found'],
})

export const listAlertResolutions = call({
  method: 'GET',
  path: 'Alert/GetAlertCloseResolutionList',
  summary: 'How an alert can be closed by a person.',
  permission: 'signedIn',
  shows: [],
  answer: z.array(namedValue),
})

export const MOST_CLOSED_AT_ONCE = 10_000

export const closeAlerts = call({
  method: 'POST',
  path: 'Alert/CloseAlerts',
  summary: 'Close alerts, all or none of them. Those that somebody closed meanwhile are named as a refusal.',
  permission: 'deviceManager',
  body: z.strictObject({
    idList: z.array(alertIdValue).min(1).max(MOST_CLOSED_AT_ONCE),
    resolutionId: z.int32(),
    comment: textValue(4000).optional(),
  }),
  answer: z.object({ closedCount: z.number().int() }),
  errors: ['not_found', 'alert_already_closed'],
  changes: { action: 'Update', entity: 'Alert' },
  largestBodyBytes: 192 * 1024,
})

export const acknowledgeAlert = call({
  method: 'POST',
  path: 'Alert/AcknowledgeAlert',
  summary: 'Say who looks after an open alert, and what is known; may be repeated.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: alertIdValue,
    /** The default is the caller. */
    ownerId: userIdValue.optional(),
    note: textValue(4000).default(''),
  }),
  answer: alertDetails,
  errors: ['not_found', 'alert_already_closed'],
  changes: { action: 'Update', entity: 'Alert' },
})

export const listAnalyticsAlerts = call({
  method: 'GET',
  path: 'Analytics/GetAnalyticsAlerts',
  summary: 'Alerts of one measurement of a device that opened within a period, as markers of a chart.',
  permission: 'analytics',
  shows: ['Alert', 'Alert condition'],
  query: z.strictObject({
    deviceId: deviceIdValue,
    measurementId: fieldIdValue,
    dateFrom: instantValue,
    dateTo: instantValue,
  }),
  answer: z.array(
    z.object({
      id: alertIdValue,
      conditionText: z.string(),
      title: z.string(),
      created: momentValue,
      deviceName: z.string(),
    }),
  ),
  errors: ['not_found'],
})

/** The live stream says that alerts of a watched device changed; a screen that shows alerts reads them again. */
export const alertsEvent = z.object({
  deviceId: deviceIdValue,
  /** The newest changed alerts, up to 20. */
  alerts: z.array(alert),
})
export type AlertsEvent = z.output<typeof alertsEvent>
