import type { DeviceFields } from '#console/deviceParts/deviceFields.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { countDeviceList } from '#contract/http/devices/devices.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { writeVersionFilter } from '#domain/releases/versionFilter.ts'
import type { FixedView } from './ViewTabs.tsx'

/** The list and the map begin with these views, counted for the whole fleet that the user may see. */
export function useDeviceViews(filter: DeviceFields, onShow: (filter: DeviceFields) => void): readonly FixedView[] {
  const { data } = useCall(countDeviceList, {}, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const shown = JSON.stringify(filter)
  const view = (name: string, count: number | null | undefined, of: DeviceFields): FixedView => ({
    name,
    count,
    isShown: JSON.stringify(of) === shown,
    onOpen: () => onShow(of),
  })
  const { notUpdated } = data ?? {}
  return [
    view('All', data?.all, {}),
    view('Needs attention', data?.wrong, { filter: 'wrong' }),
    view('Maintenance', data?.maintenance, { statusId: DEVICE_STATUS.maintenance }),
    ...(notUpdated
      ? [
          view('Not updated', notUpdated.devices, {
            clientVersion: writeVersionFilter({ kind: 'olderThan', version: notUpdated.newest }),
          }),
        ]
      : []),
  ]
}
