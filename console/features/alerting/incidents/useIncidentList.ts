import { useWatchedDevices } from '#console/alertParts/useWatchedDevices.ts'
import type { FilterChange, ListFilter } from '#console/lib/list/listAddress.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useLiveAlerts } from '#console/lib/live/live.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import type { QueryOf } from '#contract/call/call.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'

export type IncidentFilter = ListFilter<'/incidents'>
export type IncidentFilterChange = FilterChange<'/incidents'>

function incidentQuery({ taken, snoozed, ...others }: IncidentFilter): QueryOf<typeof listIncidents> {
  return {
    ...others,
    ...(taken === undefined ? {} : { isTaken: taken === 'yes' }),
    ...(snoozed === undefined ? {} : { isSnoozed: snoozed === 'yes' }),
  }
}

/** It reads again after alerts of the incidents' devices and of as many others as can be watched. */
export function useIncidentList() {
  const list = useList(listIncidents, { at: '/incidents', asks: incidentQuery, isLive: true })
  const causes = list.rows.map(({ cause }) => cause)
  useLiveAlerts(
    useWatchedDevices(list.filter.deviceId, causes),
    useSoon(() => void list.result.refetch()),
  )
  return list
}
