import { sql } from 'kysely'
import { type IncidentNotice, MOST_NOTICES } from '#contract/http/alerting/incidentNotices.ts'
import type { IncidentId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'
import { personName } from '#server/people/personName.ts'

interface Row extends Omit<IncidentNotice, 'at' | 'until'> {
  readonly at: Date
  readonly until: Date | null
}

/** Reads who was notified of an incident and why. Customers read of their own routes and people only. */
export async function readNotices(db: Db, scope: Scope, id: IncidentId): Promise<IncidentNotice[]> {
  const customerId = customerOf(scope)
  const { rows } = await sql<Row>`
    with held as (
      select exists (select from notification mail where mail.incident_id = ${id} and mail.sent_at is null
          and mail.given_up_at is null)
        or exists (select from incident_part p join alert_held h on h.device_id = p.device_id and h.alert_id = p.alert_id
          where p.incident_id = ${id})
        or exists (select from incident_part p join alert_notice h on h.device_id = p.device_id and h.alert_id = p.alert_id
          where p.incident_id = ${id}) as is_so),
    sent as (
      select user_id, min(sent_at) as at from notification where incident_id = ${id} and sent_at is not null
      group by user_id
      union all select 0, min(sent_at) from notification where incident_id = ${id} and sent_at is not null),
    noticed as (
      select case when n.outcome = 'told' then greatest(n.at, m.first_told_at, sent.at) else n.at end as at,
        case when n.outcome <> 'told' then n.outcome
          when n.is_mailed then case when sent.at is not null then 'told' when held.is_so then 'waits' else 'not' end
          when m.id is not null and m.first_told_at is null
            then case when m.given_up_at is null then 'waits' else 'not' end
          else 'told' end as outcome,
        n.target, case when n.route_id = 0 then 'channel' else 'route' end as "by", n.route_name as "routeName", n.reason,
        n.until_at as until
      from incident_notice n
      left join lateral (
        select m.id, m.first_told_at, m.next_at, m.given_up_at from incident_message m
        where m.incident_id = n.incident_id and m.channel_id = n.channel_id order by m.id desc limit 1) m on true
      left join sent on n.is_mailed and sent.user_id = coalesce(n.user_id, 0)
      cross join held
      where n.incident_id = ${id} and (${customerId}::int is null or n.route_customer_id = ${customerId})
        -- A channel that waits, or has nothing to tell any more, says why itself, and nothing waits that was decided, said
        -- or given up since.
        and not (n.outcome = 'told' and m.id is not null and m.first_told_at is null and m.given_up_at is null
          and coalesce(m.next_at > now(), true))
        and not (n.outcome = 'waits' and case when n.route_id = 0
          -- What holds it until a moment ahead holds it alone.
          then n.channel_id is null or m.next_at is null or (m.next_at > now() and n.until_at is distinct from m.next_at)
          else exists (select from incident_notice later where later.incident_id = n.incident_id and later.id > n.id
            and later.route_id = n.route_id and later.share_id = n.share_id) end)),
    mailed as (
      select coalesce(m.sent_at, m.given_up_at, m.queued_at) as at,
        case when m.sent_at is not null then 'told' when m.given_up_at is not null then 'not' else 'waits' end as outcome,
        ${sql.raw(personName('u'))} as target, 'mail' as "by", '' as "routeName",
        case m.tells when 'opened' then 'Opened' when 'over' then 'Over' when 'again' then 'Again'
          when 'more' then 'More of it' when 'still' then 'Still active' else 'Worse' end
          || case when m.sent_at is null and m.failure <> '' then ': ' || m.failure else '' end as reason, null::timestamptz as until
      from notification m join app_user u on u.id = m.user_id
      where m.incident_id = ${id} and (${customerId}::int is null or u.customer_id = ${customerId})),
    newest as (
      select * from noticed union all select * from mailed order by at desc limit ${MOST_NOTICES})
    select * from newest order by at, "routeName", target`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), until: row.until?.toISOString() ?? null }))
}
