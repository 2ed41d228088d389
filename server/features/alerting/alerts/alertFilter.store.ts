import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import type { Stretch } from '#domain/alerts/heatMap.ts'
import type { AlertId, CustomerId, DeviceId } from '#domain/ids.ts'
import { RAISED_UNDER } from '#server/fleet/maintenanceSpans.ts'
import { lastActiveAt } from '#server/telemetry/alerts/alertStates.ts'

export interface AlertListFilter {
  readonly customerId?: CustomerId | undefined
  readonly deviceId?: DeviceId | undefined
  readonly statusId?: number | undefined
  readonly conditionStateId?: number | undefined
  readonly id?: AlertId | undefined
  readonly severityId?: number | undefined
  readonly alertText?: string | undefined
  /** This moment is included. */
  readonly from?: Date | undefined
  /** This moment is excluded. */
  readonly to?: Date | undefined
  /** The alert was active at some moment since then, whenever it opened. */
  readonly activeSince?: Date | undefined
  /** The alert was raised during maintenance. */
  readonly isInMaintenance?: boolean | undefined
  /** The alert opened within one of these periods. */
  readonly within?: readonly Stretch[] | undefined
}

export interface AlertKey {
  readonly createdAt: string
  readonly id: AlertId
}

export const NEWEST_FIRST = sql`alert.created_at desc, alert.id desc`

export const isOlderThan = (after: AlertKey | undefined) =>
  after === undefined
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(alert.created_at, alert.id) < (${after.createdAt}::timestamptz, ${after.id}::bigint)`

/** Makes the filter's condition, except for its text, for a statement that knows `alert`. */
export function matching(filter: AlertListFilter): RawBuilder<SqlBool> {
  const { customerId, deviceId, statusId, conditionStateId, id, severityId, from, to, activeSince, within } = filter
  const { isInMaintenance } = filter
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (customerId !== undefined) conditions.push(sql`alert.customer_id = ${customerId}`)
  if (deviceId !== undefined) conditions.push(sql`alert.device_id = ${deviceId}`)
  // The status is a literal here, because the partial index of open alerts does not match a parameter.
  if (statusId === ALERT_STATUS.opened) conditions.push(sql`alert.status_id = 1`)
  else if (statusId !== undefined) conditions.push(sql`alert.status_id = ${statusId}`)
  if (conditionStateId !== undefined) conditions.push(sql`alert.condition_state_id = ${conditionStateId}`)
  if (id !== undefined) conditions.push(sql`alert.id = ${id}`)
  if (severityId !== undefined) conditions.push(sql`alert.severity_id = ${severityId}`)
  if (from !== undefined) conditions.push(sql`alert.created_at >= ${from}`)
  if (activeSince !== undefined) conditions.push(sql`${sql.raw(lastActiveAt('alert'))} >= ${activeSince}`)
  if (to !== undefined) conditions.push(sql`alert.created_at < ${to}`)
  if (isInMaintenance !== undefined) {
    const raisedUnder = sql.raw(RAISED_UNDER)
    conditions.push(sql`(alert.device_id, alert.id) ${isInMaintenance ? sql`in` : sql`not in`} (${raisedUnder})`)
  }
  // Each period is a condition of its own, so that the index of the newest alerts serves each.
  if (within !== undefined)
    conditions.push(within.length === 0 ? sql`false` : sql`(${sql.join(within.map(isWithin), sql` or `)})`)
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}

const isWithin = ({ fromMs, untilMs }: Stretch) =>
  sql`(alert.created_at >= ${new Date(fromMs)} and alert.created_at < ${new Date(untilMs)})`
