import { z } from 'zod'
import { type Alert, alertIdValue, type alertListQuery, type alertPage } from '#contract/http/alert.ts'
import { ALERT_STATUS } from '#domain/alerts/alertWords.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { readPageKey, writePageKey } from '#server/http/reading/pageKey.ts'
import { justAfter } from '#server/http/reading/period.ts'
import {
  type AlertKey,
  type AlertListFilter,
  type AlertPageAsked,
  type AlertStore,
  LARGEST_EXACT_TOTAL,
} from './alerts.store.ts'

export interface AlertListNeeds {
  readonly store: AlertStore
  readonly visibleDevices: VisibleDevices
}

type ListQuery = z.output<typeof alertListQuery>
type Page = z.output<typeof alertPage>

const DEFAULT_PAGE_SIZE = 100

const alertKey = z.strictObject({ createdAt: z.iso.datetime(), id: alertIdValue })

/** Alerts, newest first, page by page (P2 §2 "Alerts page"). */
export function createAlertList({ store, visibleDevices }: AlertListNeeds) {
  async function requireVisible(scope: Scope, { customerId, deviceId }: ListQuery): Promise<void> {
    if (deviceId !== undefined) await visibleDevices.require(scope, [deviceId])
    if (customerId === undefined || customerId === -1) return
    if (!(await store.customerExists(customerId, scope))) throw notFound()
  }

  return async (query: ListQuery, caller: Caller): Promise<Alert[] | Page> => {
    const page = askedPage(query)
    const filters = filtersOf(query, Date.now())
    const scope = scopeOf(caller)
    await requireVisible(scope, query)
    if (filters === undefined) return page ? { rows: [], total: 0, deviceCount: 0, next: null } : []
    if (page === undefined) return [...(await store.page(scope, filters, { skip: 0, size: DEFAULT_PAGE_SIZE }))]
    // One more than asked tells whether there is a next page.
    const [found, count] = await Promise.all([
      store.page(scope, filters, { ...page, size: page.size + 1 }),
      store.count(scope, filters),
    ])
    const rows = found.slice(0, page.size)
    const end = found.length > page.size ? rows.at(-1) : undefined
    const next: AlertKey | undefined = end && { createdAt: end.created, id: end.id }
    return { rows, ...count, next: next ? writePageKey(next) : null }
  }
}

/** Undefined when nothing can be found: an alert is not opened and something else. */
function filtersOf(query: ListQuery, nowMs: number): AlertListFilter | undefined {
  const { filter, customerId, deviceId, statusId, conditionStateId, id, alertText, dateFrom, dateTo } = query
  if (filter === 'opened' && statusId !== undefined && statusId !== ALERT_STATUS.opened) return undefined
  const earliest = filter === 'last24h' ? nowMs - DAY_MS : Number.NEGATIVE_INFINITY
  const fromMs = Math.max(earliest, dateFrom === undefined ? earliest : Date.parse(dateFrom))
  return {
    customerId: customerId === -1 ? undefined : customerId,
    deviceId,
    conditionStateId,
    id,
    alertText,
    statusId: filter === 'opened' ? ALERT_STATUS.opened : statusId,
    from: Number.isFinite(fromMs) ? new Date(fromMs) : undefined,
    to: dateTo === undefined ? undefined : justAfter(new Date(dateTo)),
  }
}

/** Undefined when no paging was asked for; a key comes before a row number (decisions: Calls). */
function askedPage({ rowNum, pageSize, limit, next }: ListQuery): AlertPageAsked | undefined {
  if (rowNum === undefined && pageSize === undefined && limit === undefined && next === undefined) return undefined
  if (rowNum !== undefined && rowNum > LARGEST_EXACT_TOTAL) throw new CallError('page_too_deep')
  const size = Math.min(pageSize ?? limit ?? DEFAULT_PAGE_SIZE, limit ?? pageSize ?? DEFAULT_PAGE_SIZE)
  if (next !== undefined) return { after: readPageKey(next, alertKey), skip: 0, size }
  return { skip: (rowNum ?? 1) - 1, size }
}
