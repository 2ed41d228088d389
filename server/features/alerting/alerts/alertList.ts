import { z } from 'zod'
import { ANY_CUSTOMER, alertIdValue } from '#contract/call/values.ts'
import type { Alert, alertListQuery, alertPage } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { type Stretch, stretchesOf, yearBefore } from '#domain/alerts/heatMap.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { askedPage, isPaged, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { justAfter } from '#server/http/reading/period.ts'
import type { AlertListFilter } from './alertFilter.store.ts'
import { findAlerts } from './alerts.store.ts'

type ListQuery = z.output<typeof alertListQuery>
type Page = z.output<typeof alertPage>

const PAGE_SIZE = 100

const alertKey = z.strictObject({ createdAt: z.iso.datetime(), id: alertIdValue })

export async function list(
  { pool, db }: Pick<Given, 'pool' | 'db'>,
  query: ListQuery,
  caller: Caller,
): Promise<Alert[] | Page> {
  const page = askedPage(query, PAGE_SIZE, (key) => readPageKey(key, alertKey))
  const filters = filtersOf(query, Date.now())
  const scope = scopeOf(caller)
  const { customerId, deviceId } = query
  if (deviceId !== undefined) await requireVisible(pool, scope, [deviceId])
  if (customerId !== undefined && customerId !== ANY_CUSTOMER) await requireCustomer(db, customerId, scope)
  if (filters === undefined) return isPaged(query) ? { rows: [], total: 0, deviceCount: 0, next: null } : []
  const found = await findAlerts(db, scope, filters)
  if (!isPaged(query)) return (await found.page(page)).map(({ alert }) => alert)
  const [{ rows, next }, count] = await Promise.all([readPage(page, found.page, ({ key }) => key), found.count()])
  return { rows: rows.map(({ alert }) => alert), ...count, next }
}

/** Returns undefined when nothing can match, such as open alerts with another status. */
function filtersOf(query: ListQuery, nowMs: number): AlertListFilter | undefined {
  const { filter, customerId, deviceId, statusId, conditionStateId, id, alertText, dateFrom, dateTo, weekHour } = query
  if (filter === 'opened' && statusId !== undefined && statusId !== ALERT_STATUS.opened) return undefined
  return {
    customerId: customerId === ANY_CUSTOMER ? undefined : customerId,
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
