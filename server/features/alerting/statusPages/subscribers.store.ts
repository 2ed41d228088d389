import { randomBytes } from 'node:crypto'
import type { CustomerId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { mailboxKey } from '#server/mail/sending/mailer.ts'
import { takeConfirmationMail } from '#server/notifications/confirmationMails.ts'

const MOST_SUBSCRIBERS = 5000
/** This limits unconfirmed addresses of one mail domain on all pages together. */
const MOST_UNCONFIRMED_OF_DOMAIN = 60
/** A request to subscribe expires after this time. */
export const CONFIRMED_WITHIN_MS = HOUR_MS
const TOKEN_BYTES = 32

export interface FoundSubscriber {
  readonly id: number
  readonly customerId: CustomerId
  readonly customerName: string
  readonly pageTitle: string
  readonly isConfirmed: boolean
}

interface RequestedMails {
  readonly customerId: CustomerId
  readonly customerName: string
  readonly email: string
  readonly now: Date
}

/**
 * Sends a confirmation link to somebody who is no subscriber yet, and nothing to a subscriber. The answer is the same,
 * so that nobody learns who subscribes.
 */
async function queueConfirmation(transaction: Tx, { customerId, email, now }: RequestedMails): Promise<void> {
  const statements = statementsOf(transaction)
  const key = mailboxKey(email)
  // The lock makes two requests of one address count one after the other.
  await statements.query('select from status_page where customer_id = $1 for update', [customerId])
  const { rows: counts } = await statements.query<{ isOne: boolean; subscribers: number; ofDomain: number }>(
    `select exists (select from status_subscriber where customer_id = $1 and email_key = $2 and confirmed_at is not null) as "isOne",
       (select count(*)::int from status_subscriber where customer_id = $1 and confirmed_at is not null) as subscribers,
       (select count(*)::int from status_subscriber where split_part(email_key, '@', 2) = split_part($2, '@', 2)
         and confirmed_at is null and asked_at > $3) as "ofDomain"`,
    [customerId, key, new Date(now.getTime() - CONFIRMED_WITHIN_MS)],
  )
  const { isOne = false, subscribers = 0, ofDomain = 0 } = counts[0] ?? {}
  if (isOne || subscribers >= MOST_SUBSCRIBERS || ofDomain >= MOST_UNCONFIRMED_OF_DOMAIN) return
  if (!(await takeConfirmationMail(statements, email, now))) return
  const { rows } = await statements.query<{ id: number }>(
    `insert into status_subscriber as s (customer_id, email, email_key, token, asked_at) values ($1, $2, $3, $4, $5)
     on conflict (customer_id, email_key) do update set asked_at = excluded.asked_at where s.confirmed_at is null
     returning id`,
    [customerId, email, key, randomBytes(TOKEN_BYTES).toString('base64url'), now],
  )
  const [subscriber] = rows
  if (!subscriber) return
  await statements.query(
    `insert into status_mail (subscriber_id, news_id, queued_at, next_try_at) values ($1, null, $2, $2)`,
    [subscriber.id, now],
  )
}

/** Finds a subscriber by a link's token. A request that was not confirmed within the hour has expired. */
export async function findSubscriber(db: Db, token: string, now: Date): Promise<FoundSubscriber | undefined> {
  const { rows } = await statementsOf(db).query<FoundSubscriber>(
    `select s.id, s.customer_id as "customerId", c.name as "customerName", p.title as "pageTitle",
       s.confirmed_at is not null as "isConfirmed"
     from status_subscriber s join status_page p on p.customer_id = s.customer_id
     join customer c on c.id = p.customer_id
     where s.token = $1 and (s.confirmed_at is not null or s.asked_at > $2)`,
    [token, new Date(now.getTime() - CONFIRMED_WITHIN_MS)],
  )
  return rows[0]
}

type Page = Pick<FoundSubscriber, 'customerId' | 'customerName'>

/** The audit row of a change leaves the address out: readers of the log need not know who subscribes. */
const changeSubscribers = (
  db: Db,
  { customerId, customerName: name }: Page,
  { change, details }: { readonly change: ChangeRecord; readonly details: string },
  work: (transaction: Tx) => Promise<unknown>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await work(transaction)
    await change.done(transaction, { id: customerId, name, customerId, details })
  })

export const askForMails = (db: Db, asked: RequestedMails, change: ChangeRecord): Promise<void> =>
  changeSubscribers(db, asked, { change, details: 'Somebody asked for mails.' }, (transaction) =>
    queueConfirmation(transaction, asked),
  )

export const confirmSubscriber = (db: Db, found: FoundSubscriber, change: ChangeRecord, now: Date): Promise<void> =>
  changeSubscribers(db, found, { change, details: 'Somebody confirmed that they want mails.' }, (transaction) =>
    statementsOf(transaction).query(
      'update status_subscriber set confirmed_at = coalesce(confirmed_at, $2) where id = $1',
      [found.id, now],
    ),
  )

export const removeSubscriber = (db: Db, found: FoundSubscriber, change: ChangeRecord): Promise<void> =>
  changeSubscribers(db, found, { change, details: 'Somebody wants no more mails.' }, (transaction) =>
    statementsOf(transaction).query('delete from status_subscriber where id = $1', [found.id]),
  )
