import { useCall } from '#console/lib/call/useCall.ts'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'

/** It returns undefined for no device, and says only that it is one while its name is not known. */
export function useDeviceName(id: DeviceId | undefined): string | undefined {
  const { data } = useCall(getDeviceById, { id: id as DeviceId }, { enabled: id !== undefined, freshMs: 60_000 })
  return id === undefined ? undefined : (data?.name ?? 'One device')
}
