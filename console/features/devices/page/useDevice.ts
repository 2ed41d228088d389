import { withDeviceEvent } from '#console/deviceParts/deviceEvents.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, callKey, queryClient, useCall } from '#console/lib/call/useCall.ts'
import { useLiveDevices, useOnLiveAgain } from '#console/lib/live/live.ts'
import { type Device, getDevice } from '#contract/http/devices/devices.ts'
import type { DeviceGuid } from '#domain/ids.ts'

/** The start of the console may have asked for the device just before its page is drawn. */
const BEGUN_BEFORE_MS = 2_000

export function useDevice(guid: DeviceGuid): CallResult<typeof getDevice> {
  const result = useCall(getDevice, { guid }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive, freshMs: BEGUN_BEFORE_MS })
  useLiveDevices(result.data ? [result.data.id] : [], (event) =>
    queryClient.setQueryData<Device>(
      callKey(getDevice, { guid }),
      (device) => device && withDeviceEvent(device, event),
    ),
  )
  useOnLiveAgain(() => void result.refetch())
  return result
}
