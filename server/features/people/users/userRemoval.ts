import type { UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { changePeople, endSessions } from '#server/people/peopleChange.store.ts'
import { managedUser } from './managedUser.ts'
import { removeUser, requestErasure } from './users.store.ts'

export interface RemovalParts {
  readonly db: Db
  /** @returns how many second factors were removed */
  readonly forgetFactors: (transaction: Tx, id: UserId) => Promise<number>
}

export function deleteOne(
  { db, forgetFactors }: RemovalParts,
  id: UserId,
  caller: Caller,
  change: ChangeRecord,
  after?: (transaction: Tx) => Promise<void>,
): Promise<void> {
  change.about({ id })
  return changePeople(db, caller, 'admin', async (transaction, author) => {
    const known = await managedUser(transaction, id, author, change)
    await removeUser(transaction, id, author.userId)
    await forgetFactors(transaction, id)
    await after?.(transaction)
    const { username: name, customerId, functions: _, ...before } = known
    await change.done(transaction, { id, name, customerId, before })
  })
}

/** Removes the user, and a job erases them from everything that is left. */
export const eraseOne = (parts: RemovalParts, id: UserId, caller: Caller, change: ChangeRecord): Promise<void> =>
  deleteOne(parts, id, caller, change, (transaction) => requestErasure(transaction, id))

export function resetFactorsOf(
  { db, forgetFactors }: RemovalParts,
  id: UserId,
  caller: Caller,
  change: ChangeRecord,
): Promise<void> {
  change.about({ id })
  return changePeople(db, caller, 'admin', async (transaction, author) => {
    const { username: name, customerId } = await managedUser(transaction, id, author, change)
    const count = await forgetFactors(transaction, id)
    if (count === 0) throw new CallError('no_second_factor')
    // A thief of the telephone may have a session too.
    await endSessions(transaction, { userId: id })
    const details = `All second factors were taken away (${count}); sessions ended.`
    await change.done(transaction, { id, name, customerId, details })
  })
}
