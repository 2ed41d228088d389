import type { z } from 'zod'
import type { WindowState } from '#contract/call/listOptions.ts'
import type { MaintenanceWindow, maintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceGuid, DeviceId, UserId } from '#domain/ids.ts'
import {
  type MaintenanceSchedule,
  nextOccurrences,
  occurrencesWithin,
} from '#domain/maintenanceWindows/maintenanceSchedule.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf, isWithin } from '#server/http/call/scopeSql.ts'

/** The statement has to name the table `w`. */
export const SCHEDULE_COLUMNS = `w.from_at, w.to_at, w.weekdays, w.from_time, w.to_time, w.time_zone,
  to_char(w.first_day, 'YYYY-MM-DD') as first_day, to_char(w.last_day, 'YYYY-MM-DD') as last_day`

export interface ScheduleRow {
  readonly id: number
  readonly from_at: Date | null
  readonly to_at: Date | null
  readonly weekdays: number[] | null
  readonly from_time: string | null
  readonly to_time: string | null
  readonly time_zone: string
  readonly first_day: string | null
  readonly last_day: string | null
}

export function toSchedule(row: ScheduleRow): MaintenanceSchedule {
  const { time_zone: timeZone } = row
  if (row.weekdays === null && row.from_at && row.to_at)
    return { kind: 'once', from: row.from_at, to: row.to_at, timeZone }
  return {
    kind: 'weekly',
    weekdays: row.weekdays ?? [],
    from: row.from_time ?? '',
    to: row.to_time ?? '',
    timeZone,
    firstDay: row.first_day ?? '',
    lastDay: row.last_day,
  }
}

export interface WindowRow extends ScheduleRow {
  readonly target_kind: 'device' | 'devices' | 'tag' | 'customer' | 'all'
  readonly customer_id: CustomerId | null
  readonly target_device_id: DeviceId | null
  readonly tag: string | null
  readonly reason: string
  readonly tells_customer: boolean
  readonly username: string
  readonly created_at: Date
  readonly ended_at: Date | null
  readonly ends_at: Date
  readonly device_guid: DeviceGuid | null
  readonly device_name: string | null
  readonly device_ids: DeviceId[]
  readonly customer_name: string | null
  readonly current_from: Date | null
  readonly current_to: Date | null
  readonly device_count: number
  readonly has_begun: boolean
}

interface Request {
  readonly state?: WindowState | undefined
  readonly customerId?: CustomerId | undefined
  readonly deviceId?: DeviceId | undefined
  readonly beforeId?: number | undefined
  readonly id?: number | undefined
  readonly skip?: number | undefined
  readonly atMost: number
}

/**
 * $1 is now, $2 the customer of the scope or null, $3 the state, $4 the customer, $5 the device, $6 the id before which
 * to read, $7 the limit, $8 an id, $9 how many to skip.
 */
const ROWS_SQL = `
  with lasting as (
    select window_id, min(from_at) as from_at, max(to_at) as to_at from maintenance_occurrence
    where from_at <= $1 and to_at > $1 group by window_id),
  wanted as materialized (
    select w.*, lasting.from_at as current_from, lasting.to_at as current_to from maintenance_window w
    left join lasting on lasting.window_id = w.id
    where ($2::integer is null or w.customer_id = $2 or w.target_kind = 'all' or (w.customer_id is null and exists (
        select from device t where t.customer_id = $2 and t.deleted_at is null
          and (t.tag_keys @> array[w.tag_key] or t.id = any(w.target_device_ids)))))
      and (w.target_device_id is null or w.target_device_id in (select id from device where deleted_at is null))
      and case $3::text when 'now' then lasting.window_id is not null
        when 'coming' then lasting.window_id is null and w.ends_at > $1
        when 'past' then lasting.window_id is null and w.ends_at <= $1
        else $8::integer is not null or lasting.window_id is not null or w.ends_at > $1 end
      and ($4::integer is null or w.customer_id = $4)
      and ($5::integer is null or w.target_device_id = $5
        or w.id in (select window_id from device_maintenance where device_id = $5)
        or (w.ends_at > $1 and w.target_kind <> 'device' and exists (select from device t where t.id = $5
          and (w.customer_id is null or t.customer_id = w.customer_id)
          and (w.tag_key is null or t.tag_keys @> array[w.tag_key])
          and (w.target_device_ids is null or t.id = any(w.target_device_ids)))))
      and ($6::integer is null or w.id < $6) and ($8::integer is null or w.id = $8)
    order by w.id desc offset $9 limit $7),
  held as (
    select m.window_id, count(distinct m.device_id)::int as devices from device_maintenance m
    join device d on d.id = m.device_id and d.deleted_at is null and ($2::integer is null or d.customer_id = $2)
    where m.window_id in (select id from wanted where current_from is not null) and m.from_at <= $1 and m.to_at > $1
    group by m.window_id)
  select w.id, ${SCHEDULE_COLUMNS}, w.target_kind, w.customer_id, w.target_device_id, w.tag, w.reason, w.tells_customer,
    w.created_at, w.ended_at, w.ends_at, d.guid as device_guid, d.name as device_name, c.name as customer_name,
    case when $2::integer is not null and u.customer_id is distinct from $2 then 'Staff' else w.username end as username,
    array(select t.id from device t where t.id = any(w.target_device_ids) and t.deleted_at is null
      and ($2::integer is null or t.customer_id = $2) order by t.id) as device_ids,
    w.current_from, w.current_to, coalesce(held.devices, 0) as device_count,
    exists (select from maintenance_occurrence o where o.window_id = w.id and o.from_at <= $1) as has_begun
  from wanted w
  left join device d on d.id = w.target_device_id and d.customer_id = w.customer_id and d.deleted_at is null
  left join customer c on c.id = w.customer_id
  left join app_user u on u.id = w.created_by
  left join held on held.window_id = w.id
  order by w.id desc`

/** Reads the windows of a scope, and those of staff that include its devices. */
export async function readWindows(db: Db | Tx, scope: Scope, now: Date, asked: Request): Promise<WindowRow[]> {
  const { rows } = await statementsOf(db).query<WindowRow>(ROWS_SQL, [
    now,
    customerOf(scope),
    asked.state ?? null,
    asked.customerId ?? null,
    asked.deviceId ?? null,
    asked.beforeId ?? null,
    asked.atMost,
    asked.id ?? null,
    asked.skip ?? 0,
  ])
  return rows
}

export const findWindow = async (
  transaction: Tx,
  scope: Scope,
  now: Date,
  id: number,
): Promise<WindowRow | undefined> => (await readWindows(transaction, scope, now, { id, atMost: 1 }))[0]

const toSpan = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})

const isOver = (row: WindowRow, now: Date) => row.current_to === null && row.ends_at <= now

export function toWindow(row: WindowRow, scope: Scope, now: Date): MaintenanceWindow {
  const schedule = toSchedule(row)
  const [next] = row.ended_at || isOver(row, now) ? [] : nextOccurrences(schedule, now, 1)
  return {
    id: row.id,
    target: {
      kind: row.target_kind,
      deviceId: row.device_guid === null ? null : row.target_device_id,
      deviceGuid: row.device_guid,
      deviceName: row.device_name ?? '',
      deviceIds: row.device_ids,
      tag: row.tag ?? '',
      customerId: row.customer_id,
      customerName: row.customer_name ?? '',
    },
    reason: row.reason,
    schedule: scheduleOf(schedule),
    tellsCustomer: row.tells_customer,
    createdBy: row.username,
    created: row.created_at.toISOString(),
    ended: row.ended_at?.toISOString() ?? null,
    state: row.current_to ? 'now' : isOver(row, now) ? 'past' : 'coming',
    current:
      row.current_from && row.current_to
        ? { from: row.current_from.toISOString(), to: row.current_to.toISOString() }
        : null,
    next: next ? toSpan(next) : null,
    deviceCount: row.device_count,
    hasBegun: row.has_begun,
    mayChange: isWithin(scope, row.customer_id),
  }
}

function scheduleOf(schedule: MaintenanceSchedule): z.input<typeof maintenanceWindow>['schedule'] {
  if (schedule.kind === 'weekly') return { ...schedule, weekdays: [...schedule.weekdays] }
  return { ...schedule, from: schedule.from.toISOString(), to: schedule.to.toISOString() }
}

/** Lists the next occurrences; one that would have begun already begins now. */
export function timesOf(schedule: MaintenanceSchedule, now: Date, most: number) {
  const nowMs = now.getTime()
  const lasting = occurrencesWithin(schedule, { fromMs: nowMs, toMs: nowMs + 1 })
  const first = lasting.map(({ toMs }) => ({ fromMs: nowMs, toMs }))
  return [...first, ...nextOccurrences(schedule, now, most)].slice(0, most).map(toSpan)
}

export interface WrittenWindow {
  readonly schedule: MaintenanceSchedule
  readonly reason: string
  readonly tellsCustomer: boolean
  readonly endsAt: Date | 'infinity'
}

const scheduleValues = ({ schedule, reason, tellsCustomer, endsAt }: WrittenWindow) => [
  reason,
  tellsCustomer,
  endsAt,
  schedule.timeZone,
  ...(schedule.kind === 'once'
    ? [schedule.from, schedule.to, null, null, null, null, null]
    : [null, null, schedule.weekdays, schedule.from, schedule.to, schedule.firstDay, schedule.lastDay]),
]

export interface WindowTargetRow {
  readonly kind: WindowRow['target_kind']
  readonly customerId: CustomerId | null
  readonly deviceId: DeviceId | null
  /** The chosen devices, each once. */
  readonly deviceIds: readonly DeviceId[] | null
  readonly tag: string | null
  readonly tagKey: string | null
}

export async function addWindow(
  transaction: Tx,
  target: WindowTargetRow,
  window: WrittenWindow,
  by: { readonly userId: UserId; readonly username: string },
  now: Date,
): Promise<number> {
  const inserted = await statementsOf(transaction).query<{ id: number }>(
    `insert into maintenance_window (target_kind, customer_id, target_device_id, tag, tag_key, created_by, username,
       created_at, target_device_ids, reason, tells_customer, ends_at, time_zone, from_at, to_at, weekdays, from_time,
       to_time, first_day, last_day)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) returning id`,
    [
      target.kind,
      target.customerId,
      target.deviceId,
      target.tag,
      target.tagKey,
      by.userId,
      by.username,
      now,
      target.deviceIds,
      ...scheduleValues(window),
    ],
  )
  return onlyRow(inserted).id
}

export async function writeWindow(transaction: Tx, id: number, window: WrittenWindow): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query(
    `update maintenance_window set reason = $2, tells_customer = $3, ends_at = $4, time_zone = $5, from_at = $6, to_at = $7,
       weekdays = $8, from_time = $9, to_time = $10, first_day = $11, last_day = $12 where id = $1`,
    [id, ...scheduleValues(window)],
  )
  // Customers who were not notified of the start, or are not to be notified any more, must not be notified of the end.
  if (!window.tellsCustomer) {
    await statements.query(
      'update maintenance_occurrence set told_start = true, told_end = true where window_id = $1',
      [id],
    )
  }
}

export async function endWindow(transaction: Tx, id: number, now: Date): Promise<void> {
  await statementsOf(transaction).query(
    `update maintenance_window set ended_at = $2, ends_at = $2, planned_to = 'infinity' where id = $1`,
    [id, now],
  )
}

export async function deleteWindow(transaction: Tx, id: number): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query('delete from device_maintenance where window_id = $1', [id])
  await statements.query('delete from maintenance_window where id = $1', [id])
}
