import {
  type PageAddress,
  type Parameters,
  pageOf,
  pageQuery,
  readPage,
  withoutEmpty,
  wordOf,
} from '#console/lib/listAddress.ts'
import { text, wholeNumber } from '#console/router/addressFields.ts'
import type { listAlerts } from '#contract/http/alert.ts'
import type { QueryOf } from '#contract/http/call.ts'
import { ALERT_FILTERS, type AlertFilter } from '#contract/http/listWords.ts'
import { ALERT_STATUS, type AlertStatusId, type ConditionStateId } from '#domain/alerts/alertWords.ts'
import type { AlertId, CustomerId, DeviceId } from '#domain/ids.ts'

/** What the filter bar holds, by the parameter names of the call; `filter` is the word of an overview tile. */
export interface AlertListFilter {
  readonly customerId?: CustomerId
  readonly deviceId?: DeviceId
  /** Absent: Opened, unless the tile's word asks for every status (P2 §9). */
  readonly statusId?: AlertStatusId | typeof ANY_STATUS
  readonly conditionStateId?: ConditionStateId
  readonly id?: AlertId
  readonly alertText?: string
  readonly filter?: AlertFilter
}

/** Everything of the list that lives in the address, so that Back, reload and a pasted link restore it. */
export interface AlertListAddress extends AlertListFilter, PageAddress {}

const ANY_STATUS = 'any'

/** Absent and empty values take a part of the filter away. */
export type AlertListFilterChange = { readonly [Key in keyof AlertListFilter]?: AlertListFilter[Key] | undefined }

export function readAlertListAddress(parameters: Parameters): AlertListAddress {
  return { ...readAlertListFilter(parameters), ...readPage(parameters) }
}

function readAlertListFilter(parameters: Parameters): AlertListFilter {
  const { statusId } = parameters
  return withoutEmpty({
    customerId: wholeNumber(parameters.customerId) as CustomerId | undefined,
    deviceId: wholeNumber(parameters.deviceId) as DeviceId | undefined,
    statusId: statusId === ANY_STATUS ? ANY_STATUS : (wholeNumber(statusId) as AlertStatusId | undefined),
    conditionStateId: wholeNumber(parameters.conditionStateId) as ConditionStateId | undefined,
    id: wholeNumber(parameters.id, Number.MAX_SAFE_INTEGER) as AlertId | undefined,
    alertText: text(parameters.alertText),
    filter: wordOf(ALERT_FILTERS, parameters.filter),
  })
}

export function filterOf(address: AlertListAddress): AlertListFilter {
  const { page: _page, next: _next, ...filter } = address
  return filter
}

export function isFiltered(address: AlertListAddress): boolean {
  return Object.keys(filterOf(address)).length > 0
}

/** A changed filter starts again at the first page. */
export function withFilter(address: AlertListAddress, change: AlertListFilterChange): AlertListAddress {
  return withoutEmpty({ ...filterOf(address), ...change }) as AlertListAddress
}

/** The status that counts; undefined is every status. */
export function statusOf({ statusId, filter }: AlertListFilter): AlertStatusId | undefined {
  if (statusId === ANY_STATUS) return undefined
  return statusId ?? (filter === 'last24h' ? undefined : ALERT_STATUS.opened)
}

/** The parameter that stands for a status; what counts anyway stays out of the address. */
export function statusInAddress(wanted: AlertStatusId | undefined, filter: AlertListFilter): AlertListFilterChange {
  const isUsual = wanted === statusOf(withFilter(filter, { statusId: undefined }))
  return { statusId: isUsual ? undefined : (wanted ?? ANY_STATUS) }
}

/** What the filter means for the call, without a page. */
export function alertFilterQuery(filter: AlertListFilter): QueryOf<typeof listAlerts> {
  const { statusId: _statusId, ...others } = filter
  const status = statusOf(filter)
  return { ...others, ...(status === undefined ? {} : { statusId: status }) }
}

export function alertListQueryOf(address: AlertListAddress): QueryOf<typeof listAlerts> {
  return { ...alertFilterQuery(filterOf(address)), ...pageQuery(address) }
}

export const isFirstPage = (address: AlertListAddress) => pageOf(address) === 1
