import { createHash } from 'node:crypto'
import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import type { Statements } from '#server/db/statements.ts'
import { mailboxKey } from '#server/mail/sending/mailer.ts'

/** Whoever knows an address must not be able to fill its mailbox. */
const MOST_A_DAY = 1
/** Somebody who has confirmed one thing may confirm others on the same day. */
const MOST_A_DAY_OF_CONFIRMED = 3

/** The limit stores only this hash of an address, for a day. */
const hashOf = (email: string): Buffer => createHash('sha256').update(mailboxKey(email)).digest()

/**
 * Counts one more mail that asks an address to confirm something, over all status pages and channels of everybody.
 *
 * @returns false when the address had as many today as it may have
 */
export async function takeConfirmationMail(statements: Statements, email: string, now: Date): Promise<boolean> {
  const { rows } = await statements.query(
    `insert into confirmation_mail as c (address_hash, began_at, count) values ($1, $2, 1)
     on conflict (address_hash) do update set
       began_at = case when c.began_at <= $3 then excluded.began_at else c.began_at end,
       count = case when c.began_at <= $3 then 1 else c.count + 1 end
     where c.began_at <= $3 or c.count < case when
       exists (select from status_subscriber where email_key = $7 and confirmed_at is not null)
       or exists (select from channel where kind = 'mail' and recipient_confirmed_at is not null and deleted_at is null
         and lower(settings ->> 'recipient') = $4) then $6::int else $5::int end
     returning count`,
    [
      hashOf(email),
      now,
      new Date(now.getTime() - DAY_MS),
      email.toLowerCase(),
      MOST_A_DAY,
      MOST_A_DAY_OF_CONFIRMED,
      mailboxKey(email),
    ],
  )
  return rows.length > 0
}

/** Deletes counts that would start again anyway. */
export async function endConfirmationMails(owner: pg.ClientBase, now: Date): Promise<void> {
  await owner.query('delete from confirmation_mail where began_at <= $1', [new Date(now.getTime() - DAY_MS)])
}
