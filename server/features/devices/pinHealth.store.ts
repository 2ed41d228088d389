import { sql } from 'kysely'
import { AT_WORK_STATUS_ID } from '#domain/darkness/health.ts'
import { ACTIVE_ALERT } from './deviceRows.store.ts'

/** What is so of each device now, and its alerts: read once for all of them, in a statement that knows `device`. */
export const HEALTH_JOINS = sql`
  left join (select alert.device_id, count(*)::int as count from alert where ${ACTIVE_ALERT} group by 1) active
    on active.device_id = device.id
  left join device_now verdict on verdict.device_id = device.id`

export const ACTIVE_ALERTS = sql<number>`coalesce(active.count, 0)`

const IS_AT_WORK = sql.raw(`device.status_id = ${AT_WORK_STATUS_ID}`)

/** `healthOf` of `domain/darkness/health.ts`, for counting; in a statement with these joins. */
export const HEALTH = sql<string>`case
  when ${IS_AT_WORK} and verdict.light = 'unplanned' then 'dark'
  when ${IS_AT_WORK} and verdict.is_silent then 'silent'
  when ${IS_AT_WORK} and (active.count > 0 or verdict.is_on_battery) then 'warned'
  when coalesce(verdict.light, 'unknown') in ('unknown', 'unplanned') then 'unknown'
  else 'fine' end`
