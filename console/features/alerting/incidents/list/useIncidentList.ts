import { useWatchedDevices } from '#console/alertParts/useWatchedDevices.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import type { FilterChange, ListFilter } from '#console/lib/list/listAddress.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveAlerts } from '#console/lib/live/live.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import { ROWS_PER_PAGE } from '#console/router/pages.ts'
import type { QueryOf } from '#contract/call/call.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'

export type IncidentFilter = ListFilter<'/incidents'>
export type IncidentFilterChange = FilterChange<'/incidents'>

function incidentQuery({ taken, snoozed, ...others }: IncidentFilter): QueryOf<typeof listIncidents> {
  return {
    // What is resolved is asked for apart, because it would bury what is active.
    state: 'active',
    ...others,
    ...(taken === undefined ? {} : { isTaken: taken === 'yes' }),
    ...(snoozed === undefined ? {} : { isSnoozed: snoozed === 'yes' }),
  }
}

/** It reads again after alerts of the incidents' devices and of as many others as can be watched. */
export function useIncidentList() {
  const list = useList(listIncidents, { at: '/incidents', asks: incidentQuery, isLive: true })
  const { filter } = list
  const resolved = useCall(
    listIncidents,
    { ...incidentQuery({ ...filter, state: 'over' }), rowNum: 1, pageSize: ROWS_PER_PAGE },
    { enabled: filter.state === undefined, refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true },
  )
  const hasResolved = filter.state === undefined
  const causes = [...list.rows, ...((hasResolved && resolved.data?.rows) || [])].map(({ cause }) => cause)
  useLiveAlerts(
    useWatchedDevices(filter.deviceId, causes),
    useSoon(() => {
      void list.result.refetch()
      if (hasResolved) void resolved.refetch()
    }),
  )
  return { ...list, resolved: hasResolved ? resolved.data : undefined }
}
export type IncidentList = ReturnType<typeof useIncidentList>
