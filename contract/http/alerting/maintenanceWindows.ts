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
/** As many as can be chosen at once in the console. */
const MOST_CHOSEN_DEVICES = 500
const timeZoneValue = textValue(64).refine(isTimeZone, 'must be an IANA time zone')
/** `HH:mm` on the wall of a zone. */
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** Which devices: those that are so while it lasts, whoever they are then. */
const windowTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('device'), deviceId: deviceIdValue }),
  /** Chosen ones, which begin and end together; of several customers: for staff. */
  z.strictObject({ kind: z.literal('devices'), deviceIds: z.array(deviceIdValue).min(1).max(MOST_CHOSEN_DEVICES) }),
  /** Of one customer; without one, of all: for staff. */
  z.strictObject({ kind: z.literal('tag'), tag: tagValue, customerId: customerIdValue.optional() }),
  z.strictObject({ kind: z.literal('customer'), customerId: customerIdValue }),
  /** Of all customers: for staff. */
  z.strictObject({ kind: z.literal('all') }),
])
export type WindowTarget = z.output<typeof windowTarget>

const weekly = z.strictObject({
  kind: z.literal('weekly'),
  /** On which it begins: 0 is Monday. */
  weekdays: z.array(z.int32().min(0).max(6)).min(1).max(7),
  /** On the wall of the zone. */
  from: localTime,
  /** Not later than `from`: on the next day. */
  to: localTime,
  timeZone: timeZoneValue,
  /** On which it begins at the earliest. */
  firstDay: z.iso.date(),
  /** On which it begins at the latest; null or absent: for ever. */
  lastDay: z.iso.date().nullable().optional(),
})

const windowSchedule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('once'),
    /** Absent: now, by the clock of the server. */
    from: momentValue.optional(),
    to: momentValue.optional(),
    /** Instead of `to`: so long. */
    minutes: z.int32().min(1).optional(),
    /** By which it is told; absent: of the device, else UTC. */
    timeZone: timeZoneValue.optional(),
  }),
  weekly,
])
export type WindowSchedule = z.output<typeof windowSchedule>

const windowFields = {
  schedule: windowSchedule,
  reason: trimmedValue(LONGEST_REASON).min(1),
  /** Mails it to those of the customer who get mails of alerts, at the start and at the end. */
  tellsCustomer: z.boolean().default(false),
}

const span = z.object({ from: momentValue, to: momentValue })

export const maintenanceWindow = z.object({
  id: windowIdValue,
  target: z.object({
    kind: z.enum(['device', 'devices', 'tag', 'customer', 'all']),
    /** Null where it is about no device, and of one that exists no more, or not for the caller. */
    deviceId: deviceIdValue.nullable(),
    deviceGuid: deviceGuidValue.nullable(),
    deviceName: z.string(),
    /** Of chosen devices those that exist and that the caller may see, by id; else none. */
    deviceIds: z.array(deviceIdValue),
    tag: z.string(),
    /** Null: of all customers. */
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
  /** When somebody ended it before its time. */
  ended: momentValue.nullable(),
  state: z.enum(WINDOW_STATES),
  /** The time that lasts now. */
  current: span.nullable(),
  /** The next time that begins. */
  next: span.nullable(),
  /** Devices that the caller may see and that are under maintenance by it now. */
  deviceCount: z.number().int(),
  /** Whether anything of it has begun yet: then it cannot be deleted. */
  hasBegun: z.boolean(),
  /** Whether the caller may change and end it. */
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
    /** Absent: now and coming. */
    state: z.enum(WINDOW_STATES).optional(),
    customerId: customerFilterValue.optional(),
    /** Those that this device is, was or will be in. */
    deviceId: deviceIdValue.optional(),
    /** 1-based first row. */
    rowNum: z.int32().min(1).optional(),
    pageSize: z.int32().min(1).max(500).optional(),
    next: textValue(200).optional(),
  }),
  body: nothing,
  answer: z.object({ rows: z.array(maintenanceWindow), next: z.string().nullable() }),
  errors: ['not_found', 'page_too_deep'],
})

/** So many of the devices are named. */
export const MOST_PREVIEWED = 20

export const previewMaintenanceWindow = call({
  method: 'POST',
  path: 'MaintenanceWindow/PreviewMaintenanceWindow',
  summary: 'Which devices a maintenance window would hold today, and its next times. Changes nothing.',
  permission: 'deviceManager',
  shows: ['Maintenance window', 'Device', 'Customer'],
  query: nothing,
  body: z.strictObject({ target: windowTarget, schedule: windowSchedule }),
  answer: z.object({
    deviceCount: z.number().int(),
    /** By name, the first of them. */
    devices: z.array(z.object({ id: deviceIdValue, name: z.string() })),
    /** The next times, the one that would last at once first. */
    times: z.array(span),
    timeZone: z.string(),
    /** How many people would be told, if the customer's people are. */
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
  query: nothing,
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
  query: nothing,
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
  query: nothing,
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
  query: nothing,
  body: z.strictObject({ id: windowIdValue }),
  answer: nothing,
  errors: ['not_found', 'maintenance_begun'],
  changes: { action: 'Delete', entity: 'Maintenance window' },
})
