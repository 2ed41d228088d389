import type pg from 'pg'
import { MORE_APART_MS } from '#domain/notifications/mailRules.ts'
import { newsMail } from '#domain/notifications/mailSchedule.ts'
import { IS_ASKED } from './isNotified.ts'
import type { AlertNews } from './mailedAlert.ts'

export interface NewsRow {
  readonly device_id: number
  readonly alert_id: number
  readonly is_late: boolean
  readonly incident_id: number
  /** A mail may have named it before, when it was active in an earlier incident. */
  readonly is_again?: boolean
}

/** A mail to one recipient about an incident, with the alert of it that they were notified of first. */
export interface NewMail {
  readonly device_id: number
  readonly alert_id: number
  readonly user_id: number
  readonly incident_id: number
  readonly tells: AlertNews
  readonly is_late: boolean
  /** Set for a mail about more alerts: when it is due, and what the mail before said. */
  readonly next_at?: Date
  readonly told_over?: boolean
  readonly told_severity_id?: number
}

/** SQL: the last mail of each recipient about each incident in the table `incidents`, without those given up. */
export const LAST_MAILS_OF = (incidents: string) => `
  select distinct on (n.incident_id, n.user_id) n.incident_id, n.user_id, n.device_id, n.alert_id, n.told_over,
    n.told_severity_id, n.tells, n.sent_at, coalesce(n.sent_at, n.queued_at) as told_at, n.sent_at is not null as is_sent, n.claimed_at is not null as is_claimed
  from notification n join ${incidents} asked on asked.incident_id = n.incident_id
  where n.channel = 'email' and n.given_up_at is null
  order by n.incident_id, n.user_id, n.queued_at desc, n.turn desc`

interface CandidateRow extends NewsRow {
  readonly user_id: number
  readonly severity_id: number
  readonly is_active: boolean
  readonly was_named: boolean
  readonly is_told: boolean
  readonly tells: AlertNews | null
  readonly sent_at: Date | null
  readonly told_over: boolean | null
  readonly told_severity_id: number | null
}

/**
 * Queues one mail for each incident and each recipient who may see it and whom no mail has named these alerts. It runs
 * in the caller's transaction, beside no other queue.
 */
export async function queueNews(
  connection: pg.ClientBase,
  news: readonly NewsRow[],
  now: Date,
  idDomain: string,
): Promise<void> {
  if (news.length === 0) return
  const { rows } = await connection.query<CandidateRow>(
    `with news as materialized (
       select * from unnest($1::int[], $2::bigint[], $3::boolean[], $4::bigint[], $5::boolean[])
         as news (device_id, alert_id, is_late, incident_id, is_again)),
     asked as (select distinct incident_id from news),
     told as (${LAST_MAILS_OF('asked')})
     select distinct on (news.incident_id, u.id) news.incident_id::float8 as incident_id, u.id as user_id,
       news.device_id, news.alert_id::float8 as alert_id, news.is_late, named.user_id is not null as was_named,
       min(a.severity_id) over (partition by news.incident_id, u.id) as severity_id,
       bool_or(a.condition_state_id = 1) over (partition by news.incident_id, u.id) as is_active,
       told.user_id is not null as is_told, told.tells, told.sent_at, told.told_over, told.told_severity_id
     from news join device d on d.id = news.device_id
     join alert a on a.device_id = news.device_id and a.id = news.alert_id and a.withdrawn_at is null
     join app_user u on ${IS_ASKED('news.incident_id')}
     left join incident_share s on s.incident_id = news.incident_id and s.customer_id = coalesce(u.customer_id, 0)
       and s.cause_device_id = news.device_id and s.cause_alert_id = news.alert_id
     left join alert_named named on named.device_id = news.device_id and named.alert_id = news.alert_id
       and named.user_id = u.id
     left join told on told.incident_id = news.incident_id and told.user_id = u.id
     where named.user_id is null or news.is_again
     order by news.incident_id, u.id, named.user_id is null, s.incident_id is null, a.severity_id, a.created_at, a.id`,
    [
      news.map(({ device_id }) => device_id),
      news.map(({ alert_id }) => alert_id),
      news.map(({ is_late }) => is_late),
      news.map(({ incident_id }) => incident_id),
      news.map(({ is_again }) => is_again === true),
    ],
  )
  await queueMails(
    connection,
    rows.flatMap((row) => mailOf(row, now)),
    now,
    idDomain,
  )
}

function mailOf(row: CandidateRow, now: Date): NewMail[] {
  const { device_id, alert_id, user_id, incident_id, is_late, tells: lastTells, sent_at } = row
  const [isOver, severityId] = [row.told_over === true, row.told_severity_id ?? 1]
  const is = sent_at !== null ? 'sent' : lastTells === 'more' ? 'waitsForMore' : 'waits'
  const tells = newsMail({
    last: row.is_told ? { is, isOver, severityId } : undefined,
    severityId: row.severity_id,
    isActive: row.is_active,
    wasNamed: row.was_named,
  })
  if (tells === undefined) return []
  const mail = { device_id, alert_id, user_id, incident_id, is_late, tells }
  if (tells !== 'more') return [mail]
  const next_at = new Date(Math.max(now.getTime(), (sent_at?.getTime() ?? 0) + MORE_APART_MS))
  return [{ ...mail, next_at, told_over: isOver, told_severity_id: severityId }]
}

/**
 * Queues mails. Late alerts get no message yet, and a mail that waits for more alerts takes these instead. An alert that
 * was folded anew may be the first of two incidents at once.
 */
export async function queueMails(
  connection: pg.ClientBase,
  mails: readonly NewMail[],
  now: Date,
  idDomain: string,
): Promise<void> {
  if (mails.length === 0) return
  await connection.query(
    `with mail as materialized (
       select * from jsonb_to_recordset($1::jsonb) as mail (device_id int, alert_id bigint, user_id int,
         incident_id bigint, tells text, is_late boolean, next_at timestamptz, told_over boolean, told_severity_id smallint)),
     hastened as (
       update notification n set tells = mail.tells, next_try_at = $2 from mail
       where n.incident_id = mail.incident_id and n.user_id = mail.user_id and n.channel = 'email' and n.tells = 'more'
         and n.kind = 'alert' and n.sent_at is null and n.given_up_at is null and n.claimed_at is null
       returning n.incident_id, n.user_id),
     before as (
       select n.device_id, n.alert_id, n.user_id, max(n.turn) as turn from notification n
       join mail on mail.device_id = n.device_id and mail.alert_id = n.alert_id and mail.user_id = n.user_id
       where n.channel = 'email' group by n.device_id, n.alert_id, n.user_id)
     insert into notification (device_id, alert_id, user_id, channel, kind, message_id, queued_at, next_try_at, turn,
       tells, incident_id, told_over, told_severity_id)
     select mail.device_id, mail.alert_id, mail.user_id, 'email', case when mail.is_late then 'late' else 'alert' end,
       case when mail.is_late then '' else '<' || gen_random_uuid() || '@' || $3::text || '>' end, $2,
       coalesce(mail.next_at, $2), coalesce(before.turn, -1) + row_number() over (
         partition by mail.device_id, mail.alert_id, mail.user_id order by mail.incident_id), mail.tells, mail.incident_id, mail.told_over,
       mail.told_severity_id
     from mail left join hastened on hastened.incident_id = mail.incident_id and hastened.user_id = mail.user_id
     left join before on before.device_id = mail.device_id and before.alert_id = mail.alert_id
       and before.user_id = mail.user_id
     where hastened.user_id is null`,
    [JSON.stringify(mails), now, idDomain],
  )
}

/** Mails from before the alert was folded now belong to its incident. */
export async function nameIncidents(connection: pg.ClientBase): Promise<void> {
  await connection.query(
    `with found as (
       select distinct on (n.device_id, n.alert_id) n.device_id, n.alert_id, p.incident_id from notification n
       join incident_part p on p.device_id = n.device_id and p.alert_id = n.alert_id
       where n.incident_id is null order by n.device_id, n.alert_id, p.raised_at desc)
     update notification n set incident_id = found.incident_id from found
     where n.device_id = found.device_id and n.alert_id = found.alert_id and n.incident_id is null`,
  )
}
