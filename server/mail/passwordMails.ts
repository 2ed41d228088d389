import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { UserId } from '#domain/ids.ts'
import { inOneLine, type Mail } from './sending/mailer.ts'
import { escaped, mailPage } from './sending/mailHtml.ts'
import type { MailSource, MailSourceDeps } from './sending/mailSource.ts'
import { type ClaimedMail, IS_WAITING, mailTableSource } from './sending/mailTableSource.ts'

const DAY_MINUTES = 24 * 60
/** The decisions "Addresses" set both. */
const RESET_MINUTES = 60
const ACTIVATION_MINUTES = 7 * DAY_MINUTES
/** Whoever knows a username must not fill its owner's mailbox with it. */
const MOST_RESETS_PER_HOUR = 3
const REQUESTS_AT_ONCE = 200
const TOKEN_BYTES = 32

const MAY_SIGN_IN = `not u.is_disabled and u.deleted_at is null
  and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`

/** Makes mails with links to set a password. The token is made when a mail goes out, and stored only as a hash. */
export const passwordMailSource = ({ pool, idDomain, consoleUrl }: MailSourceDeps): MailSource =>
  mailTableSource('password_mail', {
    ...{ pool, idDomain, prepare: queueRequests },
    compose: (mail, now) => composed({ pool, consoleUrl }, mail, now),
  })

/** Usernames entered on the page for forgotten passwords become mails, where such a user exists. */
async function queueRequests(connection: pg.ClientBase, now: Date): Promise<void> {
  const { rows } = await connection.query<{ id: UserId; username: string }>(
    `with taken as (
       delete from password_reset_request where username in (
         select username from password_reset_request order by asked_at limit $1 for update skip locked)
       returning username)
     select u.id, u.username from taken t join app_user u on lower(u.username) = t.username and ${MAY_SIGN_IN}
     where (select count(*) from password_mail m where m.user_id = u.id and m.asked_by is null and m.queued_at > $2) < $3`,
    [REQUESTS_AT_ONCE, new Date(now.getTime() - 60 * 60_000), MOST_RESETS_PER_HOUR],
  )
  for (const { id, username } of rows) {
    await connection.query('select end_password_links($1)', [id])
    await connection.query(
      `insert into password_mail (user_id, kind, username, message_id, queued_at, next_try_at)
       values ($1, 'reset', $2, gen_random_uuid(), $3, $3)`,
      [id, username, now],
    )
  }
}

async function composed(
  { pool, consoleUrl }: Pick<MailSourceDeps, 'pool' | 'consoleUrl'>,
  mail: ClaimedMail,
  now: Date,
): Promise<Omit<Mail, 'messageId'> | undefined> {
  const recipient = await recipientOf(pool, mail, now)
  if (!recipient) return undefined
  const { kind, hasPassword } = recipient
  // The mail to a user with a password may reach the wrong person, who could use it for a week.
  const lifetimeMinutes = kind === 'activation' && !hasPassword ? ACTIVATION_MINUTES : RESET_MINUTES
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const isKept = await keepLink(pool, mail, { token, expiresAt: new Date(now.getTime() + lifetimeMinutes * 60_000) })
  if (!isKept) return undefined
  return passwordMail({ ...recipient, token, lifetimeMinutes }, consoleUrl)
}

interface Recipient {
  readonly username: string
  readonly hasPassword: boolean
  readonly kind: 'activation' | 'reset'
  /** Nobody signed in asked for it. */
  readonly wasAskedByAnybody: boolean
}

interface Link {
  readonly token: string
  readonly lifetimeMinutes: number
}

/** Finds the recipient, if they still may sign in under the name that it was asked for. */
async function recipientOf(pool: pg.Pool, { id }: ClaimedMail, now: Date): Promise<Recipient | undefined> {
  const { rows } = await pool.query<Recipient>(
    `select u.username, u.password_hash is not null as "hasPassword", m.kind,
       m.asked_by is null as "wasAskedByAnybody" from password_mail m
     join app_user u on u.id = m.user_id and lower(u.username) = lower(m.username) and ${MAY_SIGN_IN}
     where m.id = $1 and ${IS_WAITING}`,
    [id],
  )
  if (rows[0]) return rows[0]
  await pool.query(
    `update password_mail m set given_up_at = $2, claimed_at = null, failure = 'The user may not sign in by this name.'
     where m.id = $1 and ${IS_WAITING}`,
    [id, now],
  )
  return undefined
}

/**
 * A try that may have arrived keeps its link, so that whichever copy somebody opens works; others are replaced.
 *
 * @returns false when another mail came after this one
 */
async function keepLink(
  pool: pg.Pool,
  { id }: ClaimedMail,
  { token, expiresAt }: { readonly token: string; readonly expiresAt: Date },
): Promise<boolean> {
  await pool.query(
    `delete from password_link l using password_mail m where m.id = $1 and l.mail_id = m.id and not m.may_have_arrived`,
    [id],
  )
  const kept = await pool.query(
    `insert into password_link (token_hash, mail_id, expires_at)
     select $2, m.id, $3 from password_mail m where m.id = $1 and ${IS_WAITING}`,
    [id, createHash('sha256').update(token).digest(), expiresAt],
  )
  return kept.rowCount === 1
}

/**
 * Writes a mail with a link to set a password.
 *
 * @param consoleUrl the console's address, from the configuration only: anybody can send a Host header
 */
function passwordMail(mail: Recipient & Link, consoleUrl: string): Omit<Mail, 'messageId'> {
  const { kind, token } = mail
  const username = inOneLine(mail.username)
  const isActivation = kind === 'activation'
  // Browsers never send what follows the number sign, so the token reaches no log and no other site.
  const link = `${consoleUrl}/${isActivation ? 'registration' : 'reset-password'}#token=${token}`
  const subject = isActivation ? 'Your account in Wayside' : 'A new password for Wayside'
  const opening = isActivation
    ? `An account was made for you in Wayside. Your username is ${username}.`
    : `With this link you set a new password for ${username} in Wayside.`
  const life = `The link works once and for ${formatLifetime(mail.lifetimeMinutes)}. A newer mail ends it.`
  const why = mail.wasAskedByAnybody
    ? 'Someone asked to reset the password of your username. If it was not you, ignore this e-mail: your password stays as it is.'
    : 'An administrator of Wayside asked for this mail. If you do not expect it, ask them before you use the link.'
  const action = isActivation ? 'Set your password' : 'Set a new password'
  return {
    to: mail.username,
    subject,
    text: [opening, '', `${action}:`, link, '', life, '', '-- ', why, ''].join('\n'),
    html: mailPage(
      `<h2>${escaped(subject)}</h2><p>${escaped(opening)}</p>` +
        `<p><a href="${escaped(link)}">${escaped(action)}</a></p><p>${escaped(life)}</p>`,
      why,
    ),
  }
}

const formatLifetime = (minutes: number) =>
  minutes >= DAY_MINUTES ? `${Math.round(minutes / DAY_MINUTES)} days` : `${minutes} minutes`
