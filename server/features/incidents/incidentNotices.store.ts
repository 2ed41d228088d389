import { sql } from 'kysely'
import { type IncidentNotice, MOST_NOTICES } from '#contract/http/incidents/incidentNotice.ts'
import type { IncidentId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'

interface Row extends Omit<IncidentNotice, 'at'> {
  readonly at: Date
}

/**
 * Who was told of an incident, and why: by routes, and by the mails of alerts. A customer reads of their own routes and
 * people alone.
 */
export async function readNotices(db: Db, scope: Scope, id: IncidentId): Promise<IncidentNotice[]> {
  const customerId = scope.kind === 'everything' ? null : scope.customerId
  const { rows } = await sql<Row>`
    with noticed as (
      select n.at, n.outcome, n.target, case when n.route_id = 0 then 'channel' else 'route' end as "by",
        n.route_name as "routeName", n.reason
      from incident_notice n
      where n.incident_id = ${id} and (${customerId}::int is null or n.route_customer_id = ${customerId})),
    mailed as (
      select coalesce(m.sent_at, m.given_up_at, m.queued_at) as at,
        case when m.sent_at is not null then 'told' when m.given_up_at is not null then 'not' else 'waits' end as outcome,
        coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.username) as target, 'mail' as "by", '' as "routeName",
        case m.tells when 'opened' then 'Opened' when 'over' then 'Over' when 'again' then 'Again' else 'Worse' end
          || case when m.sent_at is null and m.failure <> '' then ': ' || m.failure else '' end as reason
      from notification m join app_user u on u.id = m.user_id
      where m.incident_id = ${id} and (${customerId}::int is null or u.customer_id = ${customerId})),
    newest as (
      select * from noticed union all select * from mailed order by at desc limit ${MOST_NOTICES})
    select * from newest order by at, "routeName", target`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
