import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { UserId } from '#domain/ids.ts'
import {
  GATHERED_FOR_MS,
  GATHERED_MAILS_APART_MS,
  MOST_SINGLE_MAILS,
  SINGLE_MAILS_WITHIN_MS,
} from '#domain/notifications/mailRules.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { FUNCTIONS_OF } from '#domain/permissions/permissions.ts'

const NOTICES_AT_ONCE = 500

/**
 * Whether the user `u` is told of the alert `a` of the device `d` by mail: the function, the own switch, an address, one
 * of the functions without which the link opens nothing, and what the user may see: neither alerts of another customer's time nor what becomes of a device that left (decisions:
 * Who may do what).
 */
export const IS_TOLD = `u.is_email_on and u.email <> '' and not u.is_disabled and u.deleted_at is null
  and d.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id = ${FUNCTION.receiveEmailNotifications})
  and exists (select from app_role_function f where f.role_id = u.role_id
    and f.function_id in (${FUNCTIONS_OF.deviceManagerOrAnalytics.join(', ')}))
  and (u.customer_id is null
    or (u.customer_id = d.customer_id and u.customer_id = a.customer_id and exists (select from customer c where c.id = u.customer_id and c.is_active)))`

/**
 * Makes a notification for everybody who is to be told, of each notice that an alert's transaction left, and takes the
 * notice away with it. In the caller's transaction.
 *
 * @returns false when there are more
 */
export async function expandNotices(connection: pg.ClientBase, now: Date, idDomain: string): Promise<boolean> {
  const { rows } = await connection.query<{ taken: number }>(
    `with taken as (
       delete from alert_notice where (device_id, alert_id) in (
         select device_id, alert_id from alert_notice order by found_at limit $3 for update skip locked)
       returning device_id, alert_id, is_late),
     told as (
       insert into notification (device_id, alert_id, user_id, channel, kind, message_id, queued_at, next_try_at)
       select t.device_id, t.alert_id, u.id, 'email', case when t.is_late then 'late' else 'alert' end,
         case when t.is_late then '' else '<' || gen_random_uuid() || '@' || $2::text || '>' end, $1, $1
       from taken t join device d on d.id = t.device_id
       join alert a on a.device_id = t.device_id and a.id = t.alert_id join app_user u on ${IS_TOLD}
       on conflict do nothing)
     select count(*)::int as taken from taken`,
    [now, idDomain, NOTICES_AT_ONCE],
  )
  return (rows[0]?.taken ?? 0) < NOTICES_AT_ONCE
}

/** Not sent, not on its way, and surely not there. */
const IS_LOOSE = `channel = 'email' and sent_at is null and given_up_at is null and claimed_at is null
  and not may_have_arrived`

/**
 * Puts together what goes in one mail: late ones always, single ones of a recipient who would get more than ten within
 * five minutes. In the caller's transaction, which no other queue runs beside.
 */
export async function gatherMails(connection: pg.ClientBase, now: Date, idDomain: string): Promise<void> {
  const { rows: late } = await connection.query<{ user_id: UserId }>(
    `select distinct user_id from notification where ${IS_LOOSE} and kind = 'late' and message_id = ''`,
  )
  const { rows: crowded } = await connection.query<{ user_id: UserId }>(
    `select w.user_id from notification w
     where w.channel = 'email' and w.sent_at is null and w.given_up_at is null and w.kind = 'alert'
     group by w.user_id
     having count(*) + (select count(*) from notification s where s.user_id = w.user_id and s.channel = 'email'
       and s.kind = 'alert' and s.sent_at > $1) > $2`,
    [new Date(now.getTime() - SINGLE_MAILS_WITHIN_MS), MOST_SINGLE_MAILS],
  )
  for (const { user_id } of late) await gather(connection, { userId: user_id, kind: 'late', now, idDomain })
  for (const { user_id } of crowded) await gather(connection, { userId: user_id, kind: 'digest', now, idDomain })
}

interface Gathering {
  readonly userId: UserId
  readonly kind: 'digest' | 'late'
  readonly now: Date
  readonly idDomain: string
}

async function gather(connection: pg.ClientBase, gathering: Gathering): Promise<void> {
  const { userId, kind } = gathering
  const { rows } = await connection.query<{ message_id: string; next_try_at: Date; tries: number; refusals: number }>(
    `select message_id, next_try_at, tries, refusals from notification
     where user_id = $1 and kind = $2 and message_id <> '' and ${IS_LOOSE} limit 1`,
    [userId, kind],
  )
  const open = rows[0] ?? {
    message_id: `<${randomUUID()}@${gathering.idDomain}>`,
    next_try_at: await nextGatheredAt(connection, gathering),
    tries: 0,
    refusals: 0,
  }
  await connection.query(
    `update notification set kind = $2, message_id = $3, next_try_at = $4, tries = $5, refusals = $6
     where user_id = $1 and ${IS_LOOSE} and case $2 when 'digest' then kind = 'alert' else kind = 'late' and message_id = '' end`,
    [userId, kind, open.message_id, open.next_try_at, open.tries, open.refusals],
  )
}

async function nextGatheredAt(connection: pg.ClientBase, { userId, kind, now }: Gathering): Promise<Date> {
  const { rows } = await connection.query<{ at: Date | null }>(
    `select max(sent_at) as at from notification
     where user_id = $1 and channel = 'email' and kind = $2 and sent_at > $3`,
    [userId, kind, new Date(now.getTime() - GATHERED_MAILS_APART_MS)],
  )
  const soonest = now.getTime() + GATHERED_FOR_MS[kind]
  const apart = (rows[0]?.at?.getTime() ?? 0) + GATHERED_MAILS_APART_MS
  return new Date(Math.max(soonest, apart))
}
