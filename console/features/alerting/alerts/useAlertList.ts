import { useWatchedDevices } from '#console/alertParts/useWatchedDevices.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveAlerts } from '#console/lib/live/live.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { listAlerts } from '#contract/http/alerting/alerts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { alertFilterQuery } from './alertListAddress.ts'
import { belongsTo, mergedAlerts } from './liveAlerts.ts'

export function useAlertList(ofDevice?: DeviceId) {
  const list = useList(listAlerts, {
    at: ofDevice === undefined ? '/alerts' : '/devices/$guid/alerts',
    fixed: ofDevice === undefined ? undefined : { deviceId: ofDevice, customerId: undefined },
    asks: alertFilterQuery,
    isLive: true,
  })
  const { filter, result, page } = list
  const recount = useSoon(() => void result.refetch())

  useLiveAlerts(useWatchedDevices(filter.deviceId, list.rows), ({ alerts }) => {
    const now = new Date()
    list.changeRows((rows) =>
      mergedAlerts({
        rows,
        changed: alerts,
        belongs: (alert) => belongsTo(filter, alert, now),
        // Only the server knows which customer a device belongs to.
        takesNew: page === 1 && filter.customerId === undefined,
        mostRows: ROWS_PER_PAGE,
      }),
    )
    recount()
  })
  return list
}
export type AlertList = ReturnType<typeof useAlertList>
