import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
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

/** What of an incident its reader may see: of one that reaches beyond their customer, their part. */
export const incident = z.object({
  id: incidentIdValue,
  /** What happened where, in words: `Am Ring 12: Router off`. */
  title: z.string(),
  /** False: it reaches beyond the reader's customer; what is counted is their part, and only staff can change it. */
  isWhole: z.boolean(),
  state: z.enum(INCIDENT_STATES),
  /** The worst of its alerts: 1 critical, 2 warning, 3 information. */
  severityId: z.number().int(),
  /** When its first cause began, in device time: before its alert by as long as the condition waits. */
  began: momentValue,
  /** When the last of its alerts was over; null while one is active. */
  over: momentValue.nullable(),
  /** The alert that explains the others; of several the one nearest to the mains, then the first. */
  cause: z.object({
    alertId: alertIdValue,
    text: z.string(),
    fieldId: fieldIdValue,
    deviceId: deviceIdValue,
    deviceGuid: deviceGuidValue,
    deviceName: z.string(),
    deviceAddress: z.string(),
    /** Another customer has it now: it is named and placed as it was, and cannot be opened. */
    deviceHasLeft: z.boolean(),
  }),
  /** All of its alerts; one is shown, the others are folded into it. */
  alertCount: z.number().int(),
  /** Those of them that are active now. */
  activeCount: z.number().int(),
  /** Those of them that nobody closed and that were not raised again in a later incident. */
  openCount: z.number().int(),
  deviceCount: z.number().int(),
  /** Addresses of its devices. */
  placeCount: z.number().int(),
  /** Null: of devices of several customers. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  /** Who has it; empty while nobody does, or somebody outside the reader's customer. */
  ownerName: z.string(),
  ownerId: userIdValue.nullable(),
  acknowledged: momentValue.nullable(),
  /** Nobody is mailed of it before. Null: it is not snoozed. */
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
    /** Absent: active and over, not closed. */
    state: z.enum(INCIDENT_STATES).optional(),
    customerId: customerFilterValue.optional(),
    /** Those with an alert of this device. */
    deviceId: deviceIdValue.optional(),
    severityId: z.int32().min(1).max(SEVERITIES.length).optional(),
    /** Contained in the condition's text, the name or the address of the device of its first cause, whatever the case. */
    text: textValue(200).optional(),
    /** Whether somebody has it. */
    isTaken: z.boolean().optional(),
    /** Whether it is snoozed now. */
    isSnoozed: z.boolean().optional(),
    /** Began from here, inclusive. */
    dateFrom: instantValue.optional(),
    dateTo: instantValue.optional(),
    /** 1-based first row. */
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
  }),
  body: nothing,
  answer: z.object({
    rows: z.array(incident),
    /** Exact up to 10,000, null beyond. */
    total: z.number().int().nullable(),
    /** Alerts of all rows of this filter: those that are shown and those that are folded. */
    alertCount: z.number().int(),
  }),
  errors: ['not_found', 'page_too_deep'],
})

export const INCIDENT_DEEDS = ['acknowledged', 'noted', 'snoozed', 'woken', 'merged', 'split'] as const

/** What happened, oldest first: alerts in device time, deeds of people in the server's. */
const incidentEntry = z.object({
  at: momentValue,
  kind: z.enum(['raised', 'over', 'closed', ...INCIDENT_DEEDS]),
  /** What an alert says, or what a person wrote. */
  text: z.string(),
  /** So many alerts said the same within the minute. */
  count: z.number().int(),
  /** The first of them; null for deeds. */
  alertId: alertIdValue.nullable(),
  deviceName: z.string(),
  /** Who did it; empty for alerts, and for somebody outside the reader's customer. */
  username: z.string(),
  isCause: z.boolean(),
})
export type IncidentEntry = z.output<typeof incidentEntry>

export const MOST_INCIDENT_ENTRIES = 500

export const incidentDetails = incident.extend({
  /** The newest so many, oldest first. */
  entries: z.array(incidentEntry),
  /** How many older ones there are. */
  olderEntries: z.number().int(),
  /** The incident that was asked for was folded into this one. */
  wasJoined: z.boolean(),
  /** Whether the caller may change it. */
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
  body: nothing,
  answer: incidentDetails,
  errors: ['not_found'],
})

/** One alert as a part of an incident. */
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
  /** When it was raised first within this incident, in device time. */
  began: momentValue,
  /** Null while it is active. */
  over: momentValue.nullable(),
  /** How often it was raised within this incident. */
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
    /** 1-based first row. */
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
  }),
  body: nothing,
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
  query: nothing,
  body: z.strictObject({
    id: incidentIdValue,
    /** Absent: oneself. */
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
  query: nothing,
  body: z.strictObject({ id: incidentIdValue, note: trimmedValue(LONGEST_NOTE).min(1) }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

/** The longest that an incident may be snoozed, in days. */
export const MOST_SNOOZE_DAYS = 30

export const snoozeIncident = call({
  method: 'POST',
  path: 'Incident/SnoozeIncident',
  summary: 'Mail nobody of an incident before a moment, or from now on again. What is active then is told.',
  permission: 'deviceManager',
  query: nothing,
  body: z.strictObject({
    id: incidentIdValue,
    /** At most 30 days ahead; null: not any more. */
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
  query: nothing,
  body: z.strictObject({
    /** Of all of them the oldest number stays. */
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
  query: nothing,
  body: z.strictObject({
    id: incidentIdValue,
    /** Some of its alerts, not all of them. */
    alertIds: z.array(alertIdValue).min(1).max(MOST_SPLIT_AT_ONCE),
  }),
  answer: incidentDetails,
  errors: ['not_found', 'incident_not_whole'],
  changes,
})

export const INCIDENT_CALLS = [
  listIncidents,
  getIncident,
  listIncidentAlerts,
  acknowledgeIncident,
  noteIncident,
  snoozeIncident,
  mergeIncidents,
  splitIncident,
] as const
