import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { CommandState } from '#contract/http/devices/commands.ts'
import {
  applyAmbientSensorSettings,
  applyBatteryTestSettings,
  applyDataBudgetSettings,
  applyDayPlanSettings,
  applyDisplaySettings,
  applyTurnDisplayOffSettings,
} from '#contract/http/devices/setup.ts'
import type { AlertMove } from '#domain/alerts/fold/occurrences.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { DeviceUpdateState } from '#domain/rollouts/states.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type TitleRow, titleJson } from '#server/fleet/alertTitles.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import type { Period } from '#server/http/reading/period.ts'

/** Moments are milliseconds since 1970. */
interface Stretch {
  readonly fromMs: number
  readonly toMs: number | null
}

/** Everything recorded of a device in a period, newest first, with one more of each than an answer holds. */
export interface WrittenDown {
  readonly alerts: readonly {
    readonly id: AlertId
    readonly text: string
    readonly named: TitleRow
    readonly severityId: number
    readonly createdMs: number
    readonly closedMs: number | null
  }[]
  readonly moves: readonly (AlertMove & { readonly alertId: AlertId })[]
  readonly commands: readonly (Stretch & {
    readonly id: string
    readonly name: string
    readonly args: Readonly<Record<string, unknown>>
    readonly state: CommandState
    readonly by: string
  })[]
  readonly settings: readonly {
    readonly id: number
    readonly fromMs: number
    readonly after: Readonly<Record<string, unknown>>
    readonly by: string
  }[]
  readonly updates: readonly (Stretch & {
    readonly rolloutId: number
    readonly version: string
    readonly state: DeviceUpdateState
    readonly reason: string
  })[]
  /** It includes the event that held at the beginning of the period, and the first one after its end. */
  readonly presence: readonly { readonly atMs: number; readonly isOnline: boolean; readonly reason: string }[]
  readonly maintenance: readonly (Stretch & {
    readonly id: number
    readonly comment: string
    readonly componentName: string
  })[]
  readonly windows: readonly (Stretch & { readonly windowId: number; readonly reason: string })[]
  /** The moment when the device came from another customer. */
  readonly arrivedMs: number | null
}

/** The beginning of a comment says enough. */
const SHOWN_COMMENT_LENGTH = 200
/** A condition may be met again and again, so only so many moves of an alert are read. */
const MOVES_AN_ALERT = 16
/** The limit is one more than a lane holds, so that the answer can say that there is more. */
const MOST = '$5::integer'

const MS = (moment: string) => `floor(extract(epoch from ${moment}) * 1000)`
const LIST = (of: string) => `(select coalesce(json_agg(r), '[]') from (${of}) r)`
/** $4 is the customer, or null for staff. Customers see users outside their own as "Staff" (docs/decisions/0117). */
const isOfScope = (row: string) => `($4::integer is null or ${row}.customer_id = $4)`
const shownAs = (row: string) =>
  `case when $4::integer is not null and u.id is not null and u.customer_id is distinct from $4 then 'Staff'
     else coalesce(${row}.username, '') end`

/** One statement reads everything, so that a timeline takes one round trip and one connection. */
const WRITTEN_DOWN = `
  with overlapping as materialized (
    select a.id, a.condition_text as text, ${titleJson('a')} as named, a.severity_id as "severityId", ${MS('a.created_at')} as "createdMs", ${MS('a.closed_at')} as "closedMs"
    from alert a where a.device_id = $1 and a.withdrawn_at is null and a.created_at <= $3
      and (a.closed_at is null or a.closed_at >= $2) and ${isOfScope('a')}
    order by a.created_at desc, a.id desc limit ${MOST})
  select ${LIST('select * from overlapping')} as alerts,
  ${LIST(`
    select e.alert_id as "alertId", e.kind, e.at from alert_event e join overlapping o on o.id = e.alert_id
    where e.device_id = $1 order by e.id desc limit ${MOVES_AN_ALERT} * ${MOST}`)} as moves,
  ${LIST(`
    select c.id, c.name, c.args, c.state, ${MS('c.accepted_at')} as "fromMs", ${MS('c.ended_at')} as "toMs",
      ${shownAs('c')} as by
    from device_command c left join app_user u on u.id = c.user_id
    where c.device_id = $1 and c.settings_version is null and c.accepted_at between $2 and $3 and ${isOfScope('c')}
    order by c.accepted_at desc, c.id desc limit ${MOST}`)} as commands,
  ${LIST(`
    select l.id, ${MS('l.inserted_at')} as "fromMs", l.after, ${shownAs('l')} as by
    from audit_log l left join app_user u on u.id = l.user_id
    where l.entity_id = $1 and l.entity_type_id = ${AUDIT_ENTITY_IDS.Device} and l.outcome = 'done'
      and l.call in ('${applyDisplaySettings.path}', '${applyAmbientSensorSettings.path}',
        '${applyTurnDisplayOffSettings.path}', '${applyDayPlanSettings.path}',
        '${applyBatteryTestSettings.path}', '${applyDataBudgetSettings.path}')
      and l.inserted_at between $2 and $3 and ${isOfScope('l')}
    order by l.inserted_at desc, l.id desc limit ${MOST}`)} as settings,
  ${LIST(`
    select k.rollout_id as "rolloutId", v.version, k.state, k.reason,
      ${MS('coalesce(k.begun_at, k.offered_at)')} as "fromMs",
      ${MS('case when k.is_open then null else coalesce(k.ended_at, k.changed_at) end')} as "toMs"
    from client_update k join client_rollout o on o.id = k.rollout_id join client_release v on v.id = o.release_id
    where k.device_id = $1 and k.offered_at <= $3
      and (k.is_open or coalesce(k.ended_at, k.changed_at) >= $2)
    order by coalesce(k.begun_at, k.offered_at) desc limit ${MOST}`)} as updates,
  ${LIST(`
    select ${MS('h.at')} as "atMs", h.is_online as "isOnline", h.reason from device_presence_history h
    where h.device_id = $1
      and h.at >= coalesce((select max(b.at) from device_presence_history b where b.device_id = $1 and b.at <= $2), $2)
      and h.at <= coalesce((select min(b.at) from device_presence_history b where b.device_id = $1 and b.at > $3), $3)
    order by h.at desc limit 2 * ${MOST}`)} as presence,
  ${LIST(`
    select m.id, ${MS('m.start_at')} as "fromMs", ${MS('coalesce(m.end_at, m.start_at)')} as "toMs",
      left(m.action_comment, ${SHOWN_COMMENT_LENGTH}) as comment, m.component_name as "componentName"
    from maintenance_entry m where m.device_id = $1 and m.start_at <= $3
      and coalesce(m.end_at, m.start_at) >= $2 and ${isOfScope('m')}
    order by m.start_at desc, m.id desc limit ${MOST}`)} as maintenance,
  ${LIST(`
    select w.id as "windowId", w.reason, ${MS('m.from_at')} as "fromMs",
      ${MS('case when m.to_at <= now() then m.to_at end')} as "toMs"
    from device_maintenance m join maintenance_window w on w.id = m.window_id
    where m.device_id = $1 and m.from_at <= least($3, now()) and m.to_at >= $2 and (w.customer_id is null or ${isOfScope('w')})
    order by m.from_at desc limit ${MOST}`)} as windows,
  (select ${MS('max(p.left_at)')}::float8 from device_departure p where p.device_id = $1) as "arrivedMs"`

/** Reads what is recorded of a device whose visibility is checked at the same time. */
export async function readWrittenDown(
  queryable: Queryable,
  scope: Scope,
  deviceId: DeviceId,
  { from, to }: Period,
  mostItems: number,
): Promise<WrittenDown> {
  return onlyRow(
    await queryable.query<WrittenDown>(WRITTEN_DOWN, [deviceId, from, to, customerOf(scope), mostItems + 1]),
  )
}

export async function readTimeZone(
  queryable: Queryable,
  scope: Scope,
  deviceId: DeviceId,
): Promise<string | undefined> {
  const { rows } = await queryable.query<{ zone: string }>(
    `select time_zone as zone from device
       where id = $1 and deleted_at is null and ($2::integer is null or customer_id = $2)`,
    [deviceId, customerOf(scope)],
  )
  const [found] = rows
  // The zone is checked by Node.js, because the database may know other zones.
  return found && (isTimeZone(found.zone) ? found.zone : 'UTC')
}
