import type pg from 'pg'
import type { MailSource, MailSourceDeps } from '#server/mail/sending/mailSource.ts'
import { type ClaimedMail, IS_WAITING, mailTableSource } from '#server/mail/sending/mailTableSource.ts'
import { type StatusNews, statusMail } from './statusMailTexts.ts'

/** Makes the mails of status pages: a link to confirm, and then what happens. The pages queue them. */
export const statusMailSource = ({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource =>
  mailTableSource('status_mail', {
    ...{ pool, idDomain },
    compose: async (mail) => {
      const news = await readNews(pool, mail)
      return news && { to: news.to, ...statusMail(news, consoleUrl) }
    },
  })

/** The subscriber must still want it, and the page must still exist; only the unconfirmed get a link to confirm. */
async function readNews(pool: pg.Pool, { id }: ClaimedMail): Promise<StatusNews | undefined> {
  const { rows } = await pool.query<StatusNews>(
    `select s.email as to, s.token, p.title as "pageTitle", n.kind, coalesce(n.title, '') as title, n.from_at as "fromAt",
       n.to_at as "toAt", '/status/' || case p.mode when 'public' then p.slug else p.secret end as path,
       coalesce((select mode() within group (order by d.time_zone) from device d
         where d.customer_id = p.customer_id and d.deleted_at is null), 'UTC') as "timeZone"
     from status_mail m join status_subscriber s on s.id = m.subscriber_id
     join status_page p on p.customer_id = s.customer_id and p.mode <> 'off' and p.takes_subscribers
     join customer c on c.id = p.customer_id and c.is_active
     left join status_news n on n.id = m.news_id
     where m.id = $1 and ${IS_WAITING} and (m.news_id is null) = (s.confirmed_at is null)`,
    [id],
  )
  return rows[0]
}
