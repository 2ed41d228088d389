import type pg from 'pg'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { COUNTED_DEVICES, countedAlerted } from './tileCounts.ts'

export const SAMPLE_STEP_MS = 30 * MINUTE_MS
/** This is twice what is shown. */
const KEPT_MS = 2 * DAY_MS

/** This id stands for all customers in `fleet_sample`. */
export const ALL_CUSTOMERS = 0

/** Finds the beginning of the half hour that contains a moment. */
export const sampleTimeOf = (moment: Date) => new Date(Math.floor(moment.getTime() / SAMPLE_STEP_MS) * SAMPLE_STEP_MS)

/**
 * Samples the fleet every half hour. A missing sample means that no server ran. After a start it waits until devices had
 * the time to reconnect, because a count of none would look like an outage.
 */
export function fleetSamplesJob(): Job {
  let sampledAtMs = 0
  let firstRunMs: number | undefined
  return {
    name: 'fleet samples',
    everyMs: MINUTE_MS,
    async run(owner, now) {
      firstRunMs ??= now.getTime()
      const atMs = sampleTimeOf(now).getTime()
      if (atMs === sampledAtMs || now.getTime() - firstRunMs < OFFLINE_AFTER_MS) return
      await sampleFleet(owner, now)
      sampledAtMs = atMs
    },
  }
}

/** Stores the tiles' present counts for each customer and for all. The first sample of a half hour stays. */
export async function sampleFleet(owner: pg.ClientBase, now: Date): Promise<void> {
  await owner.query(
    `with counted as (
       select coalesce(customer_id, ${ALL_CUSTOMERS}) as customer_id, ${COUNTED_DEVICES}
       from fleet_count group by grouping sets ((customer_id), ())),
     alerted as (
       select coalesce(found.customer_id, ${ALL_CUSTOMERS}) as customer_id, found.devices
       from (${countedAlerted('$2', 'a.customer_id,')}
         group by grouping sets ((a.customer_id), ())) found)
     insert into fleet_sample (at, customer_id, devices_active, devices_maintenance, devices_out_of_order,
       devices_pending, devices_all, devices_with_alerts_24h)
     select $1, customer_id, coalesce("DEVICES_ACTIVE", 0), coalesce("DEVICES_MAINTENANCE", 0),
       coalesce("DEVICES_OUT_OF_ORDER", 0), coalesce("DEVICES_PENDING", 0), coalesce("DEVICES_ALL", 0),
       coalesce(alerted.devices, 0)
     from counted full join alerted using (customer_id)
     on conflict do nothing`,
    [sampleTimeOf(now), new Date(now.getTime() - DAY_MS)],
  )
  // The database's clock limits the deletion too: a process whose clock is a year ahead must not delete everything.
  await owner.query('delete from fleet_sample where at < least($1, now() - make_interval(secs => $2))', [
    new Date(now.getTime() - KEPT_MS),
    KEPT_MS / SECOND_MS,
  ])
}
