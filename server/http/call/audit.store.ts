import { type Insertable, sql, type Transaction } from 'kysely'
import { AUDIT_ACTIONS, AUDIT_ENTITIES, type AuditedChange } from '#contract/call/call.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { outcomeOf } from '#server/db/connect/commitOutcome.ts'
import { PATIENCE } from '#server/db/connect/patience.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import { holdRefusal } from './heldRefusals.store.ts'

export type Tx = Transaction<Database>

/** What was changed. Never a secret: no password, token or key. */
export interface AuditedThing {
  readonly id?: number
  readonly name?: string
  /** The row is seen in this customer's scope. */
  readonly customerId?: CustomerId | null
  /** The new owner of a thing that changed hands. They read the other half of the row. */
  readonly arrivedCustomerId?: CustomerId
  readonly details?: string
  /** It was made by a call that otherwise changes what there is. */
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
  /** Path of the call, or the name of the command that did it. */
  readonly call: string
  /** `done`, or the code of the refusal. */
  readonly outcome: string
  readonly author: AuditAuthor
  readonly thing: AuditedThing
  /** A UUID that the rows of one bulk action share. */
  readonly bulkId?: string
  /** The moment by the process's monotonic clock, set when the row could not be written at once. */
  readonly happenedAtMs?: number
  /** SHA-256 of a session's token, in hex: the row is of no use once this session proves who it is. */
  readonly heldForSession?: string
}

export interface Audit {
  /**
   * Writes the row in the transaction of the change, so that neither exists without the other.
   *
   * @returns the number of that transaction, by which its outcome is found; undefined when the row waits to be written
   */
  readonly write: (row: AuditRow, transaction?: Tx) => Promise<string | undefined>
  /** Finds out whether a transaction that has written a row was committed. */
  readonly outcomeOf: (transactionNumber: string) => Promise<'committed' | 'aborted' | 'unknown'>
}

const LONGEST_NAME = 254
const LONGEST_DETAILS = 1000

const idOf = <Name extends string>(list: readonly { id: number; name: Name }[], name: Name) =>
  list.find((entry) => entry.name === name)?.id ?? 0

/** PostgreSQL refuses NUL in text, and a refusal that cannot be written down would go unseen. */
const storable = (text: string, longest: number) => text.replaceAll('\u0000', '').toWellFormed().slice(0, longest)

const json = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

/** The column holds no larger number, but ids of alerts and incidents may be larger. */
const LARGEST_ENTITY_ID = 2 ** 31 - 1

/** An id that has no place in its column stands in words. */
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

/** @returns its id, and the number of the transaction that writes it */
export async function insertAuditRow(
  db: Db,
  row: AuditRow,
): Promise<{ readonly id: number; readonly transactionNumber: string }> {
  const { happenedAtMs } = row
  if (happenedAtMs === undefined) return insertRow(db, row)
  // Its age counts from when there is a connection: to wait for one takes its time after a database was away.
  return db.connection().execute((connection) => insertRow(connection, row, performance.now() - happenedAtMs))
}

function insertRow(db: Db, row: AuditRow, ageMs?: number) {
  const at = ageMs === undefined ? {} : { inserted_at: sql<Date>`now() - make_interval(secs => ${ageMs / 1000})` }
  return db
    .insertInto('audit_log')
    .values({ ...toRow(row), ...at })
    .returning(['id', sql<string>`pg_current_xact_id()::text`.as('transactionNumber')])
    .executeTakeFirstOrThrow()
}

export function createAudit(db: Db, { outcomeWithinMs } = PATIENCE): Audit {
  return {
    write: async (row, transaction) => {
      if (row.heldForSession !== undefined) {
        await holdRefusal(db, row.heldForSession, toRow(row))
        return undefined
      }
      return (await (transaction ? insertRow(transaction, row) : insertAuditRow(db, row))).transactionNumber
    },
    outcomeOf: (transactionNumber) =>
      outcomeOf(outcomeWithinMs, async () => {
        const asked = sql<{ status: string | null }>`select pg_xact_status(${transactionNumber}::text::xid8) as status`
        return (await asked.execute(db)).rows[0]?.status
      }),
  }
}
