import { useEffect, useRef } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveAlerts } from '#console/lib/live/live.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { type Alert, listAlerts } from '#contract/http/alert.ts'
import { listDevices } from '#contract/http/device.ts'
import { MOST_WATCHED_DEVICES } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { alertFilterQuery } from './alertListAddress.ts'
import { belongsTo, mergedAlerts } from './liveAlerts.ts'

/** After live events the counts are read again, once for many of them. */
const RECOUNT_AFTER_MS = 1_000
const WATCH_LIST_FRESH_MS = 10 * 60_000

/** The alerts that the address means, of one device or of all; its rows change as alerts do. */
export function useAlertList(ofDevice?: DeviceId) {
  const list = useList(listAlerts, {
    at: ofDevice === undefined ? '/alerts' : '/devices/$guid/alerts',
    fixed: ofDevice === undefined ? undefined : { deviceId: ofDevice, customerId: undefined },
    asks: alertFilterQuery,
    isLive: true,
  })
  const { filter, result, page } = list
  const recount = useSoon(() => void result.refetch(), RECOUNT_AFTER_MS)

  useLiveAlerts(useWatchedDevices(filter.deviceId, list.rows), ({ alerts }) => {
    const now = new Date()
    list.changeRows((rows) =>
      mergedAlerts({
        rows,
        changed: alerts,
        belongs: (alert) => belongsTo(filter, alert, now),
        // Whose customer a device is, only the server knows.
        takesNew: page === 1 && filter.customerId === undefined,
        mostRows: ROWS_PER_PAGE,
      }),
    )
    recount()
  })
  return list
}
export type AlertList = ReturnType<typeof useAlertList>

/**
 * New alerts come from devices that have no row yet, so as many devices as can be watched are; those of the rows come
 * first. In a larger fleet the others are found by the regular refresh.
 */
function useWatchedDevices(deviceId: DeviceId | undefined, rows: readonly Alert[]): readonly DeviceId[] {
  const devices = useCall(
    listDevices,
    { pageSize: MOST_WATCHED_DEVICES, sort: 'alerts', descending: true },
    { enabled: deviceId === undefined, freshMs: WATCH_LIST_FRESH_MS },
  )
  if (deviceId !== undefined) return [deviceId]
  const others = devices.data === undefined ? [] : Array.isArray(devices.data) ? devices.data : devices.data.rows
  const ids = new Set([...rows.map((row) => row.deviceId), ...others.map(({ id }) => id)])
  return [...ids].slice(0, MOST_WATCHED_DEVICES).sort((one, other) => one - other)
}

/** Calls once, a while after the first wish; wishes meanwhile are the same one. */
function useSoon(act: () => void, afterMs: number): () => void {
  const latest = useRef(act)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, afterMs)
  }
}
