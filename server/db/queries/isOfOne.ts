import type { DeviceId } from '#domain/ids.ts'

/** SQL condition about rows. @param rows how the statement calls them */
export type OfRows = (rows: string) => string

/**
 * SQL condition for statements that already compare rows with a list of devices: it names the device when there is only
 * one, so that no worker is asked that has nothing of it, and might be away.
 */
export function isOfOne(deviceIds: readonly DeviceId[]): OfRows {
  const [only, ...others] = new Set(deviceIds)
  return (rows) => (only === undefined || others.length > 0 ? 'true' : `${rows}.device_id = ${Number(only)}`)
}

/**
 * SQL condition for statements whose first parameter is the list of devices: it names all of them, so that no worker is
 * asked that has nothing of any.
 */
export function isOfThese(deviceIds: readonly DeviceId[]): OfRows {
  const isSeveral = new Set(deviceIds).size > 1
  return isSeveral ? (rows) => `${rows}.device_id = any($1::integer[])` : isOfOne(deviceIds)
}
