import type pg from 'pg'
import type { Mail } from './mailer.ts'
import { CLAIMED_FOR_MS, type DueMail, fateOfFailed, type MailSource } from './mailSource.ts'

/** One message to one person that only this queue may send now. */
export interface ClaimedMail {
  readonly id: number
  readonly message_id: string
  readonly tries: number
  readonly refusals: number
  readonly queued_at: Date
}

/** SQL condition: a mail `m` is neither sent nor given up. */
export const IS_WAITING = 'm.sent_at is null and m.given_up_at is null'

/** These tables have one row for each message, with the same columns for its fate. */
export type MailTable =
  | 'maintenance_mail'
  | 'password_mail'
  | 'recipient_mail'
  | 'sign_in_mail'
  | 'statement_mail'
  | 'status_mail'

interface MailTableDeps {
  readonly pool: pg.Pool
  readonly idDomain: string
  /** Makes rows of what happened, where that is left to the queue. */
  readonly prepare?: MailSource['prepare']
  /** Writes a mail as things are now; undefined when there is nothing left to say. */
  readonly compose: (mail: ClaimedMail, now: Date) => Promise<Omit<Mail, 'messageId'> | undefined>
  /** Notes elsewhere what was sent. It may run again for one mail when the database fails. */
  readonly onSent?: (mail: ClaimedMail) => Promise<void>
}

export function mailTableSource(
  table: MailTable,
  { pool, idDomain, prepare, compose, onSent }: MailTableDeps,
): MailSource {
  const dueMail = (mail: ClaimedMail): DueMail => ({
    messageId: `<${mail.message_id}@${idDomain}>`,
    compose: async (now) => {
      const composed = await compose(mail, now)
      if (composed) return composed
      await pool.query(
        `update ${table} m set given_up_at = $2, claimed_at = null, failure = 'There is nothing to tell any more.'
         where m.id = $1 and ${IS_WAITING}`,
        [mail.id, now],
      )
      return undefined
    },
    noteSent: async (now, file) => {
      await pool.query(
        `update ${table} m set sent_at = $2, outbox_file = $3, claimed_at = null, failure = ''
         where m.id = $1 and ${IS_WAITING}`,
        [mail.id, now, file ?? null],
      )
      await onSent?.(mail)
    },
    noteFailed: async (now, failure) => {
      await pool.query(
        `update ${table} m set claimed_at = null, next_try_at = $3, refusals = $4, failure = $5,
           waits_for_server = $6, may_have_arrived = m.may_have_arrived or $7, given_up_at = $8
         where m.id = $1 and m.tries = $2 and ${IS_WAITING}`,
        [mail.id, mail.tries, ...fateOfFailed(mail, failure, now)],
      )
    },
  })

  return {
    prepare: prepare ?? (async () => undefined),

    claim: async (connection, now, atMost) => {
      const { rows } = await connection.query<ClaimedMail>(
        `update ${table} m set claimed_at = $1, tries = m.tries + 1,
           may_have_arrived = m.may_have_arrived or m.claimed_at is not null
         where m.id in (select m.id from ${table} m where ${IS_WAITING} and m.next_try_at <= $1
           and (m.claimed_at is null or m.claimed_at < $2) order by m.next_try_at, m.id limit $3)
         returning m.id::float8 as id, m.message_id, m.tries, m.refusals, m.queued_at`,
        [now, new Date(now.getTime() - CLAIMED_FOR_MS), atMost],
      )
      return rows.map(dueMail)
    },

    nextDueAt: async () => {
      const { rows } = await pool.query<{ at: Date | null }>(
        `select min(m.next_try_at) as at from ${table} m where ${IS_WAITING} and m.claimed_at is null`,
      )
      return rows[0]?.at ?? undefined
    },

    wake: async (now) => {
      await pool.query(
        `update ${table} m set next_try_at = $1, waits_for_server = false where ${IS_WAITING} and m.waits_for_server`,
        [now],
      )
    },
  }
}
