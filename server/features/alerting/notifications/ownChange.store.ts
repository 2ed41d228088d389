import type { CustomerId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { ownerWithin } from '#server/http/call/scopeSql.ts'

interface Owned {
  readonly name: string
  /** Null for what belongs to staff. */
  readonly customerId: CustomerId | null
}

/** The answer of a call, and what its audit row says. */
interface Changed<Answer> extends Pick<AuditedThing, 'details' | 'before' | 'after'> {
  readonly answer: Answer
  /** Absent where the name stays. */
  readonly name?: string
}

/** Adds a channel, a route or an on-call schedule with its audit row. Its answer has or is the id of the new row. */
export function addOwn<Answer>(
  db: Db,
  { customerId: asked, caller, change }: { customerId: CustomerId | null; caller: Caller; change: ChangeRecord },
  add: (
    transaction: Tx,
    customerId: CustomerId | null,
  ) => Promise<Changed<Answer> & { readonly id: number; readonly name: string }>,
): Promise<Answer> {
  return db.transaction().execute(async (transaction) => {
    const scope = scopeOf(caller)
    const customerId = ownerWithin(scope, asked)
    if (customerId !== null) await requireCustomer(transaction, customerId, scope)
    const { answer, ...added } = await add(transaction, customerId)
    await change.done(transaction, { ...added, customerId, isNew: true })
    return answer
  })
}

/**
 * Changes or removes a channel, a route or an on-call schedule with its audit row.
 *
 * @throws CallError `not_found` for one that the caller may not see
 */
export function changeOwn<Own extends Owned, Answer>(
  db: Db,
  { id, caller, change }: { id: number; caller: Caller; change: ChangeRecord },
  find: (transaction: Tx, scope: Scope, id: number) => Promise<Own | undefined>,
  work: (transaction: Tx, own: Own) => Promise<Changed<Answer>>,
): Promise<Answer> {
  change.about({ id })
  return db.transaction().execute(async (transaction) => {
    const own = await foundRow(find(transaction, scopeOf(caller), id))
    const { name, customerId } = own
    change.about({ name })
    const { answer, ...changed } = await work(transaction, own)
    await change.done(transaction, { id, name, customerId, ...changed })
    return answer
  })
}
