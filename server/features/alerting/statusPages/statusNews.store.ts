import type pg from 'pg'
import type { FieldId } from '#domain/ids.ts'
import { publicTitle } from '#domain/statusPages/pageLabels.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { endConfirmationMails } from '#server/notifications/confirmationMails.ts'
import { INCIDENTS_OF_PAGE, WORK_OF_PAGE } from './pageReading.store.ts'
import { CONFIRMED_WITHIN_MS } from './subscribers.store.ts'

const EVERY_MS = 30_000
/** A common cause is found by then, and an incident that ended at once is news to nobody. */
const ANNOUNCED_AFTER_MS = 2 * MINUTE_MS
/** The incident may begin again within this time. */
const OVER_AFTER_MS = 5 * MINUTE_MS
/** This limits the mails of one page; whoever wants more opens the page. */
const MOST_OPENED_PER_HOUR = 12
const KEPT_DAYS = 90

const SUBSCRIBED = `
  subscribed as materialized (
    select distinct p.customer_id, p.tag_key, p.severity_id, p.shows_planned, p.told_from from status_page p
    join customer c on c.id = p.customer_id and c.is_active
    join status_subscriber s on s.customer_id = p.customer_id and s.confirmed_at is not null
    where p.mode <> 'off' and p.takes_subscribers)`

/** Incidents that have begun and were not announced yet, neither themselves nor those that were merged into them. */
const OPENED = `
  with ${SUBSCRIBED},
  known as materialized (
    select n.customer_id, coalesce(i.joined_into, n.incident_id) as incident_id from status_news n
    join subscribed on subscribed.customer_id = n.customer_id left join incident i on i.id = n.incident_id where n.kind = 'opened'),
  lately as (
    select customer_id, count(*)::int as count from status_news where kind = 'opened' and told_at > $3 group by customer_id)
  select found.customer_id, found.id, (found.cause ->> 'field')::int as field_id, found.devices,
    coalesce(found.cause ->> 'name', '') as name, found.began_at, coalesce(lately.count, 0) as lately
  from subscribed cross join lateral (${INCIDENTS_OF_PAGE('subscribed', '$1::timestamptz', '$1::timestamptz')}) found
  left join known on known.customer_id = found.customer_id and known.incident_id = found.id
  left join lately on lately.customer_id = found.customer_id
  where known.incident_id is null and found.over_at is null and not found.is_quiet and found.created_at > subscribed.told_from
    and found.created_at <= $2
  order by found.customer_id, found.began_at, found.id`

interface Opened {
  readonly customer_id: number
  readonly id: number
  readonly field_id: FieldId
  readonly devices: number
  readonly name: string
  readonly began_at: Date
  readonly lately: number
}

/** Finds what subscribers of status pages are notified of, each once, and queues a mail for each of them. */
export const statusNewsJob: Job = {
  name: 'status news',
  everyMs: EVERY_MS,
  async run(owner, now) {
    await transactionOn(owner, async () => {
      const count = (await noteOpened(owner, now)) + (await noteOver(owner, now)) + (await notePlanned(owner, now))
      if (count > 0) await owner.query(ringSql(MAILS_JOB))
    })
  },
}

async function noteOpened(owner: pg.ClientBase, now: Date): Promise<number> {
  const { rows } = await owner.query<Opened>(OPENED, [
    now,
    new Date(now.getTime() - ANNOUNCED_AFTER_MS),
    new Date(now.getTime() - HOUR_MS),
  ])
  const placed = [...Map.groupBy(rows, ({ customer_id }) => customer_id).values()].flatMap((own) =>
    own.map((row, index) => ({ ...row, place: row.lately + index + 1 })),
  )
  const news = placed.map(({ customer_id, id, field_id, devices, name, began_at, place }) => ({
    customer_id,
    incident_id: id,
    from_at: began_at,
    title: `${publicTitle(field_id, devices, name)}${place === MOST_OPENED_PER_HOUR ? ' (there may be more: see the page)' : ''}`,
    is_mailed: place <= MOST_OPENED_PER_HOUR,
  }))
  if (news.length === 0) return 0
  const { rowCount } = await owner.query(
    `with asked as (
       select * from jsonb_to_recordset($1::jsonb) as n (customer_id int, incident_id bigint, from_at timestamptz, title text,
         is_mailed boolean)),
     told as (
       insert into status_news (customer_id, kind, incident_id, from_at, title, told_at)
       select customer_id, 'opened', incident_id, from_at, title, $2 from asked on conflict do nothing
       returning id, customer_id, incident_id)
     insert into status_mail (subscriber_id, news_id, queued_at, next_try_at)
     select s.id, told.id, $2, $2 from told
     join asked on asked.customer_id = told.customer_id and asked.incident_id = told.incident_id and asked.is_mailed
     join status_subscriber s on s.customer_id = told.customer_id and s.confirmed_at is not null`,
    [JSON.stringify(news), now],
  )
  return rowCount ?? 0
}

/** Notifies those who were notified of the beginning, even when nothing is left of the incident. */
async function noteOver(owner: pg.ClientBase, now: Date): Promise<number> {
  const { rowCount } = await owner.query(
    `with ended as (
       select n.id, n.customer_id, n.incident_id, n.from_at, n.title, coalesce(s.over_at, $1) as over_at from status_news n
       left join status_news o on o.customer_id = n.customer_id and o.incident_id = n.incident_id and o.kind = 'over'
       left join incident i on i.id = n.incident_id
       left join incident_share s on s.incident_id = coalesce(i.joined_into, n.incident_id) and s.customer_id = n.customer_id
       where n.kind = 'opened' and o.id is null and (s.incident_id is null or s.over_at <= $2)),
     told as (
       insert into status_news (customer_id, kind, incident_id, from_at, to_at, title, told_at)
       select customer_id, 'over', incident_id, from_at, over_at, title, $1 from ended on conflict do nothing
       returning id, customer_id, incident_id)
     insert into status_mail (subscriber_id, news_id, queued_at, next_try_at)
     select m.subscriber_id, told.id, $1, $1 from told
     join ended on ended.customer_id = told.customer_id and ended.incident_id = told.incident_id
     join status_mail m on m.news_id = ended.id and m.given_up_at is null`,
    [now, new Date(now.getTime() - OVER_AFTER_MS)],
  )
  return rowCount ?? 0
}

async function notePlanned(owner: pg.ClientBase, now: Date): Promise<number> {
  const { rowCount } = await owner.query(
    `with ${SUBSCRIBED},
     news as (
       insert into status_news (customer_id, kind, window_id, from_at, to_at, title, told_at)
       select found.customer_id, 'planned', found.id, found.from_at, found.to_at, found.reason, $1
       from subscribed cross join lateral (${WORK_OF_PAGE('subscribed', '$1::timestamptz')}) found
       where subscribed.shows_planned and found.from_at > $1 on conflict do nothing returning id, customer_id)
     insert into status_mail (subscriber_id, news_id, queued_at, next_try_at)
     select s.id, news.id, $1, $1 from news
     join status_subscriber s on s.customer_id = news.customer_id and s.confirmed_at is not null`,
    [now],
  )
  return rowCount ?? 0
}

/** Deletes old announcements and subscriptions that nobody confirmed. */
export const endedSubscriptionsJob: Job = {
  name: 'ended subscriptions',
  everyMs: HOUR_MS,
  async run(owner, now) {
    const before = new Date(now.getTime() - CONFIRMED_WITHIN_MS)
    await owner.query('delete from status_subscriber where confirmed_at is null and asked_at < $1', [before])
    await endConfirmationMails(owner, now)
    // The record of an announced beginning stays while the incident lasts, or it would be announced again.
    await owner.query(
      `delete from status_news n using status_news ended
       where n.told_at < $1::timestamptz - make_interval(days => $2) and ended.customer_id = n.customer_id
         and (ended.id = n.id and n.kind <> 'opened' or ended.incident_id = n.incident_id and ended.kind = 'over')`,
      [now, KEPT_DAYS],
    )
  },
}
