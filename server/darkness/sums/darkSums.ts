import type pg from 'pg'
import type { LightMinutes } from '#domain/darkness/minutes/darkMinutes.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { keepSpans, movedDevices } from './darkSpans.ts'

const COLUMNS = 'unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, untold_devices'

/** SQL that follows `insert into customer_dark_day as c (customer_id, day, …) select …`. */
const ADD = `on conflict (customer_id, day) do update set unplanned_min = c.unplanned_min + excluded.unplanned_min,
  planned_min = c.planned_min + excluded.planned_min, lit_min = c.lit_min + excluded.lit_min,
  lit_in_off_min = c.lit_in_off_min + excluded.lit_in_off_min,
  maintenance_min = c.maintenance_min + excluded.maintenance_min,
  untold_devices = c.untold_devices + excluded.untold_devices`

/** SQL that adds (`sign` 1) or subtracts (-1) the days of devices within the times for which they count. */
const daysOf = (which: string, sign: 1 | -1) => `
  insert into customer_dark_day as c (customer_id, day, ${COLUMNS})
  select s.customer_id, k.day, ${sign} * sum(k.unplanned_min), ${sign} * sum(k.planned_min), ${sign} * sum(k.lit_min),
    ${sign} * sum(coalesce(k.lit_in_off_min, 0)), ${sign} * sum(k.maintenance_min),
    ${sign} * count(*) filter (where k.lit_in_off_min is null)
  from dark_span s join device_dark_day k on k.device_id = s.device_id and k.day >= s.owned_from
    and k.day <= coalesce(s.owned_to, 'infinity')
  where ${which} group by 1, 2 order by 1, 2 ${ADD}`

const OF_DEVICES = 's.device_id = any ($1::integer[]) and s.customer_id is distinct from $2::integer'

/** Makes the sums match the current times of these devices. The caller holds the lock of dark days. */
async function settle(owner: pg.ClientBase, deviceIds: readonly DeviceId[], except?: CustomerId): Promise<void> {
  const moved = await movedDevices(owner, deviceIds)
  if (moved.length === 0) return
  await owner.query(daysOf(OF_DEVICES, -1), [moved, except])
  await keepSpans(owner, moved)
  await owner.query(daysOf(OF_DEVICES, 1), [moved, except])
}

/** Checks whether devices changed their customer, status, displays or zone, and moves their days to the right sums. */
export async function settleDevices(owner: pg.ClientBase, deviceIds: readonly DeviceId[]): Promise<void> {
  if ((await movedDevices(owner, deviceIds)).length === 0) return
  await transactionOn(owner, async () => {
    await owner.query(`select ${lockUntilCommit('darkDays')}`)
    await settle(owner, deviceIds)
  })
}

export async function sumCustomer(owner: pg.ClientBase, customerId: CustomerId): Promise<void> {
  await transactionOn(owner, async () => {
    await owner.query(`select ${lockUntilCommit('darkDays')}`)
    const { rows } = await owner.query<{ id: DeviceId }>(
      `select id from device where customer_id = $1 union select device_id from device_departure where customer_id = $1
       union select device_id from dark_span where customer_id = $1`,
      [customerId],
    )
    const deviceIds = rows.map(({ id }) => id)
    await settle(owner, deviceIds, customerId)
    await keepSpans(owner, deviceIds)
    await owner.query('delete from customer_dark_day where customer_id = $1', [customerId])
    await owner.query(daysOf('s.customer_id = $1', 1), [customerId])
    await owner.query('insert into dark_summed (customer_id) values ($1) on conflict do nothing', [customerId])
  })
}

/** A local day of a device, counted up to a moment. */
export interface DayToKeep {
  readonly date: LocalDate
  readonly minutes: Omit<LightMinutes, 'unknown' | 'litInOffTime'> & { readonly litInOffTime: number | null }
  /** The minutes for which light was measured at the panels. */
  readonly measured: number
  readonly toMs: number
  /** What the unplanned darkness is put down to, in the order of `DARK_CAUSES`; null where nothing was dark. */
  readonly causes?: readonly number[] | null
  /** Unknown minutes in which the installation was away. */
  readonly away?: number | null
  /** What the planned darkness was planned by, in the order of `PLANNED_BY`; null where nothing was planned. */
  readonly plannedBy?: readonly number[] | null
  /** What meters counted, and for how long; absent where the day was not counted for energy. */
  readonly metered?: { readonly wattHours: number; readonly seconds: number }
  /** Null or absent leaves it as it was. */
  readonly clientVersion?: string | null
}

/** Stores days of a device, and changes the sums by the difference. The caller holds the lock of dark days. */
export async function keepDays(owner: pg.ClientBase, deviceId: DeviceId, days: readonly DayToKeep[]): Promise<void> {
  await owner.query(KEEP_SQL, [
    deviceId,
    days.map(({ date }) => date),
    days.map(({ minutes }) => minutes.unplanned),
    days.map(({ minutes }) => minutes.planned),
    days.map(({ minutes }) => minutes.lit),
    days.map(({ minutes }) => minutes.litInOffTime),
    days.map(({ minutes }) => minutes.maintenance),
    days.map(({ measured }) => measured),
    days.map(({ toMs }) => new Date(toMs)),
    // Arrays within an array would be taken for one of two dimensions.
    days.map(({ causes }) => arrayText(causes)),
    days.map(({ away }) => away ?? null),
    days.map(({ metered }) => metered?.wattHours ?? null),
    days.map(({ metered }) => metered?.seconds ?? null),
    days.map(({ clientVersion }) => clientVersion ?? null),
    days.map(({ plannedBy }) => arrayText(plannedBy)),
  ])
}

const arrayText = (numbers: readonly number[] | null | undefined) => (numbers ? `{${numbers.join()}}` : null)

const KEEP_SQL = `
  with given as (
    select * from unnest($2::date[], $3::smallint[], $4::smallint[], $5::smallint[], $6::smallint[], $7::smallint[],
      $8::smallint[], $9::timestamptz[], $10::text[], $11::smallint[], $12::integer[], $13::integer[], $14::text[], $15::text[]) as g
      (day, unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, measured_min, counted_to, causes,
        away_min, metered_wh, metered_s, client_version, planned_by)
  ), was as (
    select day, unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min from device_dark_day
    where device_id = $1 and day = any ($2::date[])
  ), kept as (
    insert into device_dark_day as k
      (device_id, day, unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, measured_min, counted_to,
        causes, away_min, metered_wh, metered_s, client_version, planned_by)
    select $1, day, unplanned_min, planned_min, lit_min, lit_in_off_min, maintenance_min, measured_min, counted_to,
      causes::smallint[], away_min, metered_wh, metered_s, client_version, planned_by::smallint[] from given
    on conflict (device_id, day) do update set unplanned_min = excluded.unplanned_min,
      planned_min = excluded.planned_min, lit_min = excluded.lit_min, lit_in_off_min = excluded.lit_in_off_min,
      maintenance_min = excluded.maintenance_min, measured_min = excluded.measured_min,
      counted_to = excluded.counted_to, causes = excluded.causes, away_min = excluded.away_min,
      metered_wh = excluded.metered_wh, metered_s = excluded.metered_s, planned_by = excluded.planned_by,
      client_version = coalesce(excluded.client_version, k.client_version)
  ), moved as (
    select s.customer_id, g.day, g.unplanned_min - coalesce(w.unplanned_min, 0) as unplanned_min,
      g.planned_min - coalesce(w.planned_min, 0) as planned_min, g.lit_min - coalesce(w.lit_min, 0) as lit_min,
      coalesce(g.lit_in_off_min, 0) - coalesce(w.lit_in_off_min, 0) as lit_in_off_min,
      g.maintenance_min - coalesce(w.maintenance_min, 0) as maintenance_min,
      (g.lit_in_off_min is null)::integer - (w.day is not null and w.lit_in_off_min is null)::integer as untold_devices
    from given g join dark_span s on s.device_id = $1 and g.day >= s.owned_from
      and g.day <= coalesce(s.owned_to, 'infinity')
    left join was w on w.day = g.day
  ), summed as (
    insert into customer_dark_day as c (customer_id, day, ${COLUMNS})
    select customer_id, day, ${COLUMNS} from moved where (${COLUMNS}) is distinct from (0, 0, 0, 0, 0, 0)
    order by 1, 2 ${ADD}
  ), reach as (
    select s.owned_from, max(g.counted_to) as counted_to
    from given g join dark_span s on s.device_id = $1 and g.day >= s.owned_from
      and g.day <= coalesce(s.owned_to, 'infinity') group by 1
  ), whole as (
    select min(g.day) as day_one, sum(g.unplanned_min - coalesce(w.unplanned_min, 0)) as dark_min
    from given g left join was w on w.day = g.day
  ), news as (
    select s.owned_from, w.day_one, w.dark_min, r.counted_to
    from dark_span s cross join whole w left join reach r on r.owned_from = s.owned_from where s.device_id = $1
  )
  update dark_span s set first_day = greatest(s.owned_from, least(s.first_day, n.day_one)),
    begins_at = case when n.day_one < s.first_day then null else s.begins_at end,
    counted_to = greatest(s.counted_to, n.counted_to), dark_min = s.dark_min + n.dark_min
  from news n where s.device_id = $1 and n.owned_from = s.owned_from`
