import { randomBytes } from 'node:crypto'
import type { CustomerId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { type Statements, statementsOf } from '#server/db/statements.ts'
import type { AuditedThing } from '#server/http/call/audit.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'

/** Of one address, at all pages together: nobody's mailbox is filled by whoever knows its address. */
const MOST_LINKS_PER_DAY = 3
/** Of one page. */
const MOST_SUBSCRIBERS = 5000
const MOST_UNCONFIRMED = 500
const TOKEN_BYTES = 32

export interface FoundSubscriber {
  readonly id: number
  readonly customerId: CustomerId
  readonly customerName: string
  readonly pageTitle: string
  readonly isConfirmed: boolean
}

interface Wish {
  readonly customerId: CustomerId
  readonly customerName: string
  readonly email: string
  readonly now: Date
}

/**
 * Somebody who is no subscriber yet is sent a link that confirms; who is one is sent nothing. Nobody is told which.
 */
async function askForMails(statements: Statements, { customerId, email, now }: Wish): Promise<void> {
  const key = email.toLowerCase()
  // Two wishes of one address are counted one after the other.
  await statements.query('select from status_page where customer_id = $1 for update', [customerId])
  const { rows: counts } = await statements.query<{ links: number; subscribers: number; unconfirmed: number }>(
    `select (select count(*)::int from status_mail m join status_subscriber s on s.id = m.subscriber_id
         where s.email_key = $2 and m.news_id is null and m.queued_at > $3) as links,
       (select count(*)::int from status_subscriber where customer_id = $1) as subscribers,
       (select count(*)::int from status_subscriber where customer_id = $1 and confirmed_at is null) as unconfirmed`,
    [customerId, key, new Date(now.getTime() - DAY_MS)],
  )
  const { links = 0, subscribers = 0, unconfirmed = 0 } = counts[0] ?? {}
  if (links >= MOST_LINKS_PER_DAY || subscribers >= MOST_SUBSCRIBERS || unconfirmed >= MOST_UNCONFIRMED) return
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

/** By the token of their links; a wish that nobody confirmed within a day is none. */
async function findSubscriber(statements: Statements, token: string, now: Date): Promise<FoundSubscriber | undefined> {
  const { rows } = await statements.query<FoundSubscriber>(
    `select s.id, s.customer_id as "customerId", c.name as "customerName", p.title as "pageTitle",
       s.confirmed_at is not null as "isConfirmed"
     from status_subscriber s join status_page p on p.customer_id = s.customer_id
     join customer c on c.id = p.customer_id
     where s.token = $1 and (s.confirmed_at is not null or s.asked_at > $2)`,
    [token, new Date(now.getTime() - DAY_MS)],
  )
  return rows[0]
}

/**
 * What is written of subscribers, each with its one audit row, which does not name their address: whoever reads the audit
 * log of a customer need not know who reads about it.
 */
export function createSubscriberStore(db: Db) {
  const changing = (work: (statements: Statements) => Promise<unknown>, change: ChangeRecord, thing: AuditedThing) =>
    db.transaction().execute(async (tx) => {
      await work(statementsOf(tx))
      await change.done(tx, thing)
    })
  const about = ({ customerId, customerName }: Pick<FoundSubscriber, 'customerId' | 'customerName'>) => ({
    id: customerId,
    name: customerName,
    customerId,
  })
  return {
    find: (token: string, now: Date) => findSubscriber(statementsOf(db), token, now),
    ask: (wish: Wish, change: ChangeRecord) =>
      changing((statements) => askForMails(statements, wish), change, {
        ...about(wish),
        details: 'Somebody asked for mails.',
      }),
    confirm: (found: FoundSubscriber, change: ChangeRecord, now: Date) =>
      changing(
        (statements) =>
          statements.query('update status_subscriber set confirmed_at = coalesce(confirmed_at, $2) where id = $1', [
            found.id,
            now,
          ]),
        change,
        { ...about(found), details: 'Somebody confirmed that they want mails.' },
      ),
    /** Nothing of them is kept. */
    unsubscribe: (found: FoundSubscriber, change: ChangeRecord) =>
      changing((statements) => statements.query('delete from status_subscriber where id = $1', [found.id]), change, {
        ...about(found),
        details: 'Somebody wants no more mails.',
      }),
  }
}

export type SubscriberStore = ReturnType<typeof createSubscriberStore>
