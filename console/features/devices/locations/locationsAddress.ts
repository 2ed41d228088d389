import { type DeviceFields, readDeviceFields } from '#console/deviceParts/deviceFields.ts'
import { DEVICE_FIELDS } from '#console/router/addresses.ts'
import type { Given } from '#console/router/addressText.ts'
import { unreadParameters } from '#console/router/unread.ts'

/**
 * The parameter `filter` of `/locations` holds the filter of the devices list as JSON (rules/addresses 6). The router
 * has parsed it already if it was valid JSON; anybody may have written it.
 */
export function readLocationsFilter({ filter }: Given): DeviceFields {
  return isRecord(filter) ? readDeviceFields(filter) : {}
}

/** It returns a parameter that cannot be read, so that the page says so instead of showing everything. */
export function unreadFilter(given: Given): readonly string[] {
  const { filter } = given
  if (!isRecord(filter)) return unreadParameters(given, ['filter'], {})
  return unreadParameters(filter, Object.keys(DEVICE_FIELDS), readDeviceFields(filter))
}

/** It is absent when nothing is filtered, so that the address stays short. */
export function filterParameter(filter: DeviceFields): DeviceFields | undefined {
  return isFiltered(filter) ? filter : undefined
}

export function isFiltered(filter: DeviceFields): boolean {
  return Object.keys(filter).length > 0
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
