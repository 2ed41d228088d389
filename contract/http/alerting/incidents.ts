import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { INCIDENT_STATES } from '#contract/call/listOptions.ts'
import {
  alertIdValue,
  customerFilterValue,
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  fieldIdValue,
  incidentIdValue,
  instantValue,
  momentValue,
  textValue,
  trimmedValue,
  userIdValue,
} from '#contract/call/values.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'

/** An incident as its reader may see it: if it reaches beyond their customer, only their part. */
export const incident = z.object({
  id: incidentIdValue,
  /** The title says in words what happened where: `Am Ring 12: Router off`. */
  title: z.string(),
  /** False when it reaches beyond the reader's customer: counts cover their part, and only staff can change it. */
  isWhole: z.boolean(),
  state: z.enum(INCIDENT_STATES),
  /** The worst severity of its alerts: 1 critical, 2 warning, 3 information. */
  severityId: z.number().int(),
  /** The device time at which its root cause began: before the alert by the time that the condition waits. */
  began: momentValue,
  /** The moment at which its last alert was resolved; null while one is active. */
  over: momentValue.nullable(),
  /** The root cause: of several alerts the one nearest to the mains, then the earliest. */
  cause: z.object({
    alertId: alertIdValue,
    text: z.string(),
    fieldId: fieldIdValue,
    deviceId: deviceIdValue,
    deviceGuid: deviceGuidValue,
    deviceName: z.string(),
    deviceAddress: z.string(),
    /** Another customer owns the device now, so it shows its former name and place, and it cannot be opened. */
    deviceHasLeft: z.boolean(),
  }),
  /** All of its alerts; one is shown, and the others are folded into it. */
  alertCount: z.number().int(),
  activeCount: z.number().int(),
  /** Alerts that nobody closed and that were not raised again in a later incident. */
  openCount: z.number().int(),
  deviceCount: z.number().int(),
  /** The number of addresses at which its devices stand. */
  placeCount: z.number().int(),
  /** Null when devices of several customers are affected. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  /** Empty while nobody owns it, or the owner is outside the reader's customer. */
  ownerName: z.string(),
  ownerId: userIdValue.nullable(),
  acknowledged: momentValue.nullable(),
  /** Nobody is mailed about it before this moment. Null when it is not snoozed. */
  snoozedUntil: momentValue.nullable(),
})
export type Incident = z.output<typeof incident>

export const listIncidents = call({
  method: 'GET',
  path: 'Incident/GetIncidentList',
  summary: 'Incidents: what alerts have in common. The worst of those that are active first, then the newest.',
  permission: 'seeDevices',
  shows: ['Incident', 'Alert', 'Device', 'Customer'],
  query: z.strictObject({
    /** The default selects active and resolved incidents that are not closed. */
    state: z.enum(INCIDENT_STATES).optional(),
    customerId: customerFilterValue.optional(),
    deviceId: deviceIdValue.optional(),
    severityId: z.int32().min(1).max(SEVERITIES.length).optional(),
    /** Matches text within the condition, the name or the address of the device of its root cause, ignoring case. */
    text: textValue(200).optional(),
    isTaken: z.boolean().optional(),
    isSnoozed: z.boolean().optional(),
    dateFrom: instantValue.optional(),
    dateTo: instantValue.optional(),
    /** Those that became known from this moment on, by the server's clock; they may have begun earlier. */
    newFrom: instantValue.optional(),
    /** Those whose last alert was resolved from this moment on. */
    overFrom: instantValue.optional(),
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
  }),
  answer: z.object({
    rows: z.array(incident),
    /** The total is exact up to 10,000, and null beyond. */
    total: z.number().int().nullable(),
    /** The number of alerts in all rows of this filter, shown and folded. */
    alertCount: z.number().int(),
  }),
  errors: ['not_found', 'page_too_deep'],
})

export const INCIDENT_ACTIONS = ['acknowledged', 'noted', 'snoozed', 'woken', 'merged', 'split'] as const

/** An event of the incident, oldest first: alerts in device time, actions of people in server time. */
const incidentEntry = z.object({
  at: momentValue,
  kind: z.enum(['raised', 'over', 'closed', ...INCIDENT_ACTIONS]),
  text: z.string(),
  /** This many alerts said the same within the minute. */
  count: z.number().int(),
  /** The first of these alerts; null for actions of people. */
  alertId: alertIdValue.nullable(),
  deviceName: z.string(),
  /** Empty for alerts, and for people outside the reader's customer. */
  username: z.string(),
  isCause: z.boolean(),
})
export type IncidentEntry = z.output<typeof incidentEntry>

export const MOST_INCIDENT_ENTRIES = 500

export const incidentDetails = incident.extend({
  /** The newest entries, oldest first. */
  entries: z.array(incidentEntry),
  olderEntries: z.number().int(),
  /** True when the requested incident was merged into this one. */
  wasJoined: z.boolean(),
  mayChange: z.boolean(),
})
export type IncidentDetails = z.output<typeof incidentDetails>

export const getIncident = call({
  method: 'GET',
  path: 'Incident/GetIncident',
  summary: 'One incident with what happened and what was done. Of one that was folded into another, that one.',
  permission: 'seeDevices',
  shows: ['Incident', 'Alert', 'Device', 'Customer'],
  query: z.strictObject({ id: incidentIdValue }),
  answer: incidentDetails,
  errors: ['not_found'],
})

const incidentAlert = z.object({
  alertId: alertIdValue,
  text: z.string(),
  severityId: z.number().int(),
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  deviceAddress: z.string(),
  deviceHasLeft: z.boolean(),
  customerName: z.string(),
  /** The device time at which it first began within this incident: before the alert by the time that the condition waits. */
  began: momentValue,
  over: momentValue.nullable(),
  times: z.number().int(),
  isOpen: z.boolean(),
  isCause: z.boolean(),
})
export type IncidentAlert = z.output<typeof incidentAlert>

export const listIncidentAlerts = call({
  method: 'GET',
  path: 'Incident/GetIncidentAlerts',
  summary: 'The alerts of an incident: its root cause, then as they were raised.',
  permission: 'seeDevices',
  shows: ['Incident', 'Alert', 'Device', 'Customer'],
  query: z.strictObject({
    id: incidentIdValue,
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
  }),
  answer: z.object({ rows: z.array(incidentAlert), total: z.number().int() }),
  errors: ['not_found', 'page_too_deep'],
})

const changes = { action: 'Update', entity: 'Incident' } as const
const LONGEST_NOTE = 4000

export const acknowledgeIncident = call({
  method: 'POST',
  path: 'Incident/AcknowledgeIncident',
  summary: 'Say who has an incident, and what is known; may be repeated. Its open alerts are acknowledged with it.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: incidentIdValue,
    /** The default is the caller. */
    ownerId: userIdValue.optional(),
    note: textValue(LONGEST_NOTE).default(''),
  }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

export const noteIncident = call({
  method: 'POST',
  path: 'Incident/NoteIncident',
  summary: 'Write down what was seen or done.',
  permission: 'deviceManager',
  body: z.strictObject({ id: incidentIdValue, note: trimmedValue(LONGEST_NOTE).min(1) }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

export const MOST_SNOOZE_DAYS = 30

export const snoozeIncident = call({
  method: 'POST',
  path: 'Incident/SnoozeIncident',
  summary: 'Mail nobody of an incident before a moment, or from now on again. What is active then is told.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: incidentIdValue,
    /** The end is at most 30 days ahead; null ends the snooze. */
    until: momentValue.nullable(),
  }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

export const MOST_MERGED_AT_ONCE = 50

export const mergeIncidents = call({
  method: 'POST',
  path: 'Incident/MergeIncidents',
  summary: 'Make several incidents one; what belongs to any of them later joins it.',
  permission: 'deviceManager',
  body: z.strictObject({
    /** The oldest of all these incidents keeps its number. */
    id: incidentIdValue,
    otherIds: z.array(incidentIdValue).min(1).max(MOST_MERGED_AT_ONCE),
  }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

export const MOST_SPLIT_AT_ONCE = 1000

export const splitIncident = call({
  method: 'POST',
  path: 'Incident/SplitIncident',
  summary: 'Take alerts out of an incident, into one of their own. Answers that new one.',
  permission: 'deviceManager',
  body: z.strictObject({
    id: incidentIdValue,
    /** Some of its alerts, but not all of them. */
    alertIds: z.array(alertIdValue).min(1).max(MOST_SPLIT_AT_ONCE),
  }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})
