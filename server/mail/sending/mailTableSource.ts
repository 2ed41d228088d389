import type pg from 'pg'
import { GIVEN_UP_AFTER_MS, GIVEN_UP_AFTER_REFUSALS, retryAfterMs } from '#domain/notifications/mailRules.ts'
import type { Mail, MailFailure } from './mailer.ts'
import { CLAIMED_FOR_MS, type DueMail, type MailSource } from './mailSource.ts'

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
export type MailTable = 'maintenance_mail' | 'sign_in_mail' | 'status_mail' | 'recipient_mail'

interface MailTableDeps {
  readonly pool: pg.Pool
  readonly idDomain: string
  /** Makes rows of what happened, where that is left to the queue. */
  readonly prepare?: MailSource['prepare']
  /** Writes a mail as things are now; undefined when there is nothing left to say. */
  readonly compose: (mail: ClaimedMail, now: Date) => Promise<Omit<Mail, 'messageId'> | undefined>
}

export function mailTableSource(table: MailTable, { pool, idDomain, prepare, compose }: MailTableDeps): MailSource {
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
    },
    noteFailed: (now, failure) => noteFailed(pool, table, mail, { now, failure }),
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

async function noteFailed(
  pool: pg.Pool,
  table: MailTable,
  mail: ClaimedMail,
  { now, failure }: { readonly now: Date; readonly failure: MailFailure },
): Promise<void> {
  const refusals = mail.refusals + (failure.kind === 'refused' ? 1 : 0)
  const isOver = refusals >= GIVEN_UP_AFTER_REFUSALS || now.getTime() - mail.queued_at.getTime() > GIVEN_UP_AFTER_MS
  await pool.query(
    `update ${table} m set claimed_at = null, next_try_at = $2, refusals = $3, failure = $4,
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
}
