import { z } from 'zod'
import { call } from '#contract/call/call.ts'
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

/** Whole minutes; the six add up to exactly the observed time (rules/states 11). */
const light = z.object({
  unplannedDarkMinutes: z.int(),
  unknownMinutes: z.int(),
  plannedDarkMinutes: z.int(),
  /** Lit during off times; null when it is not separated from `litMinutes`, which then includes it. */
  litInOffTimesMinutes: z.int().nullable(),
  maintenanceMinutes: z.int(),
  /** Lit while the display had to be lit. */
  litMinutes: z.int(),
  /** The lit share of the known minutes in which the display had to be lit; null when nothing is known. */
  availabilityPercent: z.number().nullable(),
})
export type Light = z.output<typeof light>

/** Light during off times may be part of `litMinutes` on days before this one; null when there are none. */
const lightOfPeriod = light.extend({ notToldApartBefore: z.iso.date().nullable() })
export type LightOfPeriod = z.output<typeof lightOfPeriod>

/** Local days of the device, both included. */
const localPeriod = { dateFrom: z.iso.date(), dateTo: z.iso.date() }

const darkDay = light.extend({
  date: z.iso.date(),
  /** 1440, or 1380, 1500 and the like when the clocks change; today, only the part that has passed. */
  lengthMinutes: z.int(),
  /** The minutes in which the light was measured at the panels; null before there were such sensors. */
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
  /** The days from the first one of the device up to today; none for a device without displays. */
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
  /** Another customer owns the device now, so it cannot be opened. */
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
    /** The number of the worst devices; ten when it is left out. */
    limit: z.int32().min(1).max(MOST_WORST_DEVICES).optional(),
  }),
  answer: z.object({
    total: fleetLight,
    /** Sorted by name. */
    customers: z.array(fleetLight.extend({ customerId: customerIdValue, customerName: z.string() })),
    /** Sorted by unplanned minutes, then by unknown ones; devices that were lit throughout are left out. */
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
  /** Oldest first, cut at both ends of the period; they do not overlap. */
  answer: z.array(z.object({ from: momentValue, to: momentValue })),
  errors: ['not_found'],
})
export type PlannedDarkness = z.output<typeof getPlannedDarkness.answer>
