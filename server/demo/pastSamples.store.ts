import type pg from 'pg'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { DAY_MS, SECOND_MS } from '#domain/units/time.ts'
import { ALL_CUSTOMERS, SAMPLE_STEP_MS, sampleTimeOf } from '#server/features/insight/overview/fleetSamples.store.ts'
import { pause } from '#server/jobs/pause.ts'

/** The day before the demo arrives first, within seconds; the one before that, which alerts need, within minutes. */
const LOOK_AFTER_S = [20, 40, 120, 300, 600]

const inStatus = (statusId: number) => `count(*) filter (where d.status_id = ${statusId})::int`

/**
 * Makes the samples of the half hours before the demo began, from what its devices have reported: which were heard, and
 * which alerts were active. The half hour in which it began is included, because the server sampled it before the
 * devices connected; a device heard just before counts in it, because they connect one after the other. Later samples
 * of the server stay.
 *
 * @param client as the owner of the tables, because nobody else writes samples
 */
export async function makePastSamples(client: pg.Pool | pg.ClientBase, now: Date): Promise<void> {
  const from = sampleTimeOf(new Date(now.getTime() - DAY_MS))
  await client.query(
    `with begun as (select min(created_at) as at from device),
     halves as (select half as at
       from begun, generate_series($1::timestamptz, begun.at, $2::interval) half),
     heard as (select distinct device_id, date_bin($2::interval, device_dt, $1::timestamptz) as at
       from readings_of_device, begun where number = 1 and device_dt >= $1 and device_dt < begun.at + $2::interval),
     present as (select device_id, at from heard
       union select device_id, heard.at + $2::interval from heard, begun
         where heard.at + $2::interval = date_bin($2::interval, begun.at, $1::timestamptz)),
     counted as (
       select h.at, coalesce(d.customer_id, ${ALL_CUSTOMERS}) as customer_id,
         count(*) filter (where d.status_id = ${DEVICE_STATUS.active} and present.device_id is not null)::int as active,
         ${inStatus(DEVICE_STATUS.maintenance)} as maintenance, ${inStatus(DEVICE_STATUS.outOfOrder)} as out_of_order,
         ${inStatus(DEVICE_STATUS.pending)} as pending, count(*)::int as devices
       from halves h cross join device d left join present on present.device_id = d.id and present.at = h.at
       where d.deleted_at is null
       group by h.at, grouping sets ((d.customer_id), ())),
     event as (
       select device_id, alert_id, kind, at as from_at,
         lead(at, 1, 'infinity') over (partition by device_id, alert_id order by at, id) as to_at
       from alert_event where kind in ('opened', 'active', 'notActive', 'closed')),
     stretch as (
       select a.device_id, a.customer_id, e.from_at, e.to_at
       from event e join alert a on a.device_id = e.device_id and a.id = e.alert_id
       where e.kind in ('opened', 'active') and a.withdrawn_at is null),
     alerted as (
       select h.at, coalesce(s.customer_id, ${ALL_CUSTOMERS}) as customer_id, count(distinct s.device_id)::int as devices
       from halves h join stretch s on s.from_at <= h.at and s.to_at >= h.at - interval '1 day'
       group by h.at, grouping sets ((s.customer_id), ()))
     insert into fleet_sample (at, customer_id, devices_active, devices_maintenance, devices_out_of_order,
       devices_pending, devices_all, devices_with_alerts_24h)
     select at, customer_id, active, maintenance, out_of_order, pending, counted.devices, coalesce(alerted.devices, 0)
     from counted left join alerted using (at, customer_id)
     on conflict (customer_id, at) do update
       set (devices_active, devices_maintenance, devices_out_of_order, devices_pending, devices_all, devices_with_alerts_24h)
         = (excluded.devices_active, excluded.devices_maintenance, excluded.devices_out_of_order, excluded.devices_pending,
            excluded.devices_all, excluded.devices_with_alerts_24h)`,
    [from, `${SAMPLE_STEP_MS / SECOND_MS} s`],
  )
}

/**
 * Tries beside everything else, while the devices of a new demo report their past. A look that fails, as on a machine
 * that has too much to do, is made up for by the next one.
 *
 * @throws what the last look failed with
 */
export async function keepPastSamples(owner: pg.Pool, signal: AbortSignal, looksAfterS = LOOK_AFTER_S): Promise<void> {
  const began = performance.now()
  let failure: unknown
  for (const seconds of looksAfterS) {
    await pause(seconds * SECOND_MS - (performance.now() - began), signal)
    if (signal.aborted) return
    failure = await makePastSamples(owner, new Date()).catch((error: unknown) => error)
  }
  if (failure !== undefined) throw failure
}
