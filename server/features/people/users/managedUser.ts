import type { UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { readKnownUser } from './users.store.ts'

/**
 * Reads a user whom somebody manages, and names them to the audit log.
 *
 * @throws CallError `not_found`, `forbidden`
 */
export async function managedUser(transaction: Tx, id: UserId, author: Caller, change: ChangeRecord) {
  const known = await foundRow(readKnownUser(transaction, id, scopeOf(author)))
  change.about({ name: known.username })
  if (!mayManage(author, known)) throw new CallError('forbidden')
  return known
}
