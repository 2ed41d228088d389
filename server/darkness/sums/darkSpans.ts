import type pg from 'pg'
import { CATEGORY } from '#domain/components/componentFields.ts'
import { beginOf, firstDateOf, lightDay } from '#domain/darkness/minutes/lightDays.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'

/** A time for which a device counts for a customer: it is Paired, has displays and belongs to them. */
interface SpanRow {
  readonly device_id: DeviceId
  readonly owned_from: string
  readonly owned_to: string | null
  readonly customer_id: CustomerId
  readonly time_zone: string
  readonly created_at: Date
  readonly day_one: LocalDate | null
  readonly dark_min: number
}

/** SQL for these times of the devices as they are now. `$1` are the device ids. */
const SPANS = `
  select o.device_id, coalesce(o.owned_from, '-infinity') as owned_from, o.owned_to, o.customer_id, d.time_zone, d.created_at
  from (
    select d.id as device_id, d.customer_id, d.status_id, p.owned_from, null::date as owned_to
    from device d left join (
      select device_id, max(last_day) + 1 as owned_from from device_departure where device_id = any ($1::integer[])
      group by device_id) p on p.device_id = d.id
    where d.id = any ($1::integer[])
    union all
    select device_id, customer_id, status_id, max(last_day) over (partition by device_id order by left_at
      rows between unbounded preceding and 1 preceding) + 1, last_day
    from device_departure where device_id = any ($1::integer[])) o
  join device d on d.id = o.device_id and d.deleted_at is null
  join (select distinct device_id from device_component where device_id = any ($1::integer[])
    and category_id = ${CATEGORY.display}) fitted on fitted.device_id = o.device_id
  where o.status_id = ${DEVICE_STATUS.active} and (o.owned_to is null or o.owned_from is null or o.owned_from <= o.owned_to)`

/** @returns the devices whose times differ from the stored ones */
export async function movedDevices(owner: pg.ClientBase, deviceIds: readonly DeviceId[]): Promise<readonly DeviceId[]> {
  const { rows } = await owner.query<{ device_id: DeviceId }>(
    `with now as (select device_id, owned_from, owned_to, customer_id, time_zone from (${SPANS}) spans),
     kept as (select device_id, owned_from, owned_to, customer_id, time_zone from dark_span
       where device_id = any ($1::integer[]))
     select distinct device_id from (
       (table now except table kept) union all (table kept except table now)) moved order by device_id`,
    [deviceIds],
  )
  return rows.map(({ device_id }) => device_id)
}

export async function keepSpans(owner: pg.ClientBase, deviceIds: readonly DeviceId[]): Promise<void> {
  const { rows } = await owner.query<SpanRow>(
    `select s.device_id, s.owned_from::text, s.owned_to::text, s.customer_id, s.time_zone, s.created_at,
       days.day_one::text, coalesce(days.dark_min, 0)::integer as dark_min
     from (${SPANS}) s left join (
       select device_id, min(day) as day_one, sum(unplanned_min) as dark_min from device_dark_day where device_id = any ($1::integer[])
       group by device_id) days on days.device_id = s.device_id`,
    [deviceIds],
  )
  const times = new Map<DeviceId, number>()
  for (const { device_id } of rows) times.set(device_id, (times.get(device_id) ?? 0) + 1)
  await owner.query('delete from dark_span where device_id = any ($1::integer[])', [deviceIds])
  await owner.query(INSERT_SQL, [
    rows.map((row) => row.device_id),
    rows.map((row) => row.owned_from),
    rows.map((row) => row.owned_to),
    rows.map((row) => row.customer_id),
    rows.map((row) => row.time_zone),
    rows.map(firstDay),
    rows.map((row) => row.dark_min),
    rows.map((row) => times.get(row.device_id) === 1),
    rows.map(beginWithinFirstDay),
  ])
}

function firstDay({ owned_from, time_zone, created_at, day_one }: SpanRow): LocalDate {
  const there = firstDateOf(created_at, day_one, isTimeZone(time_zone) ? time_zone : 'UTC')
  return owned_from === '-infinity' || there > owned_from ? there : owned_from
}

/** Null where the first day counts as a whole, or not at all because the time ended before it. */
function beginWithinFirstDay(row: SpanRow): Date | null {
  const zone = isTimeZone(row.time_zone) ? row.time_zone : 'UTC'
  const first = firstDay(row)
  if (row.owned_to !== null && row.owned_to < first) return null
  const beginMs = beginOf(row.created_at, row.day_one, zone)
  return beginMs > lightDay(first, zone).fromMs ? new Date(beginMs) : null
}

const INSERT_SQL = `
  insert into dark_span
    (device_id, owned_from, owned_to, customer_id, time_zone, first_day, dark_min, is_only, begins_at, counted_to)
  select g.device_id, g.owned_from, g.owned_to, g.customer_id, g.time_zone, g.first_day, g.dark_min, g.is_only,
    g.begins_at, max(k.counted_to)
  from unnest($1::integer[], $2::date[], $3::date[], $4::integer[], $5::text[], $6::date[], $7::integer[], $8::boolean[],
      $9::timestamptz[])
    as g (device_id, owned_from, owned_to, customer_id, time_zone, first_day, dark_min, is_only, begins_at)
  left join device_dark_day k on k.device_id = g.device_id and k.day >= g.owned_from
    and k.day <= coalesce(g.owned_to, 'infinity')
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9`
