import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { UserId } from '#domain/ids.ts'
import {
  GATHERED_FOR_MS,
  GATHERED_MAILS_APART_MS,
  MOST_SINGLE_MAILS,
  SILENCE_WAITS_MS,
  SINGLE_MAILS_WITHIN_MS,
} from '#domain/notifications/mailRules.ts'
import { type NewsRow, queueNews } from './incidentNews.ts'

const NOTICES_AT_ONCE = 2000
const SILENCE = fieldIdOfKind('silent')

/**
 * Takes the notices that an alert's transaction left, and makes a mail for everybody who is to be notified and was not
 * yet of the incident. Alerts raised under maintenance, by the device's clock, and those of a snoozed incident are
 * held. A notice waits while its alert is not folded, for a minute when it is about silence, and while a mail of the
 * incident is on its way. It runs in the caller's transaction, beside no other folding and no other queue.
 *
 * @returns false when there are more
 */
export async function expandNotices(connection: pg.ClientBase, now: Date, idDomain: string): Promise<boolean> {
  const { rows } = await connection.query<NewsRow & { readonly is_held: boolean }>(
    `with placed as materialized (
       select distinct on (n.device_id, n.alert_id) n.device_id, n.alert_id, n.found_at, p.incident_id, p.field_id
       from alert_notice n
       left join incident_due u on u.device_id = n.device_id and u.alert_id = n.alert_id
       left join incident_part p on p.device_id = n.device_id and p.alert_id = n.alert_id
       where u.device_id is null order by n.device_id, n.alert_id, p.raised_at desc),
     busy as (
       select distinct n.incident_id from notification n join placed on placed.incident_id = n.incident_id
       where n.claimed_at is not null and n.sent_at is null and n.given_up_at is null),
     ready as materialized (
       select placed.device_id, placed.alert_id, placed.incident_id from placed
       left join busy on busy.incident_id = placed.incident_id
       left join incident_share s on s.incident_id = placed.incident_id and s.customer_id = 0
       left join alert c on c.device_id = s.cause_device_id and c.id = s.cause_alert_id
       where busy.incident_id is null and (placed.found_at <= $2
         or (placed.field_id is distinct from ${SILENCE} and c.field_id is distinct from ${SILENCE}))
       order by placed.found_at limit $3),
     taken as (
       delete from alert_notice n using ready where n.device_id = ready.device_id and n.alert_id = ready.alert_id
       returning n.device_id, n.alert_id, n.is_late, n.is_again, ready.incident_id),
     raised as materialized (
       select t.device_id, t.alert_id, t.is_late, t.is_again, t.incident_id,
         bool_or(m.device_id is not null or i.id is not null) as is_held
       from taken t left join alert a on a.device_id = t.device_id and a.id = t.alert_id
       left join device_maintenance m on m.device_id = a.device_id and m.from_at <= a.created_at
         and m.to_at > a.created_at
       left join incident i on i.id = t.incident_id and i.snoozed_until > $1
       group by t.device_id, t.alert_id, t.is_late, t.is_again, t.incident_id),
     held as (
       insert into alert_held (device_id, alert_id, is_late)
       select device_id, alert_id, is_late from raised where is_held order by device_id, alert_id
       on conflict do nothing)
     select device_id, alert_id::float8 as alert_id, is_late, is_again, incident_id::float8 as incident_id, is_held
     from raised`,
    [now, new Date(now.getTime() - SILENCE_WAITS_MS), NOTICES_AT_ONCE],
  )
  await queueNews(
    connection,
    rows.filter(({ is_held, incident_id }) => !is_held && incident_id !== null),
    now,
    idDomain,
  )
  return rows.length < NOTICES_AT_ONCE
}

/** Returns when the next notice is due: a minute after silence was found, and soon for others. */
export async function nextNoticeAt(pool: pg.Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date | null }>('select min(found_at) as at from alert_notice')
  return rows[0]?.at ? new Date(rows[0].at.getTime() + SILENCE_WAITS_MS) : undefined
}

/** SQL condition: the mail is not sent, not on its way, and surely has not arrived. */
const IS_LOOSE = `channel = 'email' and sent_at is null and given_up_at is null and claimed_at is null
  and not may_have_arrived`

/**
 * Combines mails: late ones always, single ones when a recipient would get more than ten within five minutes. It runs
 * in the caller's transaction, beside no other queue.
 */
export async function gatherMails(connection: pg.ClientBase, now: Date, idDomain: string): Promise<void> {
  const { rows: late } = await connection.query<{ user_id: UserId }>(
    `select distinct user_id from notification where ${IS_LOOSE} and kind = 'late' and message_id = ''`,
  )
  const { rows: crowded } = await connection.query<{ user_id: UserId }>(
    `select w.user_id from notification w
     where w.channel = 'email' and w.sent_at is null and w.given_up_at is null and w.kind = 'alert'
       and (w.tells <> 'more' or w.next_try_at <= $3)
     group by w.user_id
     having count(*) + (select count(*) from notification s where s.user_id = w.user_id and s.channel = 'email'
       and s.kind = 'alert' and s.sent_at > $1) > $2`,
    [new Date(now.getTime() - SINGLE_MAILS_WITHIN_MS), MOST_SINGLE_MAILS, now],
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
