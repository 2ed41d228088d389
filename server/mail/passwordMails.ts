import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { UserId } from '#domain/ids.ts'
import { GIVEN_UP_AFTER_MS, GIVEN_UP_AFTER_REFUSALS, retryAfterMs } from '#domain/notifications/mailRules.ts'
import { type PasswordMailKind, passwordMail } from './passwordMailTexts.ts'
import { CLAIMED_FOR_MS, type DueMail, type MailSource } from './sending/mailSource.ts'

/** The decisions "Addresses" set both. */
const RESET_MINUTES = 60
const ACTIVATION_MINUTES = 7 * 24 * 60
/** Whoever knows a username must not fill its owner's mailbox with it. */
const MOST_RESETS_PER_HOUR = 3
const REQUESTS_AT_ONCE = 200
const TOKEN_BYTES = 32

export interface PasswordMailDeps {
  readonly pool: pg.Pool
  readonly idDomain: string
  readonly consoleUrl: string
}

interface Claimed {
  readonly id: number
  readonly message_id: string
  readonly kind: PasswordMailKind
  readonly tries: number
  readonly refusals: number
  readonly queued_at: Date
  readonly asked_by: UserId | null
}

const IS_WAITING = 'm.sent_at is null and m.given_up_at is null'
const MAY_SIGN_IN = `not u.is_disabled and u.deleted_at is null
  and (u.customer_id is null or exists (select from customer c where c.id = u.customer_id and c.is_active))`

/** Makes mails with links to set a password. The token is made when a mail goes out, and stored only as a hash. */
export function passwordMailSource(deps: PasswordMailDeps): MailSource {
  return {
    prepare: queueRequests,
    claim: async (connection, now, atMost) => (await claim(connection, now, atMost)).map((mail) => dueMail(deps, mail)),
    nextDueAt: async () => {
      const { rows } = await deps.pool.query<{ at: Date | null }>(
        `select min(m.next_try_at) as at from password_mail m where ${IS_WAITING} and m.claimed_at is null`,
      )
      return rows[0]?.at ?? undefined
    },
    wake: async (now) => {
      await deps.pool.query(
        `update password_mail m set next_try_at = $1, waits_for_server = false where ${IS_WAITING} and m.waits_for_server`,
        [now],
      )
    },
  }
}

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

async function claim(connection: pg.ClientBase, now: Date, atMost: number): Promise<Claimed[]> {
  const { rows } = await connection.query<Claimed>(
    `update password_mail m set claimed_at = $1, tries = m.tries + 1,
       may_have_arrived = m.may_have_arrived or m.claimed_at is not null
     where m.id in (select m.id from password_mail m where ${IS_WAITING} and m.next_try_at <= $1
       and (m.claimed_at is null or m.claimed_at < $2) order by m.next_try_at limit $3)
     returning m.id, m.message_id, m.kind, m.tries, m.refusals, m.queued_at, m.asked_by`,
    [now, new Date(now.getTime() - CLAIMED_FOR_MS), atMost],
  )
  return rows
}

function dueMail({ pool, idDomain, consoleUrl }: PasswordMailDeps, mail: Claimed): DueMail {
  return {
    messageId: `<${mail.message_id}@${idDomain}>`,

    compose: async (now) => {
      const user = await recipientOf(pool, mail, now)
      if (!user) return undefined
      // The mail to a user with a password may reach the wrong person, who could use it for a week.
      const lifetimeMinutes = mail.kind === 'activation' && !user.hasPassword ? ACTIVATION_MINUTES : RESET_MINUTES
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      if (!(await keepLink(pool, mail, { token, expiresAt: new Date(now.getTime() + lifetimeMinutes * 60_000) }))) {
        return undefined
      }
      const { kind, asked_by } = mail
      const { username } = user
      const about = { kind, username, token, lifetimeMinutes, wasAskedByAnybody: asked_by === null }
      return { to: username, ...passwordMail(about, consoleUrl) }
    },

    noteSent: async (now, file) => {
      await pool.query(
        `update password_mail m set sent_at = $2, outbox_file = $3, claimed_at = null, failure = ''
         where m.id = $1 and ${IS_WAITING}`,
        [mail.id, now, file ?? null],
      )
    },

    noteFailed: async (now, failure) => {
      const refusals = mail.refusals + (failure.kind === 'refused' ? 1 : 0)
      const isOver = refusals >= GIVEN_UP_AFTER_REFUSALS || now.getTime() - mail.queued_at.getTime() > GIVEN_UP_AFTER_MS
      await pool.query(
        `update password_mail m set claimed_at = null, next_try_at = $2, refusals = $3, failure = $4,
           waits_for_server = $5, may_have_arrived = m.may_have_arrived or $6, given_up_at = $7
         where m.id = $1 and m.tries = $8 and ${IS_WAITING}`,
        [
          mail.id,
          new Date(now.getTime() + retryAfterMs(mail.tries)),
          refusals,
          failure.message,
          failure.kind === 'server',
          failure.mayHaveArrived,
          isOver ? now : null,
          mail.tries,
        ],
      )
    },
  }
}

/** Finds the recipient, if they still may sign in under the name that it was asked for. */
async function recipientOf(pool: pg.Pool, { id }: Claimed, now: Date) {
  const { rows } = await pool.query<{ username: string; hasPassword: boolean }>(
    `select u.username, u.password_hash is not null as "hasPassword" from password_mail m
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
  { id }: Claimed,
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
