import type pg from 'pg'
import { type ConditionKind, fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { AttentionGroup } from '#domain/attention/attention.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { bitOf, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId, IncidentId } from '#domain/ids.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import { type TitleRow, titleJson } from '#server/fleet/alertTitles.ts'
import { IS_WRONG, worstBy } from '#server/fleet/wrongDevices.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'
import { scopeValues, withinScope } from './withinScope.ts'

/** One row of "Needs attention", before it is worded. */
export interface FoundGroup {
  readonly key: string
  readonly group: AttentionGroup
  readonly kind: WrongKind | null
  readonly severityId: number
  readonly since: Date | null
  readonly isAtLeast: boolean
  readonly deviceCount: number
  /** The first devices of the row. */
  readonly deviceIds: readonly DeviceId[]
  /** The incident of all of its devices. */
  readonly incidentId: IncidentId | null
  /** An alert that no incident has taken in yet; without its value when several devices have one. */
  readonly alert: TitleRow | null
}

/** A row names so many devices at most. */
const NAMED_DEVICES = 3
const OUTSIDE_WORK = [DEVICE_STATUS.maintenance, DEVICE_STATUS.outOfOrder].join()
const fieldOf = (kind: ConditionKind) => fieldIdOfKind(kind) ?? 0
const OF_LIGHT = `(${fieldOf('silent')}, ${fieldOf('dark')})`
const UPS_STATUS = NUMBERED_FIELDS.filter(({ wireName }) => wireName === 'u_status').map(({ id }) => id)
const CRITICAL = 1
const WARNING = 2

const GROUP_OF: Readonly<Record<WrongKind, AttentionGroup>> = {
  dark: 'dark',
  silent: 'silent',
  alerted: 'alerted',
  onBattery: 'onBattery',
  unanswered: 'other',
  reportsRefused: 'other',
  clockWrong: 'other',
  restarting: 'other',
  identityConflict: 'other',
  inMaintenance: 'excused',
}

/** The customer, if there is one, is the only parameter. */
/** SQL: the devices whose worst problem is that they are dark or not reporting; these have rows of their own. */
const IS_GONE = `(n.wrong_kinds & ${bitOf('dark') | bitOf('silent')}) > 0`

const IS_ALERTED = `(n.wrong_kinds & -n.wrong_kinds) = ${bitOf('alerted')}`

/**
 * SQL: a device with a problem, once. A device that is dark or not reporting belongs to the incident of exactly that.
 * Devices outside work count whatever is wrong with them, because their verdict belongs to no customer's numbers.
 */
const wrongSql = (scope: Scope) => `
  select n.*, d.customer_id as owned_by, false as is_outside from device_now n
  join device d on d.id = n.device_id and d.customer_id = n.customer_id and d.deleted_at is null
  where ${IS_WRONG} and ${withinScope(scope, 'n.customer_id')}
  union all
  select n.*, d.customer_id, true from device d join device_now n on n.device_id = d.id and n.wrong_kinds > 0
  where d.status_id in (${OUTSIDE_WORK}) and d.deleted_at is null and ${withinScope(scope, 'd.customer_id')}`

/** Groups devices by what is wrong with them and by who owns that. Alerts that an incident has are left to it. */
export async function groupDevices(pool: pg.Pool, scope: Scope): Promise<readonly FoundGroup[]> {
  const { rows } = await pool.query<FoundGroup>(
    prepared(
      `with wrong as materialized (${wrongSql(scope)}),
       owned as (
         select distinct on (p.device_id) p.device_id, i.id as incident_id, p.severity_id as incident_severity,
           coalesce(i.owner_id, -i.acknowledged_channel_id, 0) as taker
         from wrong n join incident_part p on p.device_id = n.device_id and p.customer_id = n.owned_by
         join incident i on i.id = p.incident_id
         where ${IS_GONE} and p.over_at is null and p.field_id in ${OF_LIGHT} order by p.device_id, p.field_id desc),
       alerted as (
         select distinct on (a.device_id) a.device_id, a.condition_text, a.severity_id as alert_severity, a.state_since,
           ${titleJson('a')} as alert
         from wrong n join alert a on a.device_id = n.device_id
         where ${IS_ALERTED} and ${isActiveNow('a')}
         order by a.device_id, a.severity_id, a.created_at desc, a.id desc),
       told as (
         select distinct p.device_id from wrong n join incident_part p on p.device_id = n.device_id
         where ${IS_ALERTED} and p.over_at is null),
       found as (
         select n.device_id, ${worstBy((kind) => kind)} as kind,
           case when n.is_outside then 'excused' else ${worstBy((kind) => GROUP_OF[kind])} end as "group",
           n.wrong_since, n.light_is_at_least, n.battery_is_at_least, n.cause, owned.incident_id,
           owned.incident_severity, owned.taker, alerted.condition_text, alerted.alert_severity, alerted.state_since,
           alerted.alert
         from wrong n left join owned using (device_id) left join alerted using (device_id) left join told using (device_id)
         where n.is_outside or told.device_id is null)
       select concat_ws(' ', "group", kind, case
           when "group" = 'excused' then device_id::text
           when kind = 'dark' then regexp_replace(cause ->> 'sentence', '^.*? is dark: ', '')
           else condition_text end, nullif(taker, 0)) as key,
         "group", kind, min(case when kind in ('dark', 'silent') then coalesce(incident_severity, ${CRITICAL})
           else coalesce(alert_severity, ${WARNING}) end)::int as "severityId",
         min(coalesce(state_since, wrong_since)) as since,
         bool_or((kind = 'dark' and light_is_at_least) or (kind = 'onBattery' and battery_is_at_least)) as "isAtLeast",
         count(*)::int as "deviceCount",
         (array_agg(device_id order by wrong_since, device_id))[1:${NAMED_DEVICES}] as "deviceIds",
         case when count(distinct incident_id) = 1 and count(incident_id) = count(*)
           then min(incident_id)::float8 end as "incidentId",
         case when count(*) = 1 then (array_agg(alert))[1]
           else (array_agg(alert))[1] - 'value' end as alert
       from found group by 1, 2, 3`,
      scopeValues(scope),
    ),
  )
  return rows
}

/**
 * Finds the active incidents that no row of a dark or silent device tells already, each with its working devices.
 * @param shareId chooses whose part of an incident is read, as `shareOf` does
 */
export async function groupIncidents(pool: pg.Pool, shareId: number): Promise<readonly FoundGroup[]> {
  const { rows } = await pool.query<FoundGroup>(
    prepared(
      `with active as materialized (
         select s.incident_id, s.severity_id, s.began_at, a.field_id from incident_share s
         join alert a on a.device_id = s.cause_device_id and a.id = s.cause_alert_id
         where s.customer_id = $1 and s.state_id = 0),
       part as (
         select p.incident_id, p.device_id, p.customer_id,
           bool_or(p.field_id in ${OF_LIGHT}) over (partition by p.incident_id) as tells_light
         from active c join incident_part p on p.incident_id = c.incident_id
         where p.over_at is null and ($1 = 0 or p.customer_id = $1)),
       affected as (
         select distinct p.incident_id, p.device_id from part p
         join device d on d.id = p.device_id and d.customer_id = p.customer_id
           and d.status_id = ${DEVICE_STATUS.active} and d.deleted_at is null
         left join device_now n on n.device_id = d.id
         where coalesce((n.wrong_kinds & ${bitOf('inMaintenance')}) = 0, true)
           and not (p.tells_light and coalesce(${IS_GONE}, false)))
       select 'incident ' || incident_id as key,
         case when field_id = any($2::int[]) then 'onBattery' else 'alerted' end as "group", null as kind,
         severity_id as "severityId", began_at as since, false as "isAtLeast", count(*)::int as "deviceCount",
         (array_agg(device_id order by device_id))[1:${NAMED_DEVICES}] as "deviceIds",
         incident_id::float8 as "incidentId", null as alert
       from active join affected using (incident_id) group by incident_id, severity_id, began_at, field_id`,
      [shareId, UPS_STATUS],
    ),
  )
  return rows
}

export interface HaltedRollout {
  readonly id: number
  readonly version: string
  readonly since: Date | null
  readonly failed: number
  readonly reached: number
  readonly deviceCount: number
}

/** Reads the rollouts that wait for somebody's decision, since their last failure. */
export async function haltedRollouts(pool: pg.Pool): Promise<readonly HaltedRollout[]> {
  const { rows } = await pool.query<HaltedRollout>(
    `select o.id, r.version, max(u.changed_at) filter (where u.state = 'failed') as since,
       count(*) filter (where u.state = 'failed')::int as failed,
       count(*) filter (where u.state in ('done', 'failed'))::int as reached, count(u.device_id)::int as "deviceCount"
     from client_rollout o join client_release r on r.id = o.release_id left join client_update u on u.rollout_id = o.id
     where o.state = 'halted' group by o.id, r.version order by o.id`,
  )
  return rows
}
