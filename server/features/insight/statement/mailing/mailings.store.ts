import { randomBytes } from 'node:crypto'
import type { StatementMailing } from '#contract/http/insight/statementMailings.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import { firstOf, type Month } from '#domain/statement/months.ts'
import { numberText } from '#domain/statement/statementText.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { mailboxKey } from '#server/mail/sending/mailer.ts'
import { takeConfirmationMail } from '#server/notifications/confirmationMails.ts'
import type { ChosenDevices } from '../issuedStatements.store.ts'

/** Somebody who was asked confirms within this time; then they are asked anew. */
const CONFIRMED_WITHIN_MS = 7 * DAY_MS
const TOKEN_BYTES = 32

interface Chosen {
  readonly customerId: CustomerId
  readonly chosen: ChosenDevices
}

export async function readMailing(db: Db | Tx, { customerId, chosen }: Chosen): Promise<StatementMailing> {
  const { rows } = await statementsOf(db).query<{
    day: number
    email: string | null
    confirmedAt: Date | null
    number: number | null
    sentAt: Date | null
  }>(
    `select m.day, r.email, r.confirmed_at as "confirmedAt", newest.number, newest.sent_at as "sentAt"
     from statement_mailing m left join statement_recipient r on r.mailing_id = m.id
     left join lateral (
       select s.number, l.sent_at from statement_mail l join light_statement s on s.id = l.statement_id
       where l.recipient_id = r.id and l.sent_at is not null order by l.sent_at desc limit 1) newest on true
     where m.customer_id = $1 and m.subject = $2::jsonb order by r.email`,
    [customerId, JSON.stringify(chosen)],
  )
  return {
    day: rows[0]?.day ?? null,
    recipients: rows.flatMap(({ email, confirmedAt, number, sentAt }) =>
      email === null
        ? []
        : [
            {
              ...{ email, confirmedAt: confirmedAt?.toISOString() ?? null },
              ...{ newest: number === null ? null : numberText(customerId, number) },
              newestSentAt: sentAt?.toISOString() ?? null,
            },
          ],
    ),
  }
}

interface ToMail extends Chosen {
  readonly day: number
  readonly recipients: readonly string[]
  readonly setBy: UserId
  readonly now: Date
}

/** Keeps who has confirmed already, forgets who is named no more, and asks everybody else. */
export async function writeMailing(transaction: Tx, { customerId, chosen, day, recipients, setBy, now }: ToMail) {
  const statements = statementsOf(transaction)
  const { rows } = await statements.query<{ id: number }>(
    `insert into statement_mailing (customer_id, subject, day, set_by, set_at) values ($1, $2, $3, $4, $5)
     on conflict (customer_id, subject) do update set day = excluded.day, set_by = excluded.set_by, set_at = excluded.set_at
     returning id`,
    [customerId, JSON.stringify(chosen), day, setBy, now],
  )
  const id = rows[0]?.id ?? 0
  await statements.query('delete from statement_recipient where mailing_id = $1 and email_key <> all ($2::text[])', [
    id,
    recipients.map(mailboxKey),
  ])
  for (const email of recipients) await askRecipient(transaction, id, email, now)
}

async function askRecipient(transaction: Tx, mailingId: number, email: string, now: Date): Promise<void> {
  const statements = statementsOf(transaction)
  const key = mailboxKey(email)
  const { rows: known } = await statements.query<{ confirmedAt: Date | null }>(
    'select confirmed_at as "confirmedAt" from statement_recipient where mailing_id = $1 and email_key = $2',
    [mailingId, key],
  )
  if (known[0]?.confirmedAt) return
  const { rows } = await statements.query<{ id: number }>(
    `insert into statement_recipient (mailing_id, email, email_key, token, asked_at) values ($1, $2, $3, $4, $5)
     on conflict (mailing_id, email_key) do update set asked_at = excluded.asked_at returning id`,
    [mailingId, email, key, randomBytes(TOKEN_BYTES).toString('base64url'), now],
  )
  if (!(await takeConfirmationMail(statements, email, now))) return
  await statements.query('insert into statement_mail (recipient_id, queued_at, next_try_at) values ($1, $2, $2)', [
    rows[0]?.id,
    now,
  ])
}

export async function deleteMailing(transaction: Tx, { customerId, chosen }: Chosen): Promise<void> {
  await statementsOf(transaction).query(
    'delete from statement_mailing where customer_id = $1 and subject = $2::jsonb',
    [customerId, JSON.stringify(chosen)],
  )
}

/** A mailing whose statement of a month somebody waits for who has confirmed. */
export interface DueMailing {
  readonly id: number
  readonly customerId: CustomerId
  readonly chosen: ChosenDevices
  readonly setBy: UserId
  readonly setByName: string
}

export async function readDueMailings(db: Db, day: number): Promise<readonly DueMailing[]> {
  const { rows } = await statementsOf(db).query<DueMailing>(
    `select m.id, m.customer_id as "customerId", m.subject as chosen, m.set_by as "setBy", u.username as "setByName"
     from statement_mailing m join app_user u on u.id = m.set_by join customer c on c.id = m.customer_id and c.is_active
     where m.day <= $1 and exists (select from statement_recipient r where r.mailing_id = m.id and r.confirmed_at is not null)
     order by m.id`,
    [day],
  )
  return rows
}

/** Queues a statement for everybody who has confirmed and has not got it. */
export async function queueStatement(db: Db | Tx, mailingId: number, statementId: number, now: Date): Promise<number> {
  const { rows } = await statementsOf(db).query(
    `insert into statement_mail (recipient_id, statement_id, queued_at, next_try_at)
     select r.id, $2, $3, $3 from statement_recipient r where r.mailing_id = $1 and r.confirmed_at is not null
     on conflict do nothing returning id`,
    [mailingId, statementId, now],
  )
  return rows.length
}

/** Finds the statement on a month and choice that stands, by its id alone. */
export async function findStandingId(db: Db | Tx, { customerId, chosen }: Chosen, month: Month) {
  const { rows } = await statementsOf(db).query<{ id: number }>(
    `select s.id from light_statement s where s.customer_id = $1 and s.month = $2 and s.subject = $3::jsonb
       and not exists (select from light_statement n where n.corrects_id = s.id)`,
    [customerId, firstOf(month), JSON.stringify(chosen)],
  )
  return rows[0]?.id
}

export interface FoundRecipient {
  readonly id: number
  readonly customerId: CustomerId
  readonly customerName: string
  readonly isConfirmed: boolean
}

/** Finds whom a link belongs to. An address that was asked and did not confirm in time is asked anew by whoever wants it. */
export async function findRecipient(db: Db, token: string, now: Date): Promise<FoundRecipient | undefined> {
  const { rows } = await statementsOf(db).query<FoundRecipient>(
    `select r.id, m.customer_id as "customerId", c.name as "customerName", r.confirmed_at is not null as "isConfirmed"
     from statement_recipient r join statement_mailing m on m.id = r.mailing_id join customer c on c.id = m.customer_id
     where r.token = $1 and (r.confirmed_at is not null or r.asked_at > $2)`,
    [token, new Date(now.getTime() - CONFIRMED_WITHIN_MS)],
  )
  return rows[0]
}

export const confirmRecipient = (transaction: Tx, id: number, now: Date) =>
  statementsOf(transaction).query(
    'update statement_recipient set confirmed_at = coalesce(confirmed_at, $2) where id = $1',
    [id, now],
  )

export const removeRecipient = (transaction: Tx, id: number) =>
  statementsOf(transaction).query('delete from statement_recipient where id = $1', [id])

/** What a mail says: the statement, or that the address is asked. */
export interface StatementMailRow {
  readonly to: string
  readonly token: string
  readonly customerId: CustomerId
  readonly customerName: string
  readonly chosen: ChosenDevices & { readonly deviceId: DeviceId | 0 }
  readonly statementId: number | null
  readonly number: number | null
  readonly month: Month | null
  readonly subject: string | null
  readonly availabilityHundredths: number | null
  readonly pdf: Buffer | null
}

/** Only who has confirmed gets a statement, and only who has not a link to confirm. */
export async function readStatementMail(db: Db, mailId: number): Promise<StatementMailRow | undefined> {
  const { rows } = await statementsOf(db).query<StatementMailRow>(
    `select r.email as to, r.token, g.customer_id as "customerId", c.name as "customerName", g.subject as chosen,
       s.id as "statementId", s.number, to_char(s.month, 'YYYY-MM') as month, s.content ->> 'subject' as subject,
       (s.content ->> 'availabilityHundredths')::integer as "availabilityHundredths", s.pdf
     from statement_mail m join statement_recipient r on r.id = m.recipient_id
     join statement_mailing g on g.id = r.mailing_id join customer c on c.id = g.customer_id and c.is_active
     left join light_statement s on s.id = m.statement_id
     where m.id = $1 and m.sent_at is null and m.given_up_at is null
       and (m.statement_id is null) = (r.confirmed_at is null)`,
    [mailId],
  )
  return rows[0]
}
