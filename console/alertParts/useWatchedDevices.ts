import { useCall } from '#console/lib/call/useCall.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { MOST_WATCHED_DEVICES } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'

const WATCH_LIST_FRESH_MS = 10 * 60_000

/**
 * New alerts come from devices that have no row yet, so it watches as many devices as it may, those with rows first. In
 * a larger fleet the regular refresh finds the others.
 *
 * @param only the one device that counts; any device if undefined
 */
export function useWatchedDevices(
  only: DeviceId | undefined,
  rows: readonly { readonly deviceId: DeviceId }[],
): readonly DeviceId[] {
  const devices = useCall(
    listDevices,
    { pageSize: MOST_WATCHED_DEVICES, sort: 'alerts', descending: true },
    { enabled: only === undefined, freshMs: WATCH_LIST_FRESH_MS },
  )
  if (only !== undefined) return [only]
  const others = devices.data === undefined ? [] : Array.isArray(devices.data) ? devices.data : devices.data.rows
  const ids = new Set([...rows.map((row) => row.deviceId), ...others.map(({ id }) => id)])
  return [...ids].slice(0, MOST_WATCHED_DEVICES).sort((one, other) => one - other)
}
