import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Alert, AlertsEvent } from '#contract/http/alert.ts'
import { ALERT_STATUS } from '#domain/alerts/alertWords.ts'
import type { AlertId, CustomerId, DeviceId, FieldId } from '#domain/ids.ts'
import { containing } from '#server/db/containing.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { exactTotal, type PageAsked, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { alertRowsIn, alertsIn, deviceName, toAlert } from './alertRows.store.ts'

export interface AlertListFilter {
  readonly customerId?: CustomerId | undefined
  readonly deviceId?: DeviceId | undefined
  readonly statusId?: number | undefined
  readonly conditionStateId?: number | undefined
  readonly id?: AlertId | undefined
  readonly alertText?: string | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Excluded. */
  readonly to?: Date | undefined
}

/** Where a page ended. */
export interface AlertKey {
  readonly createdAt: string
  readonly id: AlertId
}

const MOST_TOLD = 20
/** Longer than a notice takes, shorter than anybody would wait. */
const TOLD_FOR_SECONDS = 10
const MOST_MARKERS = 1000

export interface AlertStore {
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  /** Newest first. */
  readonly page: (scope: Scope, filter: AlertListFilter, page: PageAsked<AlertKey>) => Promise<readonly Alert[]>
  /** Of alerts and of their devices; null beyond 10,000 alerts. */
  readonly count: (
    scope: Scope,
    filter: AlertListFilter,
  ) => Promise<{ readonly total: number | null; readonly deviceCount: number | null }>
  /** What changed last of what changed a moment ago; a device of which nothing did has an event without alerts. */
  readonly justChanged: (scope: Scope, deviceIds: readonly DeviceId[]) => Promise<readonly AlertsEvent[]>
  /** Alerts of one field of one device that opened within the period, newest first, at most 1,000. */
  readonly markers: (
    scope: Scope,
    asked: { readonly deviceId: DeviceId; readonly fieldId: FieldId; readonly from: Date; readonly to: Date },
  ) => Promise<
    readonly {
      readonly id: AlertId
      readonly conditionText: string
      readonly createdAt: Date
      readonly deviceName: string
    }[]
  >
}

export function createAlertStore(db: Db): AlertStore {
  return {
    customerExists: async (id, scope) => {
      if (scope.kind === 'customer' && scope.customerId !== id) return false
      return (await db.selectFrom('customer').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    page: async (scope, filter, { after, skip, size }) => {
      const rows = await alertRowsIn(db, scope)
        .where(matching(filter))
        .$if(after !== undefined, (some) =>
          some.where(
            sql<SqlBool>`(alert.created_at, alert.id) < (${after?.createdAt}::timestamptz, ${after?.id}::bigint)`,
          ),
        )
        .orderBy('alert.created_at', 'desc')
        .orderBy('alert.id', 'desc')
        .offset(skip)
        .limit(size)
        .execute()
      const nowMs = Date.now()
      return rows.map((row) => toAlert(row, nowMs))
    },

    count: async (scope, filter) => {
      const some = alertsIn(db, scope).where(matching(filter)).select('alert.device_id').limit(ROWS_TO_COUNT).as('some')
      const { total, deviceCount } = await db
        .selectFrom(some)
        .select([sql<number>`count(*)::int`.as('total'), sql<number>`count(distinct device_id)::int`.as('deviceCount')])
        .executeTakeFirstOrThrow()
      return exactTotal(total) === null ? { total: null, deviceCount: null } : { total, deviceCount }
    },

    justChanged: async (scope, deviceIds) => {
      if (deviceIds.length === 0) return []
      const rows = await alertRowsIn(db, scope)
        .where(
          sql<SqlBool>`(alert.device_id, alert.id) in (
            select newest.device_id, newest.alert_id from unnest(${[...deviceIds]}::int[]) as asked (device_id)
            cross join lateral (
              select e.device_id, e.alert_id from alert_event e where e.device_id = asked.device_id
                and e.inserted > now() - make_interval(secs => ${TOLD_FOR_SECONDS})
              order by e.inserted desc limit ${MOST_TOLD}
            ) as newest)`,
        )
        .orderBy('alert.created_at', 'desc')
        .orderBy('alert.id', 'desc')
        .execute()
      const byDevice = Map.groupBy(rows, ({ device_id }) => device_id)
      const nowMs = Date.now()
      return deviceIds.map((deviceId) => ({
        deviceId,
        alerts: (byDevice.get(deviceId) ?? []).map((row) => toAlert(row, nowMs)),
      }))
    },

    markers: (scope, { deviceId, fieldId, from, to }) =>
      alertsIn(db, scope)
        .where('alert.device_id', '=', deviceId)
        .where('alert.field_id', '=', fieldId)
        .where('alert.created_at', '>=', from)
        .where('alert.created_at', '<', to)
        .orderBy('alert.created_at', 'desc')
        .orderBy('alert.id', 'desc')
        .limit(MOST_MARKERS)
        .select([
          'alert.id',
          'alert.condition_text as conditionText',
          'alert.created_at as createdAt',
          deviceName.as('deviceName'),
        ])
        .execute(),
  }
}

function matching(filter: AlertListFilter): RawBuilder<SqlBool> {
  const { customerId, deviceId, statusId, conditionStateId, id, alertText, from, to } = filter
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (customerId !== undefined) conditions.push(sql`alert.customer_id = ${customerId}`)
  if (deviceId !== undefined) conditions.push(sql`alert.device_id = ${deviceId}`)
  // Written out, so that the index of opened alerts is found.
  if (statusId === ALERT_STATUS.opened) conditions.push(sql`alert.status_id = 1`)
  else if (statusId !== undefined) conditions.push(sql`alert.status_id = ${statusId}`)
  if (conditionStateId !== undefined) conditions.push(sql`alert.condition_state_id = ${conditionStateId}`)
  if (id !== undefined) conditions.push(sql`alert.id = ${id}`)
  if (alertText) {
    const pattern = containing(alertText)
    conditions.push(sql`(alert.condition_text ilike ${pattern} or ${deviceName} ilike ${pattern})`)
  }
  if (from !== undefined) conditions.push(sql`alert.created_at >= ${from}`)
  if (to !== undefined) conditions.push(sql`alert.created_at < ${to}`)
  return sql.join(conditions, sql` and `) as RawBuilder<SqlBool>
}
