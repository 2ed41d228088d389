import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceGuidValue, deviceIdValue, momentValue } from '#contract/call/values.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import { deviceFilter } from './devices.ts'

const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)

/** Degrees; west must be smaller than east. */
const area = z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })

/**
 * What the map shows for a view. If the filter has few devices, all of them are pins; otherwise those of the view and
 * its surroundings. If these are too many as well, they are counted in cells, and the pins are the first devices of the
 * view by name.
 */
const pinsView = z.object({
  /** The number of devices of the filter that have a position. */
  total: z.number().int(),
  /** The smallest area that contains all of them; null when there are none. */
  area: area.nullable(),
  inView: z.number().int(),
  /** Pins, or cells, are complete for this area, or for the whole filter if it is null. */
  covers: area.nullable(),
  /** Devices counted together, in columns; empty when every device is a pin. */
  cells: z.object({
    /** WGS 84 degrees of the centre of their devices. */
    latitudes: z.array(z.number()),
    longitudes: z.array(z.number()),
    counts: z.array(z.number().int()),
    activeAlerts: z.array(z.number().int()),
    /** The number of them in each state other than fine (`domain/darkness/health.ts`); each device is in one. */
    dark: z.array(z.number().int()),
    silent: z.array(z.number().int()),
    warned: z.array(z.number().int()),
    unknown: z.array(z.number().int()),
    maintained: z.array(z.number().int()),
  }),
})
export type PinsView = z.output<typeof pinsView>

/**
 * The devices of a map in columns, because a row for each would be ten times the work for both sides: all values at one
 * index belong to one device. The order means nothing. It holds all matching devices, or those that a view needs.
 */
export const devicePins = z.object({
  ids: z.array(deviceIdValue),
  guids: z.array(deviceGuidValue),
  names: z.array(z.string()),
  latitudes: z.array(z.number()),
  longitudes: z.array(z.number()),
  statusIds: z.array(z.number().int()),
  connStatusIds: z.array(z.number().int()),
  /** The number of alerts that are Opened and Active, shown as the badge of a pin (rules/map 4). */
  activeAlerts: z.array(z.number().int()),
  /** The current verdict, some seconds old at most; null where the light was not evaluated, or nothing reports it. */
  lights: z.array(z.enum(LIGHT_KINDS).nullable()),
  lightSince: z.array(momentValue.nullable()),
  /** True when the state may have begun earlier. */
  lightIsAtLeast: z.array(z.boolean()),
  onBattery: z.array(z.boolean().nullable()),
  /** The worst present problem of each, as the Overview counts it; null when there is none. */
  wrong: z.array(z.enum(WRONG_KINDS).nullable()),
  /** Null for a device that is not silent. */
  silentSince: z.array(momentValue.nullable()),
  /** The reason in one sentence; null when there is nothing to say. */
  causes: z.array(z.string().nullable()),
  /** The number of matching devices without a known position. */
  withoutPosition: z.number().int(),
  /** Present when a view was requested. */
  view: pinsView.optional(),
})
export type DevicePins = z.output<typeof devicePins>

export const devicePinsQuery = deviceFilter.extend({
  /** The zoom level for tiles of 256 pixels. If given, only what the view needs is answered, instead of every pin. */
  zoom: z.int32().min(0).max(24).optional(),
  /** The borders of the view; a border that is left out is the end of the world. */
  west: longitude.optional(),
  south: latitude.optional(),
  east: longitude.optional(),
  north: latitude.optional(),
})

export const listDevicePins = call({
  method: 'GET',
  path: 'Device/GetDevicePins',
  summary:
    'Where devices are and how they are: of every one that matches, or of what a view of the map of locations shows.',
  permission: 'seeDevices',
  shows: ['Device', 'Customer', 'Alert', 'Client update'],
  query: devicePinsQuery,
  answer: devicePins,
  errors: ['not_found'],
})
