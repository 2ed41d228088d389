import type pg from 'pg'
import type { LightMinutes } from '#domain/darkness/minutes/darkMinutes.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Scope } from '#server/http/call/caller.ts'
import type { SumsQuestion } from './darkMinutes.store.ts'

/** Devices of a customer that belonged to it for the same part of a period. */
export interface SpanSum {
  readonly customerId: CustomerId
  readonly customerName: string
  readonly timeZone: string
  /** The day from which light was owed, or the first day of the period. */
  readonly first: LocalDate
  readonly ownedTo: LocalDate | null
  /** Set for a device with several such spans; null when there are as many devices as spans. */
  readonly deviceId: DeviceId | null
  readonly count: number
  /**
   * Devices that were counted up to a moment shortly before now, and the sum of these moments in minutes since 1970.
   */
  readonly lately: number
  readonly latelyMinutes: number
  /** Devices that begin within their first day, and the sum of these moments, in the same way. */
  readonly begun: number
  readonly begunMinutes: number
}

export interface CustomerSum extends Omit<LightMinutes, 'unknown'> {
  readonly customerId: CustomerId
  /** The last day on which `lit` contains a device's light in off times. */
  readonly lastNotToldApart: LocalDate | null
}

export interface Darkest {
  readonly deviceIds: readonly DeviceId[]
  /** Any other device has at most so many unplanned minutes; 0 means that no other has any. */
  readonly othersAtMost: number
}

const DARK_MINUTES = 'select k.device_id as id, sum(k.unplanned_min)::integer as minutes from device_dark_day k'
/** Group sums as floating seconds are cheaper than the numeric values that `extract` returns. */
const COUNTED = `count(*) as count, count(*) filter (where counted_to > $3 and counted_to < $4) as lately,
  coalesce(sum(floor(date_part('epoch', counted_to) / 60 + 0.5))
    filter (where counted_to > $3 and counted_to < $4), 0) as "latelyMinutes",
  count(begins_at) filter (where first_day >= $1) as begun,
  coalesce(sum(floor(date_part('epoch', begins_at) / 60 + 0.5)) filter (where first_day >= $1), 0) as "begunMinutes"`
const IS_ASKED = '(owned_to is null or (owned_to >= $1 and owned_from <= $2))'
const IN_PERIOD = 'k.day between $1 and $2 and k.unplanned_min > 0'

/** Tells whether every customer of the scope is summed. */
export async function areSumsKept(pool: pg.Pool, scope: Scope): Promise<boolean> {
  const { rows } = await pool.query<{ is_kept: boolean }>(
    scope.kind === 'everything'
      ? 'select not exists (select from customer where id not in (select customer_id from dark_summed)) as is_kept'
      : 'select exists (select from dark_summed where customer_id = $1) as is_kept',
    scope.kind === 'everything' ? [] : [scope.customerId],
  )
  return rows[0]?.is_kept ?? false
}

/** Reads sums that the leading process maintains (server/darkness/sums).
 *
 * @param lately devices that were counted up to a moment between these are added separately */
export async function readSpans(
  pool: pg.Pool,
  { scope, from, to }: SumsQuestion,
  [after, before]: readonly [after: Date, before: Date],
): Promise<readonly SpanSum[]> {
  const isAll = scope.kind === 'everything'
  const { rows } = await pool.query<SpanSum>(
    `select s.customer_id as "customerId", c.name as "customerName", s.time_zone as "timeZone",
         to_char(s.first, 'YYYY-MM-DD') as first, to_char(s.owned_to, 'YYYY-MM-DD') as "ownedTo",
         s.device_id as "deviceId", s.count::integer, s.lately::integer, s."latelyMinutes",
         s.begun::integer, s."begunMinutes"
       from (
         select customer_id, time_zone, greatest(first_day, $1::date) as first, owned_to, null::integer as device_id,
           ${COUNTED} from dark_span where is_only and ${IS_ASKED} ${isAll ? '' : 'and customer_id = $5'}
         group by 1, 2, 3, 4
         union all
         select customer_id, time_zone, greatest(first_day, $1::date), owned_to, device_id,
           ${COUNTED} from dark_span where not is_only and ${IS_ASKED} ${isAll ? '' : 'and customer_id = $5'}
         group by 1, 2, 3, 4, 5) s
       join customer c on c.id = s.customer_id`,
    isAll ? [from, to, after, before] : [from, to, after, before, scope.customerId],
  )
  return rows
}

export async function readCustomerSums(
  pool: pg.Pool,
  { scope, from, to }: SumsQuestion,
): Promise<readonly CustomerSum[]> {
  const isAll = scope.kind === 'everything'
  const { rows } = await pool.query<CustomerSum>(
    `select customer_id as "customerId", sum(unplanned_min)::float8 as unplanned, sum(planned_min)::float8 as planned,
         sum(lit_min)::float8 as lit, sum(lit_in_off_min)::float8 as "litInOffTime",
         sum(maintenance_min)::float8 as maintenance,
         to_char(max(day) filter (where untold_devices > 0), 'YYYY-MM-DD') as "lastNotToldApart"
       from customer_dark_day where day between $1 and $2 ${isAll ? '' : 'and customer_id = $3'} group by 1`,
    isAll ? [from, to] : [from, to, scope.customerId],
  )
  return rows
}

/** Finds the devices that may have been darkest, at least that many where there are, by all days that are kept. */
export async function readDarkestEver(pool: pg.Pool, { scope }: SumsQuestion, most: number): Promise<Darkest> {
  const isAll = scope.kind === 'everything'
  const { rows } = await pool.query<DarkDevice>(
    `select device_id as id, dark_min as minutes from dark_span ${isAll ? '' : 'where customer_id = $2'}
       order by dark_min desc, device_id limit $1`,
    isAll ? [most] : [most, scope.customerId],
  )
  return darkestOf(rows, most)
}

/** Finds the darkest by the days of the period, of which a long one has many. */
export async function readDarkest(pool: pg.Pool, { scope, from, to }: SumsQuestion, most: number): Promise<Darkest> {
  const isAll = scope.kind === 'everything'
  const { rows } = await pool.query<DarkDevice>(
    isAll
      ? `select id, minutes from (${DARK_MINUTES} where ${IN_PERIOD} group by 1) k
           where id in (select device_id from dark_span) order by minutes desc, id limit $3`
      : `${DARK_MINUTES} join (select distinct device_id from dark_span where customer_id = $4) theirs
             on theirs.device_id = k.device_id
           where ${IN_PERIOD} group by 1 order by minutes desc, id limit $3`,
    isAll ? [from, to, most] : [from, to, most, scope.customerId],
  )
  return darkestOf(rows, most)
}

interface DarkDevice {
  readonly id: DeviceId
  readonly minutes: number
}

const darkestOf = (rows: readonly DarkDevice[], most: number): Darkest => ({
  deviceIds: [...new Set(rows.map(({ id }) => id))],
  othersAtMost: rows.length < most ? 0 : (rows.at(-1)?.minutes ?? 0),
})
