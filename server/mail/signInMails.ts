import type pg from 'pg'
import { deviceLabel } from '#domain/sessions/deviceLabels.ts'
import { inOneLine } from './sending/mailer.ts'
import { escaped, mailFacts, mailPage } from './sending/mailHtml.ts'
import type { MailSource, MailSourceDeps } from './sending/mailSource.ts'
import { type ClaimedMail, IS_WAITING, mailTableSource } from './sending/mailTableSource.ts'
import { localTime } from './sending/mailTime.ts'

/** A session that is older when it is first examined is no news. */
const NEWS_FOR_HOURS = 24

interface SignIn {
  readonly username: string
  readonly userAgent: string
  readonly address: string
  readonly beganAt: Date
  readonly timeZone: string
}

/**
 * Mails a user who signs in from an unknown browser, unless they used one like it from the same place: so the theft of
 * a password is noticed. Nobody is mailed about their very first session.
 */
export const signInMailSource = ({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource =>
  mailTableSource('sign_in_mail', {
    ...{ pool, idDomain, prepare: queueNews },
    compose: async (mail) => {
      const signIn = await readSignIn(pool, mail)
      return signIn && { to: signIn.username, ...signInMail(signIn, consoleUrl) }
    },
  })

async function queueNews(connection: pg.ClientBase, now: Date): Promise<void> {
  await connection.query(
    `with looked as (
       update app_session set looked_at = $1
       where is_unknown_browser and looked_at is null and created_at > $1::timestamptz - make_interval(hours => $2)
       returning user_id, user_agent, address, created_at)
     insert into sign_in_mail (user_id, user_agent, address, began_at, queued_at, next_try_at)
     select l.user_id, l.user_agent, l.address, l.created_at, $1, $1 from looked l
     where exists (select from app_session e where e.user_id = l.user_id and e.created_at < l.created_at)
       and not exists (select from app_session e where e.user_id = l.user_id and e.created_at < l.created_at
         and e.user_agent = l.user_agent and e.address = l.address)`,
    [now, NEWS_FOR_HOURS],
  )
}

async function readSignIn(pool: pg.Pool, { id }: ClaimedMail): Promise<SignIn | undefined> {
  const { rows } = await pool.query<SignIn>(
    `select u.username, m.user_agent as "userAgent", m.address, m.began_at as "beganAt",
       coalesce(nullif(u.time_zone, ''), 'UTC') as "timeZone"
     from sign_in_mail m join app_user u on u.id = m.user_id and u.deleted_at is null and not u.is_disabled
     where m.id = $1 and ${IS_WAITING}`,
    [id],
  )
  return rows[0]
}

function signInMail({ username, userAgent, address, beganAt, timeZone }: SignIn, consoleUrl: string) {
  const subject = 'A new sign-in to Wayside'
  const opening = `Somebody signed in as ${inOneLine(username)} from a browser in which you had not before.`
  const facts: [string, string][] = [
    ['Browser', deviceLabel(userAgent)],
    ['Address', address],
    ['Time', localTime(beganAt, timeZone)],
  ]
  const advice = 'If it was not you, change your password at once, and end this session: user menu, Sessions.'
  const why = 'You get this mail because you have an account in Wayside. It cannot be switched off.'
  return {
    subject,
    text: [
      opening,
      '',
      ...facts.map(([name, value]) => `${name}: ${value}`),
      '',
      advice,
      consoleUrl,
      '',
      '-- ',
      why,
      '',
    ].join('\n'),
    html: mailPage(
      `<h2>${escaped(subject)}</h2><p>${escaped(opening)}</p>${mailFacts(facts)}<p>${escaped(advice)}</p>` +
        `<p><a href="${escaped(consoleUrl)}">${escaped(consoleUrl)}</a></p>`,
      why,
    ),
  }
}
