import type pg from 'pg'
import { type NewsRow, queueNews } from './incidentNews.ts'

const RELEASED_AT_ONCE = 500

/** SQL: the devices under maintenance at a moment, with its end. */
export const MAINTAINED_AT = (now: string) =>
  `select m.device_id, max(m.to_at) as until from device_maintenance m where m.from_at <= ${now} and m.to_at > ${now}
   group by m.device_id`

/**
 * SQL: releases alerts that were raised under maintenance or in a snoozed incident, once both are over. Resolved or
 * closed alerts go without notice. One that is resolved but open waits on, because its condition may be met again when
 * nobody works on its device. $1 is now; the rows are those to notify of.
 */
const RELEASE = `
  with gone as (
    delete from alert_held h using (
      select k.device_id, k.alert_id from alert_held k
      left join alert a on a.device_id = k.device_id and a.id = k.alert_id and a.status_id = 1 and a.withdrawn_at is null
      where a.id is null) ended
    where h.device_id = ended.device_id and h.alert_id = ended.alert_id),
  maintained as (${MAINTAINED_AT('$1')}),
  placed as materialized (
    select distinct on (h.device_id, h.alert_id) h.device_id, h.alert_id, p.incident_id from alert_held h
    join alert a on a.device_id = h.device_id and a.id = h.alert_id and a.status_id = 1 and a.condition_state_id = 1
      and a.withdrawn_at is null
    join incident_part p on p.device_id = h.device_id and p.alert_id = h.alert_id
    left join maintained m on m.device_id = h.device_id
    where m.device_id is null order by h.device_id, h.alert_id, p.raised_at desc),
  due as materialized (
    select placed.device_id, placed.alert_id, placed.incident_id from placed
    join incident i on i.id = placed.incident_id and (i.snoozed_until is null or i.snoozed_until <= $1)
    order by placed.device_id, placed.alert_id limit ${RELEASED_AT_ONCE})
  delete from alert_held h using due where h.device_id = due.device_id and h.alert_id = due.alert_id
  returning h.device_id, h.alert_id::float8 as alert_id, h.is_late, due.incident_id::float8 as incident_id`

/** It runs in the caller's transaction, beside no other queue. */
export async function releaseHeld(connection: pg.ClientBase, now: Date, idDomain: string): Promise<void> {
  for (let taken = RELEASED_AT_ONCE; taken === RELEASED_AT_ONCE; ) {
    const { rows } = await connection.query<NewsRow>(RELEASE, [now])
    await queueNews(connection, rows, now, idDomain)
    taken = rows.length
  }
}

/** Returns when the next maintenance or snooze of held alerts ends. */
export async function nextReleaseAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select least(
       (select min(held.until) from (select distinct device_id from alert_held) h
        join (${MAINTAINED_AT('now()')}) held on held.device_id = h.device_id),
       (select min(i.snoozed_until) from alert_held h
        join incident_part p on p.device_id = h.device_id and p.alert_id = h.alert_id
        join incident i on i.id = p.incident_id and i.snoozed_until > now())) as at`,
  )
  return rows[0]?.at ?? undefined
}
