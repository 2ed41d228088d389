import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  instantValue,
  momentValue,
} from '#contract/call/values.ts'

/** A year and a day, so that a year fits wherever it begins. */
export const MOST_DARK_DAYS = 367
export const MOST_WORST_DEVICES = 100

/** Whole minutes; the six are exactly the time that was looked at (rules/states 11). */
const light = z.object({
  unplannedDarkMinutes: z.int(),
  unknownMinutes: z.int(),
  plannedDarkMinutes: z.int(),
  /** Lit though it was to be dark; null where it is not told apart from `litMinutes`, which then has it. */
  litInOffTimesMinutes: z.int().nullable(),
  /** Of windows of maintenance, which there are none of yet. */
  maintenanceMinutes: z.int(),
  /** Where light was owed. */
  litMinutes: z.int(),
  /** Lit, of the known minutes in which light was owed; null where nothing is known. */
  availabilityPercent: z.number().nullable(),
})
export type Light = z.output<typeof light>

/** Of days before this one light in off times may stand in `litMinutes`; null: of none. */
const lightOfPeriod = light.extend({ notToldApartBefore: z.iso.date().nullable() })
export type LightOfPeriod = z.output<typeof lightOfPeriod>

/** Local days of the device, both included. */
const localPeriod = { dateFrom: z.iso.date(), dateTo: z.iso.date() }

const darkDay = light.extend({
  /** On the wall beside the device. */
  date: z.iso.date(),
  /** 1440; on days on which the clocks change 1380, 1500 or the like; of today, what of it is over. */
  lengthMinutes: z.int(),
  /** Those whose light was measured at the panels; null: counted before there were such sensors. */
  measuredMinutes: z.int().nullable(),
})
export type DarkDay = z.output<typeof darkDay>

export const getDarkMinutes = call({
  method: 'GET',
  path: 'Device/GetDarkMinutes',
  summary:
    'How long a device was dark on each of its local days: lit, planned dark, unplanned dark, unknown, lit in off times.',
  permission: 'seeDevices',
  shows: ['Device', 'Holiday calendar', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue, ...localPeriod }),
  body: nothing,
  /** Days from the first one that the device was there, up to today; none of a device without displays. */
  answer: z.object({
    timeZone: z.string(),
    hasDisplay: z.boolean(),
    days: z.array(darkDay),
    total: lightOfPeriod.extend({ measuredMinutes: z.int() }),
  }),
  errors: ['not_found'],
})
export type DarkMinutes = z.output<typeof getDarkMinutes.answer>

const fleetLight = lightOfPeriod.extend({ devices: z.int() })
const deviceLight = lightOfPeriod.extend({
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  /** Another customer has it now: it cannot be opened. */
  deviceHasLeft: z.boolean(),
  customerName: z.string(),
})
export type DeviceLight = z.output<typeof deviceLight>

export const getAvailability = call({
  method: 'GET',
  path: 'Dashboard/GetAvailability',
  summary:
    'Light of all Paired devices with displays over a period, of each customer, and the devices that lacked most.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Holiday calendar', 'Maintenance'],
  query: z.strictObject({
    customerId: customerFilterValue.optional(),
    ...localPeriod,
    /** How many of the worst devices; ten where it is left out. */
    limit: z.int32().min(1).max(MOST_WORST_DEVICES).optional(),
  }),
  body: nothing,
  answer: z.object({
    total: fleetLight,
    /** By name. */
    customers: z.array(fleetLight.extend({ customerId: customerIdValue, customerName: z.string() })),
    /** Most unplanned minutes first, then most unknown ones; those that were lit throughout are not among them. */
    worst: z.array(deviceLight),
  }),
  errors: ['not_found'],
})
export type Availability = z.output<typeof getAvailability.answer>

export const getPlannedDarkness = call({
  method: 'GET',
  path: 'Device/GetPlannedDarkness',
  summary: 'When the off times that a device has confirmed keep it dark; ahead of now as they are now.',
  permission: 'seeDevicesOrAnalytics',
  shows: ['Device', 'Holiday calendar'],
  query: z.strictObject({ deviceId: deviceIdValue, dateFrom: instantValue, dateTo: instantValue }),
  body: nothing,
  /** Oldest first, cut at both ends of the period; they do not overlap. */
  answer: z.array(z.object({ from: momentValue, to: momentValue })),
  errors: ['not_found'],
})
export type PlannedDarkness = z.output<typeof getPlannedDarkness.answer>
