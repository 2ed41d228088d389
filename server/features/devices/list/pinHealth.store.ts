import { sql } from 'kysely'
import { healthOf } from '#domain/darkness/health.ts'
import { IS_WRONG, worstBy } from '#server/fleet/wrongDevices.ts'
import { ACTIVE_ALERT } from '../deviceRows.store.ts'

/** SQL: the present state and alerts of each device, read once for all of them in a statement that knows `device`. */
export const HEALTH_JOINS = sql`
  left join (select alert.device_id, count(*)::int as count from alert where ${ACTIVE_ALERT} group by 1) active
    on active.device_id = device.id
  left join device_now n on n.device_id = device.id`

export const ACTIVE_ALERTS = sql<number>`coalesce(active.count, 0)`

/** SQL for a statement with these joins: the worst fault, null when there is none. */
export const WORST = sql.raw<string | null>(`case when ${IS_WRONG} then ${worstBy((kind) => kind)} end`)

/** SQL for a statement with these joins: `healthOf` of `domain/darkness/health.ts`, for counting. */
export const HEALTH = sql.raw<string>(`case
  when ${IS_WRONG} then ${worstBy((kind) => healthOf({ wrong: kind, light: null }))}
  when n.light = 'maintenance' then 'maintained'
  when coalesce(n.light, 'unknown') in ('unknown', 'unplanned') then 'unknown'
  else 'fine' end`)
