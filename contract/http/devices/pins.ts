import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceGuidValue, deviceIdValue, momentValue } from '#contract/call/values.ts'
import { LIGHT_KINDS } from '#domain/darkness/minutes/darkMinutes.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import { deviceFilter } from './devices.ts'

const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)

/** Degrees; west is smaller than east. */
const area = z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() })

/**
 * What a view shows. All devices of the filter are pins where they are few; else those of the view and a little around it;
 * and where these are many too, they are counted together, and pins are the first of the view itself by name.
 */
const pinsView = z.object({
  /** Devices of the filter that have a position. */
  total: z.number().int(),
  /** The smallest area with all of them; null for none. */
  area: area.nullable(),
  /** How many of them stand within the view. */
  inView: z.number().int(),
  /** What pins, or cells, are all of: this area, or the whole filter where it is null. */
  covers: area.nullable(),
  /** Devices counted together, in columns; empty where pins are all. */
  cells: z.object({
    /** WGS 84 degrees: amid their devices. */
    latitudes: z.array(z.number()),
    longitudes: z.array(z.number()),
    counts: z.array(z.number().int()),
    activeAlerts: z.array(z.number().int()),
    /** How many of them are in each state but fine (`domain/darkness/health.ts`); each device is in one. */
    dark: z.array(z.number().int()),
    silent: z.array(z.number().int()),
    warned: z.array(z.number().int()),
    unknown: z.array(z.number().int()),
    maintained: z.array(z.number().int()),
  }),
})
export type PinsView = z.output<typeof pinsView>

/**
 * Devices of a map in columns, because a fleet of rows would be ten times the work for both sides: what stands at one index
 * belongs to one device. Without order. All that match, or what a view needs.
 */
export const devicePins = z.object({
  ids: z.array(deviceIdValue),
  guids: z.array(deviceGuidValue),
  names: z.array(z.string()),
  /** WGS 84 degrees. */
  latitudes: z.array(z.number()),
  longitudes: z.array(z.number()),
  statusIds: z.array(z.number().int()),
  connStatusIds: z.array(z.number().int()),
  /** Alerts that are Opened and Active, which is the badge of a pin (rules/map 4). */
  activeAlerts: z.array(z.number().int()),
  /** The verdict of now, some seconds old at most; null where nobody judged, or nothing tells it. */
  lights: z.array(z.enum(LIGHT_KINDS).nullable()),
  lightSince: z.array(momentValue.nullable()),
  /** It may have been so before. */
  lightIsAtLeast: z.array(z.boolean()),
  onBattery: z.array(z.boolean().nullable()),
  /** The worst of what is wrong of each, as the Overview counts it; null where nothing is. */
  wrong: z.array(z.enum(WRONG_KINDS).nullable()),
  /** Null of one that is not silent. */
  silentSince: z.array(momentValue.nullable()),
  /** Why, in one sentence; null where there is nothing to say. */
  causes: z.array(z.string().nullable()),
  /** Devices that match but nobody knows where they are. */
  withoutPosition: z.number().int(),
  /** Where a view was asked for. */
  view: pinsView.optional(),
})
export type DevicePins = z.output<typeof devicePins>

export const devicePinsQuery = deviceFilter.extend({
  /** Of a map of tiles of 256 pixels. Given: what is needed to show the view, instead of every pin. */
  zoom: z.int32().min(0).max(24).optional(),
  /** Borders of the view; what is left out is the end of the world. */
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
  body: nothing,
  answer: devicePins,
  errors: ['not_found'],
})
