import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/devices/setup.ts'
import type { AlertId, DeviceId, FieldId } from '#domain/ids.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

export interface AlertThen {
  readonly id: AlertId
  readonly fieldId: FieldId
  readonly severityId: number
  /** The alert was active then; otherwise it had ended and was not closed yet. */
  readonly isActive: boolean
}

export interface SettingsThen {
  readonly applied: readonly {
    readonly id: number
    readonly atMs: number
    readonly after: Readonly<Record<string, unknown>>
    readonly by: string
  }[]
  /** The moment of the move from another customer, null when there was none. */
  readonly arrivedMs: number | null
}

const IS_BEYOND = `select $1 < complete_from::timestamp at time zone 'UTC' as "isBeyond" from rollup_state`

/** The newest event until the moment decides whether the alert was active; an alert begins as active. */
const alertsSql = (isWithin: string) => `
  with opened as materialized (
    select device_id, id, field_id, created_at, state_since, condition_state_id, severity_id
    from alert
    where device_id = $1 and created_at <= $2 and (closed_at is null or closed_at > $2) and withdrawn_at is null
      and ${isWithin}
  ), told as (
    select o.id, (array_agg(e.kind order by e.at desc, e.id desc))[1] as kind
    from opened o join alert_event e on e.device_id = o.device_id and e.alert_id = o.id
    where e.kind in ('opened', 'active', 'notActive') and e.at <= $2
    group by o.id
  )
  select opened.id::text, field_id as "fieldId", severity_id as "severityId",
    case when state_since <= $2 then condition_state_id = 1 else coalesce(told.kind <> 'notActive', true) end as "isActive"
  from opened left join told on told.id = opened.id
  order by created_at desc, opened.id desc`

const ALERTS = { ofAll: alertsSql('true'), ofCustomer: alertsSql('customer_id = $3') }

/** The audit log holds every apply. $3 is the customer, or null for staff; others' users appear as "Staff". */
const SETTINGS = `
  with newest as materialized (
    select distinct on (l.after ->> 'section', l.after ->> 'number') l.id, l.inserted_at, l.after,
      case when $3::integer is not null and u.id is not null and u.customer_id is distinct from $3 then 'Staff'
        else coalesce(l.username, '') end as by
    from audit_log l left join app_user u on u.id = l.user_id
    where l.entity_id = $1 and l.entity_type_id = ${AUDIT_ENTITY_IDS.Device} and l.outcome = 'done'
      and l.call in ('${applyDisplaySettings.path}', '${applyAmbientSensorSettings.path}',
        '${applyTurnDisplayOffSettings.path}', '${applyDayPlanSettings.path}',
        '${applyBatteryTestSettings.path}', '${applyDataBudgetSettings.path}')
      and l.inserted_at <= $2 and ($3::integer is null or l.customer_id = $3)
    order by l.after ->> 'section', l.after ->> 'number', l.inserted_at desc, l.id desc)
  select (select coalesce(json_agg(json_build_object('id', id, 'after', after, 'by', by,
      'atMs', floor(extract(epoch from inserted_at) * 1000))), '[]') from newest) as applied,
    (select floor(extract(epoch from max(p.left_at)) * 1000)::float8 from device_departure p
      where p.device_id = $1) as "arrivedMs"`

const PRESENCE = `
  select is_online as "isOnline" from device_presence_history where device_id = $1 and at <= $2
  order by at desc, is_online desc limit 1`

/** Tells whether only hourly means are left of this moment. */
export async function isBeyondReadings(queryable: Queryable, at: Date): Promise<boolean> {
  const { rows } = await queryable.query<{ isBeyond: boolean }>(IS_BEYOND, [at])
  return rows[0]?.isBeyond ?? false
}

/** Lists the alerts that were open for the customer of that time, newest first. */
export async function readAlertsThen(
  queryable: Queryable,
  id: DeviceId,
  scope: Scope,
  at: Date,
): Promise<readonly AlertThen[]> {
  const { rows } = await queryable.query<Omit<AlertThen, 'id'> & { id: string }>(
    scope.kind === 'everything'
      ? { text: ALERTS.ofAll, values: [id, at] }
      : { text: ALERTS.ofCustomer, values: [id, at, scope.customerId] },
  )
  return rows.map((row) => ({ ...row, id: Number(row.id) as AlertId }))
}

/**
 * Reads what people had last set of each section, as the customer of that time may see it, and when the device came
 * to its present customer.
 */
export const readSettingsThen = async (queryable: Queryable, id: DeviceId, scope: Scope, at: Date) =>
  onlyRow(await queryable.query<SettingsThen>(SETTINGS, [id, at, customerOf(scope)]))

/** Undefined before the first connection. */
export async function wasOnline(queryable: Queryable, id: DeviceId, at: Date): Promise<boolean | undefined> {
  const { rows } = await queryable.query<{ isOnline: boolean }>(PRESENCE, [id, at])
  return rows[0]?.isOnline
}
