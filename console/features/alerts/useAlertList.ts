import { useEffect, useRef } from 'react'
import { useLiveAlerts, useOnLiveAgain } from '#console/lib/live.ts'
import { callKey, queryClient, useCall } from '#console/lib/useCall.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import { type Alert, listAlerts } from '#contract/http/alert.ts'
import type { AnswerOf } from '#contract/http/call.ts'
import { listDevices } from '#contract/http/device.ts'
import { MOST_WATCHED_DEVICES } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type AlertListAddress, alertListQueryOf, filterOf, isFirstPage } from './alertListAddress.ts'
import { belongsTo, mergedAlerts } from './liveAlerts.ts'

/** The fallback beside live events. */
const REFRESH_EVERY_MS = 59_000
/** After live events the counts are read again, once for many of them. */
const RECOUNT_AFTER_MS = 1_000
const WATCH_LIST_FRESH_MS = 10 * 60_000

type Answer = AnswerOf<typeof listAlerts>

export interface AlertPage {
  readonly rows: readonly Alert[]
  readonly total: number | null
  readonly deviceCount: number | null
  readonly next: string | null
}

/** The page of alerts that an address means; its rows change as alerts do. */
export function useAlertList(address: AlertListAddress) {
  const query = alertListQueryOf(address)
  const list = useCall(listAlerts, query, { refreshEveryMs: REFRESH_EVERY_MS, keepsPrevious: true })
  const page = list.data && alertPageIn(list.data)
  const recount = useSoon(() => void list.refetch(), RECOUNT_AFTER_MS)
  const filter = filterOf(address)

  useLiveAlerts(useWatchedDevices(filter.deviceId, page?.rows ?? []), ({ alerts }) => {
    const now = new Date()
    queryClient.setQueryData<Answer>(callKey(listAlerts, query), (answer) => {
      if (!answer) return answer
      const before = alertPageIn(answer)
      const rows = mergedAlerts({
        rows: before.rows,
        changed: alerts,
        belongs: (alert) => belongsTo(filter, alert, now),
        // Whose customer a device is, only the server knows.
        takesNew: isFirstPage(address) && filter.customerId === undefined,
        mostRows: ROWS_PER_PAGE,
      })
      return { ...before, rows }
    })
    recount()
  })
  useOnLiveAgain(() => void list.refetch())
  return { list, page }
}

/** Without paging parameters the call answers a plain list, with them a page. */
export function alertPageIn(answer: Answer): AlertPage {
  return Array.isArray(answer) ? { rows: answer, total: answer.length, deviceCount: null, next: null } : answer
}

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
