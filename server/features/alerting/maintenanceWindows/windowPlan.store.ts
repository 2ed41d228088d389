import type pg from 'pg'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type MaintenanceSchedule, occurrencesWithin } from '#domain/maintenanceWindows/maintenanceSchedule.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import { type Statements, statementsOf } from '#server/db/statements.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { SCHEDULE_COLUMNS, type ScheduleRow, toSchedule } from './windowRows.store.ts'

/**
 * The plan holds when each window lasts and which devices are in it. It reaches a day ahead, so that a server that was
 * away for less misses nothing. Changes of the plan run one after the other (docs/decisions/0193).
 */
const PLANNED_AHEAD_MS = 25 * HOUR_MS
/** A window is planned so far ahead that it need not be read in every round. */
const PLANNED_AT_LEAST_MS = DAY_MS
const ROWS_AT_ONCE = 5_000

/** Makes everything that changes the plan run one after the other. */
const lockPlan = (statements: Statements) => statements.query(`select ${lockUntilCommit('maintenanceWindows')}`)

/** Runs a change after those of others; mails that were held back may become due after it. */
export const inPlanTurn = <Result>(db: Db, work: (transaction: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    const statements = statementsOf(transaction)
    await lockPlan(statements)
    const result = await work(transaction)
    await statements.query(ringSql(MAILS_JOB))
    return result
  })

interface Planned {
  readonly id: number
  readonly schedule: MaintenanceSchedule
  /** Occurrences that begin before this moment are stored already. */
  readonly plannedTo: Date
  readonly tellsCustomer: boolean
}

/** A device that comes to match a window that has begun is in it from now on. */
const COVERED = `
  lasting as materialized (
    select o.window_id, o.from_at, o.to_at, w.target_kind, w.customer_id, w.target_device_id,
      w.target_device_ids, w.tag_key
    from maintenance_occurrence o join maintenance_window w on w.id = o.window_id
    where o.to_at > $1 and ($2::integer is null or o.window_id = $2)),
  covered as materialized (
    select l.window_id, l.from_at, l.to_at, d.id as device_id from lasting l
      join device d on d.id = l.target_device_id and d.customer_id = l.customer_id
      where l.target_kind = 'device' and d.deleted_at is null
    union all select l.window_id, l.from_at, l.to_at, d.id from lasting l join device d on d.id = any(l.target_device_ids)
      where l.target_kind = 'devices' and d.deleted_at is null and (l.customer_id is null or d.customer_id = l.customer_id)
    union all select l.window_id, l.from_at, l.to_at, d.id from lasting l join device d on d.tag_keys @> array[l.tag_key]
      where l.target_kind = 'tag' and d.deleted_at is null and (l.customer_id is null or d.customer_id = l.customer_id)
    union all select l.window_id, l.from_at, l.to_at, d.id from lasting l join device d on d.customer_id = l.customer_id
      where l.target_kind = 'customer' and d.deleted_at is null
    union all select l.window_id, l.from_at, l.to_at, d.id from lasting l cross join device d
      where l.target_kind = 'all' and d.deleted_at is null)`

/** `not in` is hashed even without statistics, which tables filled at this moment do not have. */
const JOIN_SQL = `
  with ${COVERED}
  insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
  select c.device_id, c.window_id, greatest(c.from_at, $3::timestamptz), c.to_at, c.from_at, greatest(c.from_at, $3)
  from covered c
  where greatest(c.from_at, $3::timestamptz) < c.to_at and (c.device_id, c.window_id, c.from_at) not in (
    select device_id, window_id, occurrence_at from device_maintenance
    where to_at > $1 and ($2::integer is null or window_id = $2))
  on conflict (device_id, window_id, from_at) do nothing
  returning device_id`

const LEAVE_SQL = `
  with ${COVERED},
  gone as (
    select device_id, window_id, from_at from device_maintenance
    where to_at > $1 and ($2::integer is null or window_id = $2)
      and (device_id, window_id, occurrence_at) not in (select device_id, window_id, from_at from covered)),
  never as (
    delete from device_maintenance m using gone g where m.device_id = g.device_id and m.window_id = g.window_id
      and m.from_at = g.from_at and m.from_at >= $1 returning m.device_id),
  cut as (
    update device_maintenance m set to_at = $1 from gone g where m.device_id = g.device_id
      and m.window_id = g.window_id and m.from_at = g.from_at and m.from_at < $1 returning m.device_id)
  select device_id from never union select device_id from cut`

/**
 * Adjusts who is in present and coming windows to the devices' tags, customers and deletion.
 * @param windowId limits it to one window
 * @returns devices whose maintenance has changed
 */
async function matchDevices(statements: Statements, now: Date, windowId?: number): Promise<DeviceId[]> {
  const left = await statements.query<{ device_id: DeviceId }>(LEAVE_SQL, [now, windowId ?? null])
  const joined = await statements.query<{ device_id: DeviceId }>(JOIN_SQL, [now, windowId ?? null, now])
  return [...left.rows, ...joined.rows].map(({ device_id }) => device_id)
}

/**
 * Plans further occurrences of a window, and who is in them. Occurrences that an absent server missed apply to the
 * devices that match now.
 */
async function planWindow(statements: Statements, window: Planned, now: Date): Promise<DeviceId[]> {
  const period = { fromMs: window.plannedTo.getTime(), toMs: now.getTime() + PLANNED_AHEAD_MS }
  const times = occurrencesWithin(window.schedule, period).filter(({ fromMs }) => fromMs >= period.fromMs)
  await addTimes(statements, window, times)
  const isAll = window.schedule.kind === 'once' && window.schedule.from.getTime() < period.toMs
  await statements.query(`update maintenance_window set planned_to = $2 where id = $1`, [
    window.id,
    isAll ? 'infinity' : new Date(period.toMs),
  ])
  const firstMs = times[0]?.fromMs
  if (firstMs === undefined) return []
  // The start must lie before all missed occurrences, or those would be left out.
  const since = new Date(Math.min(firstMs, now.getTime()))
  const { rows } = await statements.query<{ device_id: DeviceId }>(JOIN_SQL, [since, window.id, '-infinity'])
  return rows.map(({ device_id }) => device_id)
}

/** Nobody is notified of an occurrence that was over before it was stored, nor of windows that notify nobody. */
async function addTimes(
  statements: Statements,
  { id, tellsCustomer }: Omit<Planned, 'plannedTo'>,
  times: readonly Span[],
) {
  await statements.query(
    `insert into maintenance_occurrence (window_id, from_at, to_at, told_start, told_end)
     select $1, t.from_at, t.to_at, not $4, not $4 from unnest($2::timestamptz[], $3::timestamptz[]) t (from_at, to_at)
     on conflict do nothing`,
    [id, times.map(({ fromMs }) => new Date(fromMs)), times.map(({ toMs }) => new Date(toMs)), tellsCustomer],
  )
}

/**
 * Plans what begins within a day, and who is in it.
 * @returns devices whose maintenance has changed
 */
export const planInTurn = (owner: pg.ClientBase, now: Date): Promise<ReadonlySet<DeviceId>> =>
  transactionOn(owner, async () => {
    await lockPlan(owner)
    return new Set([...(await planAll(owner, now)), ...(await matchDevices(owner, now))])
  })

/** Plans every window whose stored occurrences do not reach far enough. */
async function planAll(statements: Statements, now: Date): Promise<DeviceId[]> {
  const { rows } = await statements.query<ScheduleRow & { planned_to: Date; tells_customer: boolean }>(
    `select w.id, ${SCHEDULE_COLUMNS}, w.planned_to, w.tells_customer from maintenance_window w
     where w.planned_to < $1 and w.ends_at > w.planned_to order by w.id`,
    [new Date(now.getTime() + PLANNED_AT_LEAST_MS)],
  )
  const changed: DeviceId[] = []
  for (const row of rows) {
    const { id, planned_to: plannedTo, tells_customer: tellsCustomer } = row
    changed.push(...(await planWindow(statements, { id, plannedTo, tellsCustomer, schedule: toSchedule(row) }, now)))
  }
  return changed
}

/** Plans a new or changed window; an occurrence that would have begun already begins now. */
export async function planAnew(transaction: Tx, window: Omit<Planned, 'plannedTo'>, now: Date): Promise<void> {
  const statements = statementsOf(transaction)
  const nowMs = now.getTime()
  const lasting = occurrencesWithin(window.schedule, { fromMs: nowMs, toMs: nowMs + 1 })
  const isThere = await statements.query(
    'select from maintenance_occurrence where window_id = $1 and from_at <= $2 and to_at > $2',
    [window.id, now],
  )
  if (isThere.rows.length === 0)
    await addTimes(
      statements,
      window,
      lasting.map(({ toMs }) => ({ fromMs: nowMs, toMs })),
    )
  await planWindow(statements, { ...window, plannedTo: new Date(nowMs + 1) }, now)
  await matchDevices(statements, now, window.id)
}

export async function devicesFrom(transaction: Tx, windowId: number, now: Date): Promise<DeviceId[]> {
  const { rows } = await statementsOf(transaction).query<{ device_id: DeviceId }>(
    'select distinct device_id from device_maintenance where window_id = $1 and to_at > $2',
    [windowId, now],
  )
  return rows.map(({ device_id }) => device_id)
}

export async function moveEnd(transaction: Tx, windowId: number, now: Date, to: Date): Promise<void> {
  await statementsOf(transaction).query(
    `with moved as (
       update maintenance_occurrence set to_at = $3 where window_id = $1 and from_at < $3 and from_at <= $2 and to_at > $2
       returning window_id, from_at)
     update device_maintenance m set to_at = $3 from moved o
     where m.window_id = o.window_id and m.occurrence_at = o.from_at and m.to_at > $2 and m.from_at < $3`,
    [windowId, now, to],
  )
}

export async function forgetComing(transaction: Tx, windowId: number, now: Date): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query('delete from device_maintenance where window_id = $1 and from_at > $2', [windowId, now])
  await statements.query('delete from maintenance_occurrence where window_id = $1 and from_at > $2', [windowId, now])
}

/** Ends the present occurrence now. Devices that entered it at this very moment never were in it. */
export async function endLasting(transaction: Tx, windowId: number, now: Date): Promise<void> {
  const statements = statementsOf(transaction)
  await statements.query('delete from device_maintenance where window_id = $1 and from_at = $2', [windowId, now])
  await statements.query('delete from maintenance_occurrence where window_id = $1 and from_at = $2', [windowId, now])
  await moveEnd(transaction, windowId, now, now)
}

/**
 * Makes the days of devices under maintenance due for counting, whether or not the devices reported: every hour during
 * maintenance, and at its end.
 * @returns the number of periods
 */
export async function countDaysAnew(statements: Statements, now: Date): Promise<number> {
  const { rows } = await statements.query<{ told: number }>(
    `with due as materialized (
       select device_id, window_id, from_at, due_to, least(to_at, $1) as counted_to from device_maintenance
       where due_to < to_at and from_at < $1 and (to_at <= $1 or due_to < $2)
       order by device_id, window_id, from_at limit ${ROWS_AT_ONCE} for update),
     marked as (
       insert into dark_due as d (device_id, day, hours, due_at)
       select device_id, hour::date, bit_or(1 << extract(hour from hour)::integer), $1
       from due cross join lateral generate_series(date_trunc('hour', due_to at time zone 'UTC'),
         counted_to at time zone 'UTC', interval '1 hour') as hour
       group by 1, 2 order by 1, 2
       on conflict (device_id, day) do update set hours = d.hours | excluded.hours, due_at = least(d.due_at, excluded.due_at)),
     noted as (
       update device_maintenance m set due_to = due.counted_to from due
       where m.device_id = due.device_id and m.window_id = due.window_id and m.from_at = due.from_at)
     select count(*)::int as told from due`,
    [now, new Date(now.getTime() - HOUR_MS)],
  )
  return rows[0]?.told ?? 0
}
