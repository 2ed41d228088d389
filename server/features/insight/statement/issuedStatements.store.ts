import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Month } from '#domain/statement/months.ts'
import { firstOf } from '#domain/statement/months.ts'
import type { StatementChange } from '#domain/statement/statementChanges.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf } from '#server/http/call/scopeSql.ts'

export interface IssuedRow {
  readonly id: number
  readonly number: number
  readonly customerId: CustomerId
  readonly customerName: string
  readonly month: Month
  readonly subject: string
  readonly issuedAt: Date
  readonly issuedBy: string
  readonly corrects: number | null
  readonly correctedBy: number | null
}

/** The devices as they were chosen, so that the same choice is found again. */
export interface ChosenDevices {
  readonly tag: string
  readonly place: string
  readonly deviceId: number
}

/** The words of a statement that a version before issued stand in its content alone. */
const HEAD = `s.id, s.number, s.customer_id as "customerId", c.name as "customerName", to_char(s.month, 'YYYY-MM') as month,
  coalesce(s.subject_text, s.content ->> 'subject') as subject, s.issued_at as "issuedAt", u.username as "issuedBy", o.number as corrects,
  n.number as "correctedBy"`
const FROM = `from light_statement s join customer c on c.id = s.customer_id join app_user u on u.id = s.issued_by
  left join light_statement o on o.id = s.corrects_id left join light_statement n on n.corrects_id = s.id`

export async function listIssued(db: Db | Tx, customerId: CustomerId): Promise<readonly IssuedRow[]> {
  const { rows } = await statementsOf(db).query<IssuedRow>(
    `select ${HEAD} ${FROM} where s.customer_id = $1 order by s.number desc`,
    [customerId],
  )
  return rows
}

export interface IssuedWhole extends IssuedRow {
  readonly content: LightStatement
  readonly changes: readonly StatementChange[]
}

export async function findIssued(db: Db | Tx, scope: Scope, id: number): Promise<IssuedWhole | undefined> {
  const { rows } = await statementsOf(db).query<IssuedWhole>(
    `select ${HEAD}, s.content, s.changes ${FROM} where s.id = $1 and ($2::integer is null or s.customer_id = $2)`,
    [id, customerOf(scope)],
  )
  return rows[0]
}

export async function readDocument(db: Db | Tx, scope: Scope, id: number) {
  const { rows } = await statementsOf(db).query<{ pdf: Buffer; number: number; customerId: CustomerId; month: Month }>(
    `select pdf, number, customer_id as "customerId", to_char(month, 'YYYY-MM') as month from light_statement
     where id = $1 and ($2::integer is null or customer_id = $2)`,
    [id, customerOf(scope)],
  )
  return rows[0]
}

/** Finds the statement on a month and a choice of devices that no other corrects. */
export async function findStanding(
  db: Db | Tx,
  {
    customerId,
    month,
    chosen,
  }: { readonly customerId: CustomerId; readonly month: Month; readonly chosen: ChosenDevices },
): Promise<IssuedWhole | undefined> {
  const { rows } = await statementsOf(db).query<IssuedWhole>(
    `select ${HEAD}, s.content, s.changes ${FROM}
     where s.customer_id = $1 and s.month = $2 and s.subject = $3::jsonb and n.id is null`,
    [customerId, firstOf(month), JSON.stringify(chosen)],
  )
  return rows[0]
}

/** Lets one transaction at a time give the customer's next number. */
export async function takeNumber(db: Db | Tx, customerId: CustomerId): Promise<number> {
  await statementsOf(db).query('select from customer where id = $1 for no key update', [customerId])
  const { rows } = await statementsOf(db).query<{ number: number }>(
    'select coalesce(max(number), 0) + 1 as number from light_statement where customer_id = $1',
    [customerId],
  )
  return rows[0]?.number ?? 1
}

export interface ToIssue {
  readonly number: number
  readonly chosen: ChosenDevices
  readonly correctsId: number | null
  readonly issuedAt: Date
  readonly issuedBy: UserId
  readonly content: LightStatement
  readonly changes: readonly StatementChange[]
  readonly pdf: Buffer
}

export async function insertIssued(db: Db | Tx, issued: ToIssue): Promise<number> {
  const { number, chosen, correctsId, issuedAt, issuedBy, content, changes, pdf } = issued
  const { rows } = await statementsOf(db).query<{ id: number }>(
    `insert into light_statement
       (customer_id, number, month, subject, corrects_id, issued_at, issued_by, content, changes, pdf, subject_text)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      ...[content.customerId, number, firstOf(content.month), JSON.stringify(chosen), correctsId, issuedAt, issuedBy],
      ...[JSON.stringify(content), JSON.stringify(changes), pdf, content.subject],
    ],
  )
  return rows[0]?.id ?? 0
}
