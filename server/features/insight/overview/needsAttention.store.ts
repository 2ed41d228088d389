import type pg from 'pg'
import type { WrongDevice } from '#contract/http/insight/overview.ts'
import type { Cause, UnknownCommand } from '#domain/darkness/verdictNow.ts'
import { bitOf, WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import type { AlertId, DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import { IS_WRONG, isOfKind } from '#server/fleet/wrongDevices.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { personName } from '#server/people/personName.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'

/** The customer, if there is one, is the only parameter. */
const within = (scope: Scope) => (scope.kind === 'everything' ? 'true' : 'n.customer_id = $1')
const valuesOf = (scope: Scope) => (scope.kind === 'everything' ? [] : [scope.customerId])

export async function countWrong(pool: pg.Pool, scope: Scope) {
  const counted = await pool.query<Record<WrongKind | 'devices', number>>(
    `select ${WRONG_KINDS.map((kind) => `count(*) filter (where ${isOfKind(kind)})::int as "${kind}"`).join(', ')},
         count(*)::int as devices
       from device_now n where ${IS_WRONG} and ${within(scope)}`,
    valuesOf(scope),
  )
  const { devices, ...counts } = onlyRow(counted)
  return { counts, devices }
}

export async function listWrong(pool: pg.Pool, scope: Scope, most: number): Promise<WrongDevice[]> {
  const { rows } = await pool.query<Row>(prepared(rowsSql(scope, most), valuesOf(scope)))
  return rows.map(toWire)
}

/** Reads a counter that grows with every changed verdict. */
export const readVerdictChanges = async (pool: pg.Pool): Promise<string> =>
  onlyRow(await pool.query<{ changes: string }>('select last_value::text as changes from verdict_change')).changes

interface Row {
  readonly device_id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly model_id: DeviceModelId
  readonly customer_name: string
  readonly address: string
  readonly wrong_kinds: number
  readonly wrong_since: Date | null
  readonly light_is_at_least: boolean
  readonly battery_is_at_least: boolean
  readonly alerted_since: Date | null
  readonly cause: Cause | null
  readonly alert_id: AlertId | null
  readonly condition_text: string | null
  readonly active_alerts: number
  readonly unknown_command: UnknownCommand | null
  readonly taken_by: string | null
  readonly maintenance_until: Date | null
  readonly maintenance_reason: string | null
}

/** Customers see users outside their own as "Staff" (rules/permissions 13). */
const takenBy = (scope: Scope) => {
  const name = personName('u')
  return scope.kind === 'everything' ? name : `case when u.customer_id = $1 then ${name} else 'Staff' end`
}

/**
 * SQL: chooses the worst devices first and reads further columns only for them.
 * @param most stands in the text as a literal: for an unknown limit a generic plan expects a tenth of the fleet
 */
const rowsSql = (scope: Scope, most: number) => `
  with worst as materialized (
    select n.* from device_now n where ${IS_WRONG} and ${within(scope)}
    order by (n.wrong_kinds & -n.wrong_kinds), n.alert_consequence, n.wrong_since, n.device_id limit ${most}),
  newest as (
    select distinct on (a.device_id) a.device_id, a.id, a.condition_text, a.state_since from alert a
    where a.device_id in (select device_id from worst) and ${isActiveNow('a')}
    order by a.device_id, a.created_at desc, a.id desc),
  taken as (
    select distinct on (a.device_id) a.device_id, ${takenBy(scope)} as name
    from alert a join app_user u on u.id = coalesce(a.owner_id, a.acknowledged_by)
    where a.device_id in (select device_id from worst) and a.acknowledged_at is not null and ${isActiveNow('a')}
    order by a.device_id, a.acknowledged_at desc),
  maintained as (
    select distinct on (m.device_id) m.device_id, w.reason from device_maintenance m
    join maintenance_window w on w.id = m.window_id
    where m.device_id in (select device_id from worst) and m.from_at <= now() and m.to_at > now()
    order by m.device_id, m.to_at desc)
  select n.device_id, d.guid, d.name, d.model_id, d.address, c.name as customer_name, n.wrong_kinds, n.wrong_since,
    n.light_is_at_least, n.battery_is_at_least, newest.state_since as alerted_since, n.cause,
    newest.id::float8 as alert_id, newest.condition_text,
    coalesce(n.active_alerts, 0) as active_alerts, n.unknown_command, taken.name as taken_by,
    n.maintenance_until, maintained.reason as maintenance_reason
  from worst n join device d on d.id = n.device_id and d.customer_id = n.customer_id join customer c on c.id = d.customer_id
  left join newest on newest.device_id = n.device_id left join taken on taken.device_id = n.device_id
  left join maintained on maintained.device_id = n.device_id
  order by (n.wrong_kinds & -n.wrong_kinds), n.alert_consequence, n.wrong_since, n.device_id`

function toWire(row: Row): WrongDevice {
  const [kind, ...also] = WRONG_KINDS.filter((one) => (row.wrong_kinds & bitOf(one)) > 0)
  const { cause } = row
  return {
    deviceId: row.device_id,
    deviceGuid: row.guid,
    deviceName: row.name,
    deviceModelId: row.model_id,
    customerName: row.customer_name,
    address: row.address,
    kind: kind ?? 'dark',
    since: (kind === 'alerted' ? row.alerted_since : row.wrong_since)?.toISOString() ?? null,
    isAtLeast: (kind === 'dark' && row.light_is_at_least) || (kind === 'onBattery' && row.battery_is_at_least),
    also,
    cause: cause && {
      finding: cause.finding,
      link: cause.link,
      sentence: cause.sentence,
      section: cause.action?.section ?? null,
      control: cause.action?.control ?? null,
    },
    alert:
      row.alert_id === null || row.condition_text === null
        ? null
        : { id: row.alert_id, conditionText: row.condition_text },
    activeAlerts: row.active_alerts,
    unknownCommand: row.unknown_command && { ...row.unknown_command },
    takenBy: row.taken_by ?? '',
    maintenance: row.maintenance_until && {
      until: row.maintenance_until.toISOString(),
      reason: row.maintenance_reason ?? '',
    },
  }
}
