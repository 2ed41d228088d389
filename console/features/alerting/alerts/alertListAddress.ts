import type { FilterChange, ListFilter } from '#console/lib/list/listAddress.ts'
import type { QueryOf } from '#contract/call/call.ts'
import type { listAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS, type AlertStatusId } from '#domain/alerts/alertLabels.ts'

export type AlertListFilter = ListFilter<'/alerts'>
export type AlertListFilterChange = FilterChange<'/alerts'>

const ANY_STATUS = 'any'

/** It returns the status that filters the list; undefined means every status. */
export function statusOf({ statusId, filter, weekHour }: AlertListFilter): AlertStatusId | undefined {
  if (statusId === ANY_STATUS) return undefined
  // The Overview counts these alerts in every status.
  return statusId ?? (filter === 'last24h' || weekHour !== undefined ? undefined : ALERT_STATUS.opened)
}

/** It returns the address parameter for a status; the default stays out of the address. */
export function statusInAddress(wanted: AlertStatusId | undefined, filter: AlertListFilter): AlertListFilterChange {
  const { statusId: _statusId, ...others } = filter
  const isUsual = wanted === statusOf(others)
  return { statusId: isUsual ? undefined : (wanted ?? ANY_STATUS) }
}

/** It turns the filter into the parameters of the call, without a page. */
export function alertFilterQuery(filter: AlertListFilter): QueryOf<typeof listAlerts> {
  const { statusId: _statusId, maintenance, ...others } = filter
  const status = statusOf(filter)
  return {
    ...others,
    ...(status === undefined ? {} : { statusId: status }),
    ...(maintenance === undefined ? {} : { isInMaintenance: maintenance === 'yes' }),
  }
}
