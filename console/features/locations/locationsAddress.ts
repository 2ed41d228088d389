import { type DeviceFields, readDeviceFields } from '#console/device/deviceFields.ts'
import type { Given } from '#console/router/addressText.ts'

/**
 * The parameter `filter` of `/locations`: what narrows the list of devices, as JSON (decisions:
 * Addresses). The router has parsed it already where it was JSON; anybody may have written it.
 */
export function readLocationsFilter({ filter }: Given): DeviceFields {
  return isRecord(filter) ? readDeviceFields(filter) : {}
}

/** Absent when nothing is filtered, so that the address stays short. */
export function filterParameter(filter: DeviceFields): DeviceFields | undefined {
  return isFiltered(filter) ? filter : undefined
}

export function isFiltered(filter: DeviceFields): boolean {
  return Object.keys(filter).length > 0
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
