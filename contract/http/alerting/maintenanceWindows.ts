import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { WINDOW_STATES } from '#contract/call/listOptions.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  momentValue,
  tagValue,
  textValue,
  trimmedValue,
} from '#contract/call/values.ts'
import { LONGEST_REASON } from '#domain/maintenanceWindows/scheduleRules.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

const windowIdValue = z.int32().positive()
const MOST_CHOSEN_DEVICES = 500
const timeZoneValue = textValue(64).refine(isTimeZone, 'must be an IANA time zone')
/** `HH:mm` in local time of a zone. */
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** A target selects devices while the window lasts, so devices that join later are included. */
const windowTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('device'), deviceId: deviceIdValue }),
  /** Selected devices begin and end together; only staff may select devices of several customers. */
  z.strictObject({ kind: z.literal('devices'), deviceIds: z.array(deviceIdValue).min(1).max(MOST_CHOSEN_DEVICES) }),
  /** The tag of one customer; without a customer it means all customers, for staff alone. */
  z.strictObject({ kind: z.literal('tag'), tag: tagValue, customerId: customerIdValue.optional() }),
  z.strictObject({ kind: z.literal('customer'), customerId: customerIdValue }),
  /** All customers, for staff alone. */
  z.strictObject({ kind: z.literal('all') }),
])
export type WindowTarget = z.output<typeof windowTarget>

const weekly = z.strictObject({
  kind: z.literal('weekly'),
  /** The window begins on these weekdays; 0 is Monday. */
  weekdays: z.array(z.int32().min(0).max(6)).min(1).max(7),
  from: localTime,
  /** A time that is not later than `from` is on the next day. */
  to: localTime,
  timeZone: timeZoneValue,
  firstDay: z.iso.date(),
  /** The window does not begin after this day; null or absent means that it never ends. */
  lastDay: z.iso.date().nullable().optional(),
})

const windowSchedule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('once'),
    /** The default is now, by the clock of the server. */
    from: momentValue.optional(),
    to: momentValue.optional(),
    /** The length, instead of `to`. */
    minutes: z.int32().min(1).optional(),
    /** Texts show the times in this zone; without it, in the device's zone, else in UTC. */
    timeZone: timeZoneValue.optional(),
  }),
  weekly,
])
export type WindowSchedule = z.output<typeof windowSchedule>

const windowFields = {
  schedule: windowSchedule,
  reason: trimmedValue(LONGEST_REASON).min(1),
  /** Mails the customer's users who receive alert e-mails, at the start and at the end. */
  tellsCustomer: z.boolean().default(false),
}

const span = z.object({ from: momentValue, to: momentValue })

export const maintenanceWindow = z.object({
  id: windowIdValue,
  target: z.object({
    kind: z.enum(['device', 'devices', 'tag', 'customer', 'all']),
    /** Null when the window is about no single device, or the device no longer exists or is hidden from the caller. */
    deviceId: deviceIdValue.nullable(),
    deviceGuid: deviceGuidValue.nullable(),
    deviceName: z.string(),
    /** The selected devices that exist and that the caller may see, by id; else empty. */
    deviceIds: z.array(deviceIdValue),
    tag: z.string(),
    /** Null means all customers. */
    customerId: customerIdValue.nullable(),
    customerName: z.string(),
  }),
  reason: z.string(),
  schedule: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('once'), from: momentValue, to: momentValue, timeZone: z.string() }),
    z.object({
      kind: z.literal('weekly'),
      weekdays: z.array(z.number().int()),
      from: z.string(),
      to: z.string(),
      timeZone: z.string(),
      firstDay: z.string(),
      lastDay: z.string().nullable(),
    }),
  ]),
  tellsCustomer: z.boolean(),
  createdBy: z.string(),
  created: momentValue,
  ended: momentValue.nullable(),
  state: z.enum(WINDOW_STATES),
  current: span.nullable(),
  next: span.nullable(),
  /** The number of devices that it covers now and that the caller may see. */
  deviceCount: z.number().int(),
  /** A window that has begun cannot be deleted, because past minutes were judged by it. */
  hasBegun: z.boolean(),
  mayChange: z.boolean(),
})
export type MaintenanceWindow = z.output<typeof maintenanceWindow>

export const listMaintenanceWindows = call({
  method: 'GET',
  path: 'MaintenanceWindow/GetMaintenanceWindowList',
  summary: 'Maintenance windows: those that last now, those to come, or those that are over, newest first.',
  permission: 'seeDevices',
  shows: ['Maintenance window', 'Device', 'Customer'],
  query: z.strictObject({
    /** The default selects current and coming windows. */
    state: z.enum(WINDOW_STATES).optional(),
    customerId: customerFilterValue.optional(),
    /** Selects windows that cover this device, or did, or will. */
    deviceId: deviceIdValue.optional(),
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
    next: textValue(200).optional(),
  }),
  answer: z.object({ rows: z.array(maintenanceWindow), next: z.string().nullable() }),
  errors: ['not_found', 'page_too_deep'],
})

export const MOST_PREVIEWED = 20

export const previewMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/PreviewMaintenanceWindow',
  summary: 'Which devices a maintenance window would hold today, and its next times. Changes nothing.',
  permission: 'deviceManager',
  shows: ['Maintenance window', 'Device', 'Customer'],
  body: z.strictObject({ target: windowTarget, schedule: windowSchedule }),
  answer: z.object({
    deviceCount: z.number().int(),
    devices: z.array(z.object({ id: deviceIdValue, name: z.string() })),
    /** The next occurrences, beginning with the one that would start at once. */
    times: z.array(span),
    timeZone: z.string(),
    /** The number of people who would be notified, if the customer's people are. */
    toldPeople: z.number().int(),
  }),
  errors: ['not_found'],
})

export const createMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/CreateMaintenanceWindow',
  summary:
    'Plan maintenance, or begin it now: alerts of its devices are raised and not mailed, their minutes count neither way.',
  permission: 'deviceManager',
  body: z.strictObject({ target: windowTarget, ...windowFields }),
  answer: z.object({ id: windowIdValue, deviceCount: z.number().int() }),
  errors: ['not_found'],
  changes: { action: 'Create', entity: 'Maintenance window' },
})

export const changeMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/ChangeMaintenanceWindow',
  summary: 'Change when it is, why, and who is told. What has passed stays as it was.',
  permission: 'deviceManager',
  body: z.strictObject({ id: windowIdValue, ...windowFields }),
  answer: nothing,
  errors: ['not_found', 'maintenance_over'],
  changes: { action: 'Update', entity: 'Maintenance window' },
})

export const endMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/EndMaintenanceWindow',
  summary:
    'End maintenance that lasts now, for all its devices; of a weekly one this time alone, or all that follow too.',
  permission: 'deviceManager',
  body: z.strictObject({ id: windowIdValue, isForGood: z.boolean().default(false) }),
  answer: nothing,
  errors: ['not_found', 'maintenance_over', 'maintenance_not_begun'],
  changes: { action: 'Update', entity: 'Maintenance window' },
})

export const deleteMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/DelMaintenanceWindow',
  summary: 'Delete maintenance of which nothing has begun yet.',
  permission: 'deviceManager',
  body: z.strictObject({ id: windowIdValue }),
  answer: nothing,
  errors: ['not_found', 'maintenance_begun'],
  changes: { action: 'Delete', entity: 'Maintenance window' },
})
