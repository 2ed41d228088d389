import { sql } from 'kysely'
import type { Alert } from '#contract/http/alert.ts'
import { measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceModelId, FieldId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, hasLeft, isOfScope, shownAs } from '#server/http/call/history.store.ts'
import { lastActiveAt } from '#server/telemetry/alerts/alertStates.ts'

/** Alerts that are shown: of customers within the scope, without those that never were. */
export function alertsIn(db: Db | Tx, scope: Scope) {
  return db
    .selectFrom('alert')
    .innerJoin('device', 'device.id', 'alert.device_id')
    .where('device.deleted_at', 'is', null)
    .where(isOfScope(scope, 'alert.customer_id'))
    .where('alert.withdrawn_at', 'is', null)
}

const then = <Value>(column: Parameters<typeof deviceThen>[0]) =>
  sql.raw<Value>(deviceThen(column, 'alert', 'found_at'))

/** What the device is called where the alert is shown. */
export const deviceName = then<string>('name')

/** First and last name; the username of somebody without any. */
const personName = (user: string) => {
  const table = sql.ref(user)
  return sql<string>`coalesce(nullif(trim(${table}.first_name || ' ' || ${table}.last_name), ''), ${table}.username)`
}

export function alertRowsIn(db: Db | Tx, scope: Scope) {
  return alertsIn(db, scope)
    .leftJoin('app_user as owner', 'owner.id', 'alert.owner_id')
    .leftJoin('alert_condition as condition', 'condition.id', 'alert.condition_id')
    .select([
      'alert.id',
      'alert.status_id',
      'alert.condition_state_id',
      'alert.device_id',
      'device.guid',
      deviceName.as('name'),
      then<DeviceModelId>('model_id').as('model_id'),
      then<string>('address').as('address'),
      sql.raw<boolean>(hasLeft(scope, 'alert')).as('has_left'),
      'alert.condition_text',
      'alert.created_at',
      'alert.found_at',
      'alert.active_count',
      'alert.closed_at',
      // Null instead of for ever.
      sql.raw<Date | null>(`nullif(${lastActiveAt('alert')}, 'infinity')`).as('last_active_at'),
      sql<Date>`greatest(alert.state_since, alert.closed_at, alert.acknowledged_at)`.as('changed_at'),
      // Null where there is no row of it.
      sql<boolean | null>`case when condition.id is not null then condition.model_id is not null end`.as('is_of_model'),
      'alert.field_id',
      shownAs(scope, 'owner', personName('owner')).as('owner_name'),
    ])
}

export type AlertRow = Awaited<ReturnType<ReturnType<typeof alertRowsIn>['execute']>>[number]

export function toAlert(row: AlertRow, nowMs: number): Alert {
  return {
    id: row.id,
    statusId: row.status_id,
    conditionStateId: row.condition_state_id,
    deviceId: row.device_id,
    deviceGuid: row.guid,
    deviceName: row.name,
    deviceModelId: row.model_id,
    deviceAddress: row.address,
    deviceHasLeft: row.has_left,
    conditionText: row.condition_text,
    created: row.created_at.toISOString(),
    found: row.found_at.toISOString(),
    openMinutes: openMinutes(row.created_at, row.closed_at, nowMs),
    activeCount: row.active_count,
    ownerName: row.owner_name,
    closed: row.closed_at?.toISOString() ?? null,
    lastActive: row.last_active_at?.toISOString() ?? null,
    lastChanged: row.changed_at.toISOString(),
    fieldId: row.field_id,
    isOfModel: row.is_of_model,
    ...analysed(row.field_id),
  }
}

export function openMinutes(openedAt: Date, closedAt: Date | null, nowMs: number): number {
  // The clock of a device may be a little ahead.
  return Math.max(0, Math.floor(((closedAt?.getTime() ?? nowMs) - openedAt.getTime()) / MINUTE_MS))
}

/** What a chart of the alert draws; nothing for what is no measurement. */
export function analysed(fieldId: FieldId) {
  const numbered = numberedFieldById(fieldId)
  const measured = numbered?.field.isMeasurement ? numbered : undefined
  return {
    eventTypeIdAnalytics: measured?.type.id ?? null,
    measurementId: measured?.id ?? null,
    measurementName: measured ? measurementName(measured) : null,
  }
}
