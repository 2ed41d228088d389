import { type CompiledQuery, type Insertable, sql, type Transaction } from 'kysely'
import { AUDIT_ACTIONS, AUDIT_ENTITIES, type AuditedChange } from '#contract/call/call.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { later } from '#server/db/CheckedDialect.ts'
import { outcomeOf } from '#server/db/commitOutcome.ts'
import type { Db } from '#server/db/database.ts'
import { PATIENCE } from '#server/db/patience.ts'
import type { Database } from '#server/db/schema.ts'
import { holdRefusal } from './heldRefusals.store.ts'

export type Tx = Transaction<Database>
export type Statement = CompiledQuery<unknown>

/** The thing that was changed. It never holds a secret: no password, token or key. */
export interface AuditedThing {
  readonly id?: number
  readonly name?: string
  /** The row is visible in the scope of this customer, who owns the thing. */
  readonly customerId?: CustomerId | null
  /**
   * The thing belongs to this customer after the change; both the old and the new owner may read their part of the row.
   */
  readonly arrivedCustomerId?: CustomerId
  readonly details?: string
  /** A call whose action is otherwise an update has created the thing. */
  readonly isNew?: boolean
  readonly before?: object
  readonly after?: object
}

export interface AuditAuthor {
  readonly userId?: UserId
  readonly username: string
  readonly customerId?: CustomerId
  readonly address: string
}

export interface AuditRow {
  readonly change: AuditedChange
  /** The path of the call, or the name of the command line's command. */
  readonly call: string
  /** `done`, or the code of the refusal. */
  readonly outcome: string
  readonly author: AuditAuthor
  readonly thing: AuditedThing
  readonly bulkId?: string
  /** The moment of the action on the monotonic clock of the process, for a row that could not be written at once. */
  readonly happenedAtMs?: number
  /**
   * SHA-256 of the session's token in hex. The row is dropped when this session gives the proof that it was asked for.
   */
  readonly heldForSession?: string
}

export interface Audit {
  /**
   * Writes the row in the transaction of the change, so that neither exists without the other.
   * @returns the number of that transaction, by which its outcome is found; undefined when the row waits to be written
   */
  readonly write: (row: AuditRow, transaction?: Tx) => Promise<string | undefined>
  /** Makes the row's statement for a transaction that is sent in one exchange. */
  readonly statement: (row: AuditRow) => Statement
  /** Finds what became of a transaction that wrote a row. */
  readonly outcomeOf: (transactionNumber: string) => Promise<'committed' | 'aborted' | 'unknown'>
}

const LONGEST_NAME = 254
const LONGEST_DETAILS = 1000

const idOf = <Name extends string>(list: readonly { id: number; name: Name }[], name: Name) =>
  list.find((entry) => entry.name === name)?.id ?? 0

/** PostgreSQL refuses NUL in text, and a refusal that could not be written would go unseen. */
const storable = (text: string, longest: number) => text.replaceAll('\u0000', '').toWellFormed().slice(0, longest)

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

/** The column is a 32-bit integer; ids of alerts and incidents may be larger. */
const LARGEST_ENTITY_ID = 2 ** 31 - 1

/** An id too large for its column is written into the details. */
function identityOf({ id, details = '' }: AuditedThing) {
  if (id === undefined || id <= LARGEST_ENTITY_ID)
    return { entity_id: id ?? null, details: storable(details, LONGEST_DETAILS) }
  return { entity_id: null, details: storable([`id ${id}`, details].filter(Boolean).join('; '), LONGEST_DETAILS) }
}

function toRow({ change, call, outcome, author, thing, bulkId }: AuditRow): Insertable<Database['audit_log']> {
  return {
    action_id: idOf(AUDIT_ACTIONS, thing.isNew ? 'Create' : change.action),
    entity_type_id: idOf(AUDIT_ENTITIES, change.entity),
    ...identityOf(thing),
    entity_name: storable(thing.name ?? '', LONGEST_NAME),
    customer_id: thing.customerId ?? null,
    arrived_customer_id: thing.arrivedCustomerId ?? null,
    user_id: author.userId ?? null,
    username: storable(author.username, LONGEST_NAME),
    author_customer_id: author.customerId ?? null,
    address: author.address,
    call,
    outcome,
    before: json(thing.before),
    after: json(thing.after),
    bulk_id: bulkId ?? null,
  }
}

export async function insertAuditRow(
  db: Db,
  row: AuditRow,
): Promise<{ readonly id: number; readonly transactionNumber: string }> {
  const { happenedAtMs } = row
  if (happenedAtMs === undefined) return insertRow(db, row)
  // The row's age is measured once there is a connection: waiting for one takes long after the database was away.
  return db.connection().execute((connection) => insertRow(connection, row, performance.now() - happenedAtMs))
}

const insertRow = (db: Db, row: AuditRow, ageMs?: number) => insertion(db, row, ageMs).executeTakeFirstOrThrow()

function insertion(db: Db, row: AuditRow, ageMs?: number) {
  const at = ageMs === undefined ? {} : { inserted_at: sql<Date>`now() - make_interval(secs => ${ageMs / 1000})` }
  return db
    .insertInto('audit_log')
    .values({ ...toRow(row), ...at })
    .returning(['id', sql<string>`pg_current_xact_id()::text`.as('transactionNumber')])
}

export function createAudit(db: Db, { outcomeWithinMs } = PATIENCE): Audit {
  return {
    write: async (row, transaction) => {
      if (row.heldForSession !== undefined) {
        await holdRefusal(db, row.heldForSession, toRow(row))
        return undefined
      }
      if (!transaction) return (await insertAuditRow(db, row)).transactionNumber
      const insert = later(insertion(transaction, row).compile())
      const { rows } = await transaction.executeQuery<{ transactionNumber: string }>(insert as CompiledQuery<never>)
      return rows[0]?.transactionNumber
    },
    statement: (row) => insertion(db, row).compile(),
    outcomeOf: (transactionNumber) =>
      outcomeOf(outcomeWithinMs, async () => {
        const asked = sql<{ status: string | null }>`select pg_xact_status(${transactionNumber}::text::xid8) as status`
        return (await asked.execute(db)).rows[0]?.status
      }),
  }
}
