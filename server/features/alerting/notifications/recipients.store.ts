import { randomBytes } from 'node:crypto'
import type { CustomerId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { NOTICES_JOB } from '#server/incidents/dueRows.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import type { ChannelRow } from '#server/notifications/channelRows.ts'
import { takeConfirmationMail } from '#server/notifications/confirmationMails.ts'

/** All channels of one customer, or of staff, share this limit. */
const MOST_LINKS_PER_DAY = 20
const LINK_LASTS_MS = DAY_MS
const TOKEN_BYTES = 32

export interface RequestedRecipient {
  readonly channelId: number
  readonly channelName: string
  readonly customerId: CustomerId | null
  readonly isConfirmed: boolean
}

/**
 * Queues a mail with a link by which the address of a mail channel confirms that it wants mails.
 * @returns false when this customer or this address has reached the limit of the day
 */
export async function askRecipient(
  transaction: Tx,
  { id, customer_id, settings }: Pick<ChannelRow, 'id' | 'customer_id' | 'settings'>,
  now: Date,
): Promise<boolean> {
  const statements = statementsOf(transaction)
  const { rows } = await statements.query<{ links: number }>(
    `select count(*)::int as links from recipient_mail m join channel c on c.id = m.channel_id
     where c.customer_id is not distinct from $1 and m.queued_at > $2`,
    [customer_id, new Date(now.getTime() - DAY_MS)],
  )
  if ((rows[0]?.links ?? 0) >= MOST_LINKS_PER_DAY) return false
  if (!(await takeConfirmationMail(statements, settings.recipient, now))) return false
  await statements.query(
    `insert into recipient_mail (channel_id, email, token, queued_at, next_try_at) values ($1, $2, $3, $4, $4)`,
    [id, settings.recipient, randomBytes(TOKEN_BYTES).toString('base64url'), now],
  )
  await statements.query(ringSql(MAILS_JOB))
  return true
}

/** Finds a request by its link's token, while the channel still has the address that was asked. */
export async function findRequested(db: Db, token: string, now: Date): Promise<RequestedRecipient | undefined> {
  const { rows } = await statementsOf(db).query<RequestedRecipient>(
    `select c.id as "channelId", c.name as "channelName", c.customer_id as "customerId",
       c.recipient_confirmed_at is not null as "isConfirmed"
     from recipient_mail m join channel c on c.id = m.channel_id and c.deleted_at is null
     where m.token = $1 and m.queued_at > $2 and c.settings ->> 'recipient' = m.email`,
    [token, new Date(now.getTime() - LINK_LASTS_MS)],
  )
  return rows[0]
}

/** Confirms the address and sends what has waited for it. */
export const confirmRecipient = (
  db: Db,
  { channelId, channelName, customerId }: RequestedRecipient,
  change: ChangeRecord,
  now: Date,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const statements = statementsOf(transaction)
    await statements.query(
      `update channel set recipient_confirmed_at = coalesce(recipient_confirmed_at, $2), rests_until = null, failures = 0,
         failure = '' where id = $1`,
      [channelId, now],
    )
    await statements.query(ringSql(NOTICES_JOB))
    const details = 'Its address confirmed that it wants mails.'
    await change.done(transaction, { id: channelId, name: channelName, customerId, details })
  })
