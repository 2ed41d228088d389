import { sql } from 'kysely'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import type { AlertOrigin } from '#domain/alerts/alertOrigin.ts'
import { measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { AlertId, DeviceModelId, FieldId, IncidentId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { titleOf } from '#server/fleet/alertTitles.ts'
import { conditionOrigin } from '#server/fleet/conditionOrigin.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, hasLeft, isOfScope, shownAs } from '#server/http/call/history.store.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import { personName } from '#server/people/personName.ts'
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

export function alertRowsIn(db: Db | Tx, scope: Scope) {
  return alertsIn(db, scope)
    .leftJoin('app_user as owner', 'owner.id', 'alert.owner_id')
    .leftJoin('alert_condition as condition', 'condition.id', 'alert.condition_id')
    .leftJoin('customer as place', 'place.id', 'condition.customer_id')
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
      'condition.title as condition_title',
      'alert.metric_value_text as told',
      'alert.metric_value_dec as value',
      'alert.created_at',
      'alert.found_at',
      'alert.active_count',
      'alert.closed_at',
      // Null instead of for ever.
      sql.raw<Date | null>(`nullif(${lastActiveAt('alert')}, 'infinity')`).as('last_active_at'),
      sql<Date>`greatest(alert.state_since, alert.closed_at, alert.acknowledged_at)`.as('changed_at'),
      sql.raw<AlertOrigin['of'] | null>(conditionOrigin('condition')).as('origin_of'),
      'place.name as origin_customer',
      'condition.tag as origin_tag',
      'alert.field_id',
      'alert.severity_id',
      shownAs(scope, 'owner', sql.raw<string>(personName('owner'))).as('owner_name'),
    ])
}

type RaisedUnder = NonNullable<Alert['maintenance']>

interface RaisedRow {
  readonly id: AlertId
  readonly reason: string
  readonly from_at: Date
  readonly to_at: Date
}

/** Reads the window in which each alert was raised, if its readers may know of it; of several the one that ends last. */
export const raisedUnderOf = (alerts: readonly Pick<AlertRow, 'id' | 'device_id'>[]) => sql<RaisedRow>`
  select distinct on (a.device_id, a.id) a.id::float8 as id, w.reason, m.from_at, m.to_at
  from unnest(${alerts.map(({ device_id }) => device_id)}::integer[], ${alerts.map(({ id }) => id)}::bigint[])
    asked (device_id, id)
  join alert a on a.device_id = asked.device_id and a.id = asked.id
  join device_maintenance m on m.device_id = a.device_id and m.from_at <= a.created_at and m.to_at > a.created_at
  join maintenance_window w on w.id = m.window_id and (w.customer_id is null or w.customer_id = a.customer_id)
  order by a.device_id, a.id, m.to_at desc`

export const toRaisedUnder = ({ reason, from_at, to_at }: RaisedRow): RaisedUnder => ({
  reason,
  from: from_at.toISOString(),
  to: to_at.toISOString(),
})

interface IncidentOfRow {
  readonly id: AlertId
  readonly incident_id: IncidentId
  readonly alert_count: number
  readonly is_cause: boolean
}

/** Reads the incidents that alerts were folded into when they were raised last, as a reader sees these. */
export const incidentsOf = (scope: Scope, alerts: readonly Pick<AlertRow, 'id' | 'device_id'>[]) => sql<IncidentOfRow>`
  select distinct on (p.device_id, p.alert_id) p.alert_id as id, p.incident_id, s.alert_count,
    s.cause_alert_id = p.alert_id as is_cause
  from unnest(${alerts.map(({ device_id }) => device_id)}::integer[], ${alerts.map(({ id }) => id)}::bigint[])
    asked (device_id, id)
  join incident_part p on p.device_id = asked.device_id and p.alert_id = asked.id
  join incident_share s on s.incident_id = p.incident_id and s.customer_id = ${customerOf(scope) ?? OF_ALL}
  order by p.device_id, p.alert_id, p.raised_at desc`

export const toIncidentOf = (row: IncidentOfRow | undefined): Alert['incident'] =>
  row ? { id: row.incident_id, alertCount: row.alert_count, isCause: row.is_cause } : null

export const toOrigin = (row: Pick<AlertRow, 'origin_of' | 'origin_customer' | 'origin_tag'>): AlertOrigin | null =>
  row.origin_of && { of: row.origin_of, customerName: row.origin_customer ?? '', tag: row.origin_tag ?? '' }

export async function toAlerts(db: Db, scope: Scope, rows: readonly AlertRow[]): Promise<Alert[]> {
  if (rows.length === 0) return []
  const [found, folded] = await Promise.all([raisedUnderOf(rows).execute(db), incidentsOf(scope, rows).execute(db)])
  const incidents = new Map(folded.rows.map((row) => [row.id, row]))
  const raisedUnder = new Map(found.rows.map((row) => [row.id, toRaisedUnder(row)]))
  const nowMs = Date.now()
  return rows.map((row) => ({
    ...toAlert(row, nowMs, raisedUnder.get(row.id) ?? null),
    incident: toIncidentOf(incidents.get(row.id)),
  }))
}

export type AlertRow = Awaited<ReturnType<ReturnType<typeof alertRowsIn>['execute']>>[number]

function toAlert(row: AlertRow, nowMs: number, maintenance: RaisedUnder | null): Omit<Alert, 'incident'> {
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
    title: titleOf(row),
    created: row.created_at.toISOString(),
    found: row.found_at.toISOString(),
    openMinutes: openMinutes(row.created_at, row.closed_at, nowMs),
    activeCount: row.active_count,
    ownerName: row.owner_name,
    closed: row.closed_at?.toISOString() ?? null,
    lastActive: row.last_active_at?.toISOString() ?? null,
    lastChanged: row.changed_at.toISOString(),
    fieldId: row.field_id,
    conditionOrigin: toOrigin(row),
    maintenance,
    severityId: row.severity_id,
    ...analysed(row.field_id),
  }
}

export function openMinutes(openedAt: Date, closedAt: Date | null, nowMs: number): number {
  // The clock of a device may be a little ahead.
  return Math.max(0, Math.floor(((closedAt?.getTime() ?? nowMs) - openedAt.getTime()) / MINUTE_MS))
}

/** Says what a chart of the alert draws, and nothing for a field that is no measurement. */
export function analysed(fieldId: FieldId) {
  const numbered = numberedFieldById(fieldId)
  const measured = numbered?.field.isMeasurement ? numbered : undefined
  return {
    eventTypeIdAnalytics: measured?.type.id ?? null,
    measurementId: measured?.id ?? null,
    measurementName: measured ? measurementName(measured) : null,
  }
}
