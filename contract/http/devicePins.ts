import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceGuidValue, deviceIdValue } from '#contract/call/values.ts'
import { deviceListQuery } from './device.ts'

/**
 * All devices of a map in columns, because a fleet of rows would be ten times the work for both sides: what stands at
 * one index belongs to one device. Without order.
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
  /** Alerts that are Opened and Active: the badge of a pin (decisions: Words and ids). */
  activeAlerts: z.array(z.number().int()),
  /** Devices that match but nobody knows where they are. */
  withoutPosition: z.number().int(),
})
export type DevicePins = z.output<typeof devicePins>

export const devicePinsQuery = deviceListQuery.pick({
  customerId: true,
  deviceName: true,
  modelId: true,
  attrSerial: true,
  statusId: true,
})

export const listDevicePins = call({
  method: 'GET',
  path: 'Device/GetDevicePins',
  summary: 'Where devices are and how they are, of every one that matches: the pins of the map of locations.',
  permission: 'deviceManager',
  shows: ['Device', 'Customer', 'Alert', 'Client update'],
  query: devicePinsQuery,
  body: nothing,
  answer: devicePins,
  errors: ['not_found'],
})
