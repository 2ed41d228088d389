import { queryClient } from '#console/lib/call/useCall.ts'
import { type Device, listDevices } from '#contract/http/devices/devices.ts'
import type { DeviceGuid } from '#domain/ids.ts'

/** It returns the device as a list has shown it last, so that its page has a title before the first answer. */
export function knownDevice(guid: DeviceGuid): Device | undefined {
  const answers = queryClient.getQueriesData<{ readonly rows: readonly Device[] } | readonly Device[]>({
    queryKey: [listDevices.path],
  })
  for (const [, answer] of answers) {
    const rows = answer === undefined ? [] : 'rows' in answer ? answer.rows : answer
    const found = rows.find((device) => device.guid === guid)
    if (found) return found
  }
  return undefined
}
