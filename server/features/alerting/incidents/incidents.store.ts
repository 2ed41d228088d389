import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { ANY_CUSTOMER } from '#contract/call/values.ts'
import {
  type IncidentAlert,
  type IncidentEntry,
  type listIncidents,
  MOST_INCIDENT_ENTRIES,
} from '#contract/http/alerting/incidents.ts'
import type { AlertId, DeviceGuid, DeviceId, IncidentId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { type TitleRow, titleColumns, titleOf } from '#server/fleet/alertTitles.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { hasLeft, shownAs } from '#server/http/call/history.store.ts'
import { type PageRequest, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { justAfter } from '#server/http/reading/period.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import {
  deviceAddress,
  deviceName,
  type IncidentRow,
  incidentRowsIn,
  shareOf,
  stateIdOf,
} from '#server/incidents/shownIncidents.store.ts'

type IncidentFilter = z.output<typeof listIncidents.query>

/** Staff who filter by a customer see that customer's share. */
const shareRequested = (scope: Scope, { customerId }: IncidentFilter): number =>
  customerId === undefined || customerId === ANY_CUSTOMER ? shareOf(scope) : customerId

function filtered(db: Db, scope: Scope, filter: IncidentFilter) {
  const { state, deviceId, severityId, text, isTaken, isSnoozed, dateFrom, dateTo, newFrom, overFrom } = filter
  const states = state === undefined ? [stateIdOf('active'), stateIdOf('over')] : [stateIdOf(state)]
  let rows = incidentRowsIn(db, scope, shareRequested(scope, filter)).where('s.state_id', 'in', states)
  if (deviceId !== undefined)
    rows = rows.where('s.incident_id', 'in', (parts) =>
      parts.selectFrom('incident_part').select('incident_id').where('device_id', '=', deviceId),
    )
  if (severityId !== undefined) rows = rows.where('s.severity_id', '=', severityId)
  if (dateFrom !== undefined) rows = rows.where('s.began_at', '>=', new Date(dateFrom))
  if (dateTo !== undefined) rows = rows.where('s.began_at', '<', justAfter(new Date(dateTo)))
  if (newFrom !== undefined) rows = rows.where('i.created_at', '>=', new Date(newFrom))
  if (overFrom !== undefined) rows = rows.where('s.over_at', '>=', new Date(overFrom))
  if (isTaken !== undefined) rows = rows.where('i.acknowledged_at', isTaken ? 'is not' : 'is', null)
  const isAsleep = sql<SqlBool>`coalesce(i.snoozed_until > now(), false)`
  if (isSnoozed !== undefined) rows = rows.where(isSnoozed ? isAsleep : sql<SqlBool>`not ${isAsleep}`)
  if (text !== undefined && text !== '') {
    const searched = sql`concat_ws(' ', alert.condition_text, condition.title, alert.metric_value_text, ${deviceName}, ${deviceAddress})`
    rows = rows.where(sql<SqlBool>`position(lower(${text}) in lower(${searched})) > 0`)
  }
  return rows
}

/** Active incidents come first, the most severe on top, then the newest. */
const ORDER = sql`s.state_id, case when s.state_id = 0 then s.severity_id else 0 end, s.began_at desc, s.incident_id desc`

export const readIncidents = (db: Db, scope: Scope, filter: IncidentFilter, { skip, size }: PageRequest<never>) =>
  filtered(db, scope, filter).orderBy(ORDER).offset(skip).limit(size).execute()

export async function countIncidents(db: Db, scope: Scope, filter: IncidentFilter) {
  const found = filtered(db, scope, filter).limit(ROWS_TO_COUNT).as('found')
  const row = await db
    .selectFrom(found)
    .select([sql<number>`count(*)::int`.as('rows'), sql<number>`coalesce(sum(found.alert_count), 0)::int`.as('alerts')])
    .executeTakeFirst()
  return { rows: row?.rows ?? 0, alerts: row?.alerts ?? 0 }
}

/** Finds an incident within the scope; one that was merged into another leads to that one. */
export async function findIncident(db: Db | Tx, scope: Scope, id: IncidentId): Promise<IncidentRow | undefined> {
  return incidentRowsIn(db, scope, shareOf(scope))
    .where('s.incident_id', '=', (own) =>
      own.selectFrom('incident').select(sql<IncidentId>`coalesce(joined_into, id)`.as('id')).where('id', '=', id),
    )
    .executeTakeFirst()
}

interface EntryRow extends TitleRow {
  readonly kind: IncidentEntry['kind']
  readonly at: Date
  readonly count: number
  readonly alert_id: AlertId
  readonly device_name: string
  readonly groups: number
}

/** Reads what alerts reported, the newest first. Reports of one minute are one entry. */
export async function readAlertEntries(db: Db | Tx, scope: Scope, { id, alert_id }: IncidentRow) {
  const share = shareOf(scope)
  const { rows } = await sql<EntryRow>`
    with own as materialized (
      select p.raised_at, p.over_at, alert.id, alert.device_id, ${sql.raw(titleColumns('alert'))},
        alert.status_id, alert.closed_at, ${deviceName} as device_name
      from incident_part p join alert on alert.device_id = p.device_id and alert.id = p.alert_id
      join device on device.id = p.device_id
      where p.incident_id = ${id} and (${share} = ${OF_ALL} or p.customer_id = ${share})),
    moment as (
      select 'raised' as kind, raised_at as at, * from own
      union all select 'over', over_at, * from own where over_at is not null and closed_at is distinct from over_at
      union all select distinct on (device_id, id) 'closed', closed_at, * from own where closed_at is not null),
    told as (
      select kind, min(at) as at, condition_text, told, field_id, min(condition_title) as condition_title,
        case when count(distinct (device_id, id)) = 1 then min(value) end as value, count(distinct (device_id, id))::int as count,
        (array_agg(id order by id <> ${alert_id}, at, id))[1] as alert_id,
        (array_agg(device_name order by id <> ${alert_id}, at, id))[1] as device_name
      from moment group by kind, date_trunc('minute', at), condition_text, told, field_id)
    select *, (count(*) over ())::int as groups from told order by at desc, kind, alert_id
    limit ${MOST_INCIDENT_ENTRIES}`.execute(db)
  const entries = rows.map(
    ({ kind, at, count, alert_id: first, device_name, ...named }): IncidentEntry => ({
      at: at.toISOString(),
      kind,
      text: titleOf(named),
      count,
      alertId: first,
      deviceName: device_name,
      username: '',
      isCause: kind === 'raised' && first === alert_id,
    }),
  )
  return { entries, older: (rows[0]?.groups ?? 0) - rows.length }
}

/** Hides the name and the author of a channel that belongs to another customer. */
const isOfOthers = (scope: Scope) =>
  scope.kind === 'everything'
    ? sql<boolean>`false`
    : sql<boolean>`d.channel_id is not null and not exists (
        select from channel c where c.id = d.channel_id and c.customer_id = ${scope.customerId})`

const actionText = (scope: Scope) => sql<string>`case when ${isOfOthers(scope)} then '' else d.text end`
const actionAuthor = (scope: Scope) =>
  sql<string>`case when ${isOfOthers(scope)} then 'Staff' else ${shownAs(scope, 'author', sql`d.username`)} end`

export async function readActions(db: Db | Tx, scope: Scope, id: IncidentId): Promise<IncidentEntry[]> {
  const rows = await db
    .selectFrom('incident_deed as d')
    .leftJoin('app_user as author', 'author.id', 'd.user_id')
    .select(['d.kind', 'd.at', actionText(scope).as('text'), actionAuthor(scope).as('username')])
    .where('d.incident_id', '=', id)
    .orderBy('d.id', 'desc')
    .limit(MOST_INCIDENT_ENTRIES)
    .execute()
  return rows.map(({ kind, at, text, username }) => ({
    at: at.toISOString(),
    kind: kind as IncidentEntry['kind'],
    text,
    count: 1,
    alertId: null,
    deviceName: '',
    username,
    isCause: false,
  }))
}

interface AlertRow extends TitleRow {
  readonly alert_id: AlertId
  readonly severity_id: number
  readonly device_id: DeviceId
  readonly guid: DeviceGuid
  readonly device_name: string
  readonly device_address: string
  readonly has_left: boolean
  readonly customer_name: string
  readonly began_at: Date
  readonly over_at: Date | null
  readonly times: number
  readonly is_open: boolean
}

/** Reads the root cause first, then the other alerts as they began. */
export async function readIncidentAlerts(
  db: Db,
  scope: Scope,
  { id, alert_id: causeId }: IncidentRow,
  { skip, size }: PageRequest<never>,
): Promise<IncidentAlert[]> {
  const share = shareOf(scope)
  const { rows } = await sql<AlertRow>`
    with own as materialized (
      select p.device_id, p.alert_id, min(p.onset_at) as began_at, count(*)::int as times, p.customer_id,
        case when bool_or(p.over_at is null) then null else max(p.over_at) end as over_at
      from incident_part p where p.incident_id = ${id} and (${share} = ${OF_ALL} or p.customer_id = ${share})
      group by p.device_id, p.alert_id, p.customer_id
      order by p.alert_id <> ${causeId}, min(p.onset_at), p.device_id, p.alert_id
      offset ${skip} limit ${size})
    select own.alert_id, ${sql.raw(titleColumns('alert'))}, alert.severity_id,
      own.device_id, device.guid, ${deviceName} as device_name, ${deviceAddress} as device_address,
      ${sql.raw(hasLeft(scope, 'alert'))} as has_left, c.name as customer_name, own.began_at, own.over_at, own.times,
      alert.status_id = 1 as is_open
    from own join alert on alert.device_id = own.device_id and alert.id = own.alert_id
    join device on device.id = own.device_id join customer c on c.id = own.customer_id
    order by own.alert_id <> ${causeId}, own.began_at, own.device_id, own.alert_id`.execute(db)
  return rows.map((row) => ({
    alertId: row.alert_id,
    text: titleOf(row),
    severityId: row.severity_id,
    deviceId: row.device_id,
    deviceGuid: row.guid,
    deviceName: row.device_name,
    deviceAddress: row.device_address,
    deviceHasLeft: row.has_left,
    customerName: row.customer_name,
    began: row.began_at.toISOString(),
    over: row.over_at?.toISOString() ?? null,
    times: row.times,
    isOpen: row.is_open,
    isCause: row.alert_id === causeId,
  }))
}
