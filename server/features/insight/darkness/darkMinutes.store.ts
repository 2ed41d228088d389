import type pg from 'pg'
import { DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { LightMinutes } from '#domain/darkness/minutes/darkMinutes.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** The counted minutes of a day, up to a moment; nothing is known of the rest. */
export interface StoredDay extends Omit<LightMinutes, 'unknown' | 'litInOffTime'> {
  readonly date: LocalDate
  /** Null when it is not separate from `lit`, and cannot be any more or is not yet. */
  readonly litInOffTime: number | null
  /** Minutes whose light was measured; null when that is unknown. */
  readonly measured: number | null
}

/** A UTC day with the hours, one bit each, whose readings are not counted yet. */
export interface DueDay {
  readonly day: string
  readonly hours: number
}

export interface StoredDays {
  readonly days: readonly StoredDay[]
  readonly createdAt: Date
  readonly firstDay: LocalDate | null
  readonly arrivedOn: LocalDate | null
}

/** The sum of a device's stored days in a period, as far as they belong to one customer. */
export interface DeviceSum extends Omit<LightMinutes, 'unknown'> {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly customerId: CustomerId
  readonly customerName: string
  readonly timeZone: string
  readonly createdAt: Date
  readonly firstDay: LocalDate | null
  /** The last day on which `lit` contains the light in off times. */
  readonly lastNotToldApart: LocalDate | null
  /** The first and last day of the customer, both included; null means since the device was added, and still. */
  readonly ownedFrom: LocalDate | null
  readonly ownedTo: LocalDate | null
  /** Another customer has the device now, so the reader cannot open it. */
  readonly hasLeft: boolean
  readonly countedTo: Date | null
}

export interface SumsQuestion {
  readonly scope: Scope
  readonly from: LocalDate
  readonly to: LocalDate
  /** Limits the sums to these devices. */
  readonly deviceIds?: readonly DeviceId[]
}

/** Must be read before the stored days: whatever is not due by then is in them. */
export async function readDueDays(pool: pg.Pool, deviceId: DeviceId): Promise<readonly DueDay[]> {
  const { rows } = await pool.query<DueDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, bit_or(hours) as hours from (
         select day, hours from dark_due where device_id = $1
         union all
         select (hour at time zone 'UTC')::date, 1 << extract(hour from hour at time zone 'UTC')::integer
         from (
           select hour from rollup_mark where device_id = $1 and event_type_id = ${DISPLAY_EVENT_TYPE_ID}
           union all
           select from_at from state_mark where device_id = $1 and event_type_id = ${DISPLAY_EVENT_TYPE_ID}) marked
         ) due
       where day > (select complete_from from rollup_state) group by 1`,
    [deviceId],
  )
  return rows
}

export async function readStoredDays(
  pool: pg.Pool,
  deviceId: DeviceId,
  from: LocalDate,
  to: LocalDate,
): Promise<StoredDays> {
  const [days, device] = await Promise.all([
    pool.query<StoredDay>(
      `select to_char(day, 'YYYY-MM-DD') as date, unplanned_min as unplanned, planned_min as planned,
           lit_min as lit, lit_in_off_min as "litInOffTime", maintenance_min as maintenance,
           measured_min as measured
         from device_dark_day where device_id = $1 and day between $2 and $3`,
      [deviceId, from, to],
    ),
    pool.query<Pick<StoredDays, 'createdAt' | 'firstDay' | 'arrivedOn'>>(
      `select created_at as "createdAt", (select to_char(min(k.day), 'YYYY-MM-DD') from device_dark_day k
           where k.device_id = d.id) as "firstDay",
           (select to_char(max(p.last_day), 'YYYY-MM-DD') from device_departure p where p.device_id = d.id)
             as "arrivedOn"
         from device d where d.id = $1`,
      [deviceId],
    ),
  ])
  const { createdAt = new Date(), firstDay = null, arrivedOn = null } = device.rows[0] ?? {}
  return { days: days.rows, createdAt, firstDay, arrivedOn }
}

/**
 * Sums every Paired device with displays within the scope, and those that were so when they left: a day belongs to
 * the customer with whom it began.
 */
export async function readDeviceSums(
  pool: pg.Pool,
  { scope, from, to, deviceIds }: SumsQuestion,
): Promise<readonly DeviceSum[]> {
  const isAll = scope.kind === 'everything'
  const { rows } = await pool.query<DeviceSum>(
    `with owned as (
         select d.id as device_id, d.customer_id, d.name, d.status_id, null::date as last_day, false as has_left,
           (select max(p.last_day) + 1 from device_departure p where p.device_id = d.id) as first_day
         from device d where d.deleted_at is null
         union all
         select p.device_id, p.customer_id, p.name, p.status_id, p.last_day, true,
           (select max(e.last_day) + 1 from device_departure e
            where e.device_id = p.device_id and e.left_at < p.left_at)
         from device_departure p where p.last_day >= $1)
       select d.id, d.guid, o.name, o.customer_id as "customerId", c.name as "customerName",
         to_char(o.first_day, 'YYYY-MM-DD') as "ownedFrom", to_char(o.last_day, 'YYYY-MM-DD') as "ownedTo",
         ${isAll ? 'false' : 'o.has_left and d.customer_id <> o.customer_id'} as "hasLeft",
         d.time_zone as "timeZone", d.created_at as "createdAt",
         (select to_char(min(f.day), 'YYYY-MM-DD') from device_dark_day f where f.device_id = d.id) as "firstDay",
         coalesce(s.unplanned, 0)::integer as unplanned, coalesce(s.planned, 0)::integer as planned,
         coalesce(s.lit, 0)::integer as lit, coalesce(s.lit_in_off, 0)::integer as "litInOffTime",
         coalesce(s.maintenance, 0)::integer as maintenance,
         to_char(s.last_not_told_apart, 'YYYY-MM-DD') as "lastNotToldApart", s.counted_to as "countedTo"
       from owned o join device d on d.id = o.device_id join customer c on c.id = o.customer_id
       cross join lateral (
         select sum(k.unplanned_min) as unplanned, sum(k.planned_min) as planned, sum(k.lit_min) as lit,
           sum(k.lit_in_off_min) as lit_in_off, sum(k.maintenance_min) as maintenance,
           max(k.day) filter (where k.lit_in_off_min is null) as last_not_told_apart,
           max(k.counted_to) as counted_to
         from device_dark_day k where k.device_id = d.id
           and k.day between greatest($1, o.first_day) and least($2, o.last_day)) s
       where d.deleted_at is null and o.status_id = ${DEVICE_STATUS.active}
         and ($3::integer[] is null or o.device_id = any ($3::integer[])) ${isAll ? '' : 'and o.customer_id = $4'}
         and (o.last_day is null or o.first_day is null or o.first_day <= least($2, o.last_day))
         and exists (select from device_component p
                     where p.device_id = d.id and p.category_id = ${CATEGORY.display})`,
    isAll ? [from, to, deviceIds ?? null] : [from, to, deviceIds ?? null, scope.customerId],
  )
  return rows
}
