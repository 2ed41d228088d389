import type pg from 'pg'
import { DISPLAY_EVENT_TYPE_ID, METER_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { literal } from '#server/db/copying/pipelinedTransaction.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { transactionOn } from '#server/db/transaction.ts'
import {
  GREATEST,
  LEAST,
  MEAN,
  MEASURED_LAYOUTS,
  type MeasuredLayout,
} from '#server/telemetry/ingress/measuredLayouts.ts'
import { type ComponentSpan, findSettled, type Settled } from '../settled/settledDays.ts'
import { bucketsOf, type SettledBucket } from '../settled/settledValues.ts'

const HOURS = 24
const MOST_MARKS = 50_000
/** The running day of a device changes every minute, so its dark minutes are counted only this often. */
const RUNNING_DAY_RESTS_SECONDS = 600
/** Removed dirty ranges leave dead rows, through which readers of series would have to wade. */
const MARKS_WORTH_CLEANING = 10_000
const FIRST_CHUNK = 64
const SMALLEST_CHUNK = 8
const LARGEST_CHUNK = 512
const WISHED_CHUNK_MS = 250

interface DueRow {
  readonly device_id: number
  readonly event_type_id: number
  readonly number: number
  /** The number of days since 1970. */
  readonly day: number
  /** Each hour of the day is one bit. */
  readonly hours: number
  /** All readings of this day and later ones are there. */
  readonly complete_from: string
}

export interface RefreshOptions {
  readonly now: Date
  /** Limits the refresh to days before this one. Without it all days are refreshed. */
  readonly before?: Date
  /** This is asked between transactions. */
  readonly isOver: () => boolean
}

/**
 * Removes dirty ranges and works out exactly their hours from the raw rows, newest days first. Hours that have not
 * ended stay due. Each step is one transaction, so a process that is killed anywhere leaves everything either due or
 * done. Readings that arrive meanwhile bring dirty ranges of their own.
 *
 * @returns whether nothing was left
 */
export async function refreshRollups(owner: pg.ClientBase, { now, before, isOver }: RefreshOptions): Promise<boolean> {
  await gatherMarks(owner, now, isOver)
  let chunk = FIRST_CHUNK
  while (!isOver()) {
    const beganAt = performance.now()
    const taken = await refreshSome(owner, now, before, chunk)
    if (taken < chunk) return true
    const tookMs = performance.now() - beganAt
    if (tookMs > WISHED_CHUNK_MS) chunk = Math.max(SMALLEST_CHUNK, Math.floor(chunk / 2))
    else if (tookMs < WISHED_CHUNK_MS / 3) chunk = Math.min(LARGEST_CHUNK, chunk * 2)
  }
  return false
}

/** Moves dirty ranges to tables that hold each hour once, for roll-ups and for dark minutes (decision 91). */
async function gatherMarks(owner: pg.ClientBase, now: Date, isOver: () => boolean): Promise<void> {
  let moved = 0
  for (let last = MOST_MARKS; last === MOST_MARKS && !isOver(); moved += last) {
    last = await transactionOn(owner, async () => {
      await owner.query(LOCK_SQL)
      const { rows } = await owner.query<{ gone: number }>(GATHER_SQL, [MOST_MARKS, now, RUNNING_DAY_RESTS_SECONDS])
      return rows[0]?.gone ?? 0
    })
  }
  if (moved >= MARKS_WORTH_CLEANING) await owner.query('vacuum rollup_mark')
}

/** Compiling such long statements would take longer than running them, so JIT is off. */
const LOCK_SQL = `select ${lockUntilCommit('rollups')}, set_config('jit', 'off', true)`

const GATHER_SQL = `
  with gone as (
    delete from rollup_mark where ctid = any (array(select ctid from rollup_mark limit $1))
    returning device_id, event_type_id, number, hour at time zone 'UTC' as hour
  ), gathered as (
    insert into rollup_due as d (device_id, event_type_id, number, day, hours)
    select device_id, event_type_id, number, hour::date, bit_or(1 << extract(hour from hour)::integer)
    from gone group by 1, 2, 3, 4
    on conflict (device_id, event_type_id, number, day) do update set hours = d.hours | excluded.hours
      where d.hours | excluded.hours <> d.hours
  ), darkened as (
    insert into dark_due as d (device_id, day, hours, due_at)
    select device_id, hour::date, bit_or(1 << extract(hour from hour)::integer),
      case when hour::date < ($2::timestamptz at time zone 'UTC')::date then $2
        else $2::timestamptz + make_interval(secs => $3) end
    from gone where event_type_id in (${DISPLAY_EVENT_TYPE_ID}, ${METER_EVENT_TYPE_ID}) group by 1, 2
    on conflict (device_id, day) do update set
      hours = d.hours | excluded.hours, due_at = least(d.due_at, excluded.due_at)
      where d.hours | excluded.hours <> d.hours or excluded.due_at < d.due_at
  )
  select count(*)::integer as gone from gone`

/** @returns the number of component days that were worked out */
async function refreshSome(owner: pg.ClientBase, now: Date, before: Date | undefined, limit: number): Promise<number> {
  return transactionOn(owner, async () => {
    await owner.query(LOCK_SQL)
    const { rows } = await owner.query<DueRow>(TAKE_SQL, [now, limit, before ?? 'infinity'])
    if (rows.length === 0) return 0
    // Separate statements see every reading whose dirty range the one before removed.
    const settled = await findSettled(owner, rows.map(spanOf))
    const open = rows.filter(({ day }) => day * DAY_MS >= settled.openFromMs)
    for (const { hours, layout } of REFRESHES) {
      const due = open.filter((row) => row.event_type_id === layout.type.id)
      if (due.length > 0) await owner.query(keepSql(hours, rows[0]?.complete_from ?? ''), refreshParameters(due))
    }
    await refreshSettled(owner, settled, rows)
    return rows.length
  })
}

const SAME_DUE = `d.device_id = t.device_id and d.event_type_id = t.event_type_id and d.number = t.number and d.day = t.day`

const TAKE_SQL = `
  with taken as materialized (
    select device_id, event_type_id, number, day, hours & finished_hours(day, $1) as hours
    from rollup_due
    where hours & finished_hours(day, $1) <> 0
      and ($3::text = 'infinity' or day < ($3::timestamptz at time zone 'UTC')::date)
    order by day desc, device_id, event_type_id, number
    limit $2
  ), running as (
    update rollup_due d set hours = d.hours & ~t.hours from taken t where ${SAME_DUE} and d.hours <> t.hours
  ), done as (
    delete from rollup_due d using taken t where ${SAME_DUE} and d.hours = t.hours
  )
  select device_id, event_type_id, number, day - date '1970-01-01' as day, hours,
    (select complete_from::text from rollup_state) as complete_from
  from taken`

const spanOf = ({ device_id, event_type_id, number, day, hours }: DueRow): ComponentSpan => ({
  ...{ deviceId: device_id as DeviceId, eventTypeId: event_type_id, number },
  fromMs: day * DAY_MS + firstHour(hours) * HOUR_MS,
  toMs: day * DAY_MS + (lastHour(hours) + 1) * HOUR_MS,
})

interface SettledHour {
  readonly device: number
  readonly field: number
  readonly day: number
  readonly hour: number
  readonly bucket: SettledBucket
}

/** Works out due hours of settled days. There are few, because only late readings make one due. */
async function refreshSettled(owner: pg.ClientBase, settled: Settled, due: readonly DueRow[]): Promise<void> {
  const hours: SettledHour[] = []
  for await (const one of settled.days({ withClaims: true })) {
    const { deviceId: device, eventTypeId, number, fromMs } = one.span
    const day = Math.floor(fromMs / DAY_MS)
    const wanted =
      due.find(
        ({ device_id, event_type_id, ...of }) =>
          device_id === device && event_type_id === eventTypeId && of.number === number && of.day === day,
      )?.hours ?? 0
    const measured = MEASURED_LAYOUTS.find(({ layout }) => layout.type.id === eventTypeId)?.measured ?? []
    for (const { ordinal, name } of measured) {
      const field = eventTypeId * 1000 + number * 100 + ordinal
      for (const bucket of bucketsOf(one, name, HOUR_MS)) {
        const hour = (bucket.atMs % DAY_MS) / HOUR_MS
        if ((wanted & (1 << hour)) !== 0) hours.push({ device, field, day, hour, bucket })
      }
    }
  }
  if (hours.length === 0) return
  await owner.query(keepSql(SETTLED_HOURS, due[0]?.complete_from ?? ''), [
    ...[hours.map(({ device }) => device), hours.map(({ field }) => field), hours.map(({ day }) => day)],
    ...[hours.map(({ hour }) => hour), hours.map(({ bucket }) => bucket.mean), hours.map(({ bucket }) => bucket.least)],
    ...[hours.map(({ bucket }) => bucket.greatest), hours.map(({ bucket }) => bucket.count)],
  ])
}

function refreshParameters(due: readonly DueRow[]): unknown[] {
  const froms = due.map((row) => new Date(spanOf(row).fromMs))
  const tos = due.map((row) => new Date(spanOf(row).toMs))
  return [
    due.map(({ device_id }) => device_id),
    due.map(({ number }) => number),
    due.map(({ day }) => day),
    due.map(({ hours }) => hours),
    froms,
    tos,
    // The outer bounds let the planner skip most partitions.
    new Date(Math.min(...froms.map(Number))),
    new Date(Math.max(...tos.map(Number))),
  ]
}

const firstHour = (hours: number) => 31 - Math.clz32(hours & -hours)
const lastHour = (hours: number) => 31 - Math.clz32(hours)

const REFRESHES = MEASURED_LAYOUTS.map((measured) => ({ layout: measured.layout, hours: hoursSql(measured) }))

/**
 * SQL that keeps hours. A known one stays as it is where readings have been deleted, because what is left is not all.
 *
 * @param hours rows of (device_id, field_id, day, hour, mean, least, greatest, amount)
 * @param completeFrom the day since which all readings are there
 */
function keepSql(hours: string, completeFrom: string): string {
  const dayOf = (column: string) =>
    `array[${Array.from({ length: HOURS }, (_, hour) => `max(${column}) filter (where hour = ${hour})`).join(', ')}]`
  const merged = (column: string) =>
    `${column} = case when excluded.day >= ${literal(completeFrom)}
       then filled_hours(excluded.${column}, r.${column}) else filled_hours(r.${column}, excluded.${column}) end`
  return `
    insert into rollup as r (device_id, field_id, day, means, minima, maxima, counts)
    select device_id, field_id, day, ${dayOf('mean')}, ${dayOf('least')}, ${dayOf('greatest')}, ${dayOf('amount')}
    from (${hours}) as hours
    group by device_id, field_id, day
    on conflict (device_id, field_id, day) do update set
      ${['means', 'minima', 'maxima', 'counts'].map(merged).join(',\n      ')}`
}

const SETTLED_HOURS = `
  select device_id, field_id, date '1970-01-01' + day_number as day, hour, mean, least, greatest, amount
  from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::real[], $6::real[], $7::real[], $8::integer[])
    as hours (device_id, field_id, day_number, hour, mean, least, greatest, amount)`

function hoursSql({ layout, measured }: MeasuredLayout): string {
  const aggregates = measured.map(
    ({ column }, index) =>
      `${MEAN(column)} as mean${index}, ${LEAST(column)} as least${index}, ` +
      `${GREATEST(column)} as greatest${index}, count(${column})::integer as count${index}`,
  )
  const fields = measured.map(
    ({ ordinal }, index) => `(${ordinal}, mean${index}, least${index}, greatest${index}, count${index})`,
  )
  return `
    select device_id, ${layout.type.id * 1000} + number * 100 + ordinal as field_id, day, hour, mean, least, greatest, amount
    from unnest($1::integer[], $2::smallint[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[])
        as due (device_id, number, day_number, hours, since, until)
    cross join lateral (select date '1970-01-01' + day_number as day) as days
    cross join lateral (
      select reading.device_id as its, date_part('hour', device_dt at time zone 'UTC')::integer as hour, ${aggregates.join(', ')}
      from ${layout.table} reading
      where reading.device_id = due.device_id and reading.number = due.number
        and device_dt >= due.since and device_dt < due.until and device_dt >= $7 and device_dt < $8
        and ${isBelieved()}
      group by 1, 2
    ) as hourly
    cross join lateral (values ${fields.join(', ')}) as fields (ordinal, mean, least, greatest, amount)
    where due.hours & (1 << hour) <> 0 and amount > 0`
}
