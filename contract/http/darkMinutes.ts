import { z } from 'zod'
import { call, nothing } from './call.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  instantValue,
  momentValue,
} from './values.ts'

/** A year and a day, so that a year fits wherever it begins. */
export const MOST_DARK_DAYS = 367
export const MOST_WORST_DEVICES = 100

/** Whole minutes; the four are exactly the time that was looked at (issue: Darkness, 1). */
const light = z.object({
  unplannedDarkMinutes: z.int(),
  unknownMinutes: z.int(),
  plannedDarkMinutes: z.int(),
  litMinutes: z.int(),
  /** Lit, of the known minutes that were not planned to be dark; null where nothing is known. */
  availabilityPercent: z.number().nullable(),
})
export type Light = z.output<typeof light>

/** Local days of the device, both included. */
const localPeriod = { dateFrom: z.iso.date(), dateTo: z.iso.date() }

const darkDay = light.extend({
  /** On the wall beside the device. */
  date: z.iso.date(),
  /** 1440; on days on which the clocks change 1380, 1500 or the like; of today, what of it is over. */
  lengthMinutes: z.int(),
})
export type DarkDay = z.output<typeof darkDay>

export const getDarkMinutes = call({
  method: 'GET',
  path: 'Device/GetDarkMinutes',
  summary: 'How long a device was dark on each of its local days: planned, unplanned, unknown and lit minutes.',
  permission: 'deviceManager',
  query: z.strictObject({ deviceId: deviceIdValue, ...localPeriod }),
  body: nothing,
  /** Days from the first one that the device was there, up to today; none of a device without displays. */
  answer: z.object({ timeZone: z.string(), hasDisplay: z.boolean(), days: z.array(darkDay), total: light }),
  errors: ['not_found'],
})
export type DarkMinutes = z.output<typeof getDarkMinutes.answer>

const fleetLight = light.extend({ devices: z.int() })
const deviceLight = light.extend({
  deviceId: deviceIdValue,
  deviceGuid: deviceGuidValue,
  deviceName: z.string(),
  customerName: z.string(),
})
export type DeviceLight = z.output<typeof deviceLight>

export const getAvailability = call({
  method: 'GET',
  path: 'Dashboard/GetAvailability',
  summary:
    'Light of all Paired devices with displays over a period, of each customer, and the devices that lacked most.',
  permission: 'deviceManager',
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
  permission: 'deviceManagerOrAnalytics',
  query: z.strictObject({ deviceId: deviceIdValue, dateFrom: instantValue, dateTo: instantValue }),
  body: nothing,
  /** Oldest first, cut at both ends of the period; they do not overlap. */
  answer: z.array(z.object({ from: momentValue, to: momentValue })),
  errors: ['not_found'],
})
export type PlannedDarkness = z.output<typeof getPlannedDarkness.answer>
