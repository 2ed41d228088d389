import { z } from 'zod'
import { alertIdValue } from '#contract/call/values.ts'
import type { Alert, alertListQuery, alertPage } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { type Stretch, stretchesOf, yearBefore } from '#domain/alerts/heatMap.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { askedPage, isPaged, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { justAfter } from '#server/http/reading/period.ts'
import type { AlertListFilter } from './alertFilter.store.ts'
import type { AlertStore } from './alerts.store.ts'

export interface AlertListDeps {
  readonly store: AlertStore
  readonly visibleDevices: VisibleDevices
}

type ListQuery = z.output<typeof alertListQuery>
type Page = z.output<typeof alertPage>

const PAGE_SIZE = 100

const alertKey = z.strictObject({ createdAt: z.iso.datetime(), id: alertIdValue })

export function createAlertList({ store, visibleDevices }: AlertListDeps) {
  async function requireVisible(scope: Scope, { customerId, deviceId }: ListQuery): Promise<void> {
    if (deviceId !== undefined) await visibleDevices.require(scope, [deviceId])
    if (customerId === undefined || customerId === -1) return
    if (!(await store.customerExists(customerId, scope))) throw notFound()
  }

  return async (query: ListQuery, caller: Caller): Promise<Alert[] | Page> => {
    const page = askedPage(query, PAGE_SIZE, (key) => readPageKey(key, alertKey))
    const filters = filtersOf(query, Date.now())
    const scope = scopeOf(caller)
    await requireVisible(scope, query)
    if (filters === undefined) return isPaged(query) ? { rows: [], total: 0, deviceCount: 0, next: null } : []
    const found = await store.find(scope, filters)
    if (!isPaged(query)) return (await found.page(page)).map(({ alert }) => alert)
    const [{ rows, next }, count] = await Promise.all([readPage(page, found.page, ({ key }) => key), found.count()])
    return { rows: rows.map(({ alert }) => alert), ...count, next }
  }
}

/** Returns undefined when nothing can match, such as open alerts with another status. */
function filtersOf(query: ListQuery, nowMs: number): AlertListFilter | undefined {
  const { filter, customerId, deviceId, statusId, conditionStateId, id, alertText, dateFrom, dateTo, weekHour } = query
  if (filter === 'opened' && statusId !== undefined && statusId !== ALERT_STATUS.opened) return undefined
  return {
    customerId: customerId === -1 ? undefined : customerId,
    deviceId,
    conditionStateId,
    id,
    severityId: query.severityId,
    alertText,
    isInMaintenance: query.isInMaintenance,
    statusId: filter === 'opened' ? ALERT_STATUS.opened : statusId,
    from: dateFrom === undefined ? undefined : new Date(dateFrom),
    activeSince: filter === 'last24h' ? new Date(nowMs - DAY_MS) : undefined,
    to: dateTo === undefined ? undefined : justAfter(new Date(dateTo)),
    within: weekHour === undefined ? undefined : lastYears(weekHour, query.timeZone ?? 'UTC', nowMs),
  }
}

/** Finds the periods that a cell of the heat map counts (rules/overview 8). */
function lastYears(weekHour: string, timeZone: string, nowMs: number): readonly Stretch[] {
  // A device's clock may be a little ahead of the server's.
  return stretchesOf(weekHour, timeZone, yearBefore(new Date(nowMs)).getTime(), nowMs + DAY_MS)
}
