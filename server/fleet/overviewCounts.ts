import type pg from 'pg'
import type { Job } from '#server/jobs/JobRunner.ts'
import { hottestDisplay } from './hottestDisplay.ts'

const EVERY_MS = 5_000
/** A smaller fleet is searched whenever the overview is read (dashboard.store.ts). */
const FEWEST_DEVICES = 1_000
/** The overview shows ten; some of these will have cooled down before the next search. */
const KEPT_OF_CUSTOMER = 30
/** A search of a large fleet is slow, and may take a twentieth of all time. */
const REST_FOR_EACH_MS = 20

/** Merges counts of the overview, and finds the warmest devices of each customer in a large fleet. */
export function overviewCountsJob(): Job {
  let nextSearchAt = 0
  return {
    name: 'overview counts',
    everyMs: EVERY_MS,
    async run(owner, now) {
      await owner.query('select gather_overview_counts()')
      if (performance.now() < nextSearchAt) return
      const beganAt = performance.now()
      await findHotDevices(owner, now)
      nextSearchAt = performance.now() + (performance.now() - beganAt) * REST_FOR_EACH_MS
    },
  }
}

export async function findHotDevices(owner: pg.ClientBase, now: Date, fewest = FEWEST_DEVICES): Promise<void> {
  const { rows } = await owner.query<{ devices: number }>(
    'select coalesce(sum(devices), 0)::int as devices from fleet_count',
  )
  if ((rows[0]?.devices ?? 0) <= fewest) return
  await owner.query(
    `with gone as (delete from hot_device)
     insert into hot_device (customer_id, device_id, internal_temp)
     select customer_id, device_id, internal_temp from (
       select k.customer_id, k.device_id, hot.internal_temp,
         row_number() over (partition by k.customer_id order by hot.internal_temp desc, k.device_id) as place
       from device_counted k join device_now n on n.device_id = k.device_id
       cross join ${hottestDisplay(`$1::timestamptz - interval '1 day'`)}
       where k.status_id = 2) found
     where place <= $2`,
    [now, KEPT_OF_CUSTOMER],
  )
}
