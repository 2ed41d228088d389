import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import type { Statements } from '#server/db/statements.ts'
import { type MaintenanceNews, maintenanceMail } from './maintenanceMailTexts.ts'
import type { MailSource, MailSourceDeps } from './sending/mailSource.ts'
import { type ClaimedMail, IS_WAITING, mailTableSource } from './sending/mailTableSource.ts'

/** SQL condition: the user `u` belongs to a customer and gets mails of alerts. */
const IS_MAILED = `u.customer_id is not null and u.is_email_on and u.email <> '' and not u.is_disabled
  and u.deleted_at is null
  and exists (select from app_role r join app_role_function f on f.role_id = r.id
    where r.id = u.role_id and r.deleted_at is null and f.function_id = ${FUNCTION.receiveEmailNotifications})
  and exists (select from customer k where k.id = u.customer_id and k.is_active)`

/** Counts the people of a customer, or of all, who would be notified of maintenance. */
export async function countMailed(statements: Statements, customerId: CustomerId | null): Promise<number> {
  const { rows } = await statements.query<{ count: number }>(
    `select count(*)::int as count from app_user u where ($1::integer is null or u.customer_id = $1) and ${IS_MAILED}`,
    [customerId],
  )
  return rows[0]?.count ?? 0
}

/** Makes the mails that notify a customer's people when maintenance begins and ends. */
export function maintenanceMailSource({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource {
  const mails = mailTableSource('maintenance_mail', {
    ...{ pool, idDomain, prepare: queueNews },
    compose: async (mail, now) => {
      const news = await readNews(pool, mail, now)
      return news && { to: news.to, ...maintenanceMail(news, consoleUrl) }
    },
  })
  return {
    ...mails,
    nextDueAt: async () => {
      const { rows } = await pool.query<{ at: Date | null }>(
        `select least((select min(o.from_at) from maintenance_occurrence o where not o.told_start),
           (select min(o.to_at) from maintenance_occurrence o where o.told_start and not o.told_end)) as at`,
      )
      const moments = [await mails.nextDueAt(), rows[0]?.at].filter((at) => at instanceof Date)
      return moments.toSorted((one, other) => one.getTime() - other.getTime())[0]
    },
  }
}

/**
 * Queues a mail for each of the customer's people, with the note that they were notified, so that nobody is notified
 * twice. Maintenance that ended before anybody could be notified of its start is left out.
 */
async function queueNews(connection: pg.ClientBase, now: Date): Promise<void> {
  await connection.query(
    `with begun as (
       update maintenance_occurrence o set told_start = true, told_end = o.to_at <= $1
       where not o.told_start and o.from_at <= $1 returning o.window_id, o.from_at, o.told_end),
     theirs as (
       select distinct b.window_id, b.from_at, d.customer_id from begun b
       join device_maintenance m on m.window_id = b.window_id and m.occurrence_at = b.from_at
       join device d on d.id = m.device_id where not b.told_end)
     insert into maintenance_mail (window_id, from_at, user_id, tells, message_id, queued_at, next_try_at)
     select t.window_id, t.from_at, u.id, 'start', gen_random_uuid(), $1, $1
     from theirs t join app_user u on u.customer_id = t.customer_id and ${IS_MAILED} on conflict do nothing`,
    [now],
  )
  // These were notified that it began, or are about to be.
  await connection.query(
    `with over as (
       update maintenance_occurrence o set told_end = true
       where o.told_start and not o.told_end and o.to_at <= $1 returning o.window_id, o.from_at)
     insert into maintenance_mail (window_id, from_at, user_id, tells, message_id, queued_at, next_try_at)
     select o.window_id, o.from_at, s.user_id, 'end', gen_random_uuid(), $1, $1
     from over o join maintenance_mail s on s.window_id = o.window_id and s.from_at = o.from_at and s.tells = 'start'
     on conflict do nothing`,
    [now],
  )
}

/**
 * Reads what a mail says now. The start is no news once the maintenance is over, and its end is none to somebody who
 * was never notified of the start.
 */
async function readNews(pool: pg.Pool, { id }: ClaimedMail, now: Date): Promise<MaintenanceNews | undefined> {
  const { rows } = await pool.query<Omit<MaintenanceNews, 'devices'> & { readonly device: string }>(
    `select u.email as to, m.tells, w.reason, o.from_at as "fromAt", o.to_at as "toAt",
       coalesce(nullif(u.time_zone, ''), w.time_zone) as "timeZone", w.tag, c.name as "customerName", d.name as device
     from maintenance_mail m join maintenance_window w on w.id = m.window_id
     join maintenance_occurrence o on o.window_id = m.window_id and o.from_at = m.from_at
     join app_user u on u.id = m.user_id and ${IS_MAILED} join customer c on c.id = u.customer_id
     join device_maintenance k on k.window_id = m.window_id and k.occurrence_at = m.from_at
     join device d on d.id = k.device_id and d.customer_id = u.customer_id and d.deleted_at is null
     left join maintenance_mail s on s.window_id = m.window_id and s.from_at = m.from_at and s.user_id = m.user_id
       and s.tells = 'start' and m.tells = 'end'
     where m.id = $1 and ${IS_WAITING} and w.tells_customer
       and case m.tells when 'start' then o.to_at > $2 else s.sent_at is not null or s.may_have_arrived end
     order by d.name_order, d.id`,
    [id, now],
  )
  return rows[0] && { ...rows[0], devices: [...new Set(rows.map(({ device }) => device))] }
}
