import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setUser } from '#contract/http/people/users.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { customerOfUser, mayGrant, maySetLab } from '#domain/permissions/people.ts'
import { required } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { findCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { changedFields, foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { changePeople } from '#server/people/peopleChange.store.ts'
import { managedUser } from './managedUser.ts'
import { addUser, changeUser, countTakenNames, functionsOfRoleId } from './users.store.ts'

type Request = ReadBodyOf<typeof setUser>

/** This limits one customer: it exceeds what an admin mistypes, and stops somebody who tries a list of names. */
const MOST_TAKEN_PER_HOUR = 10
const TAKEN_AGAIN_AFTER_SECONDS = 900

export function addOrEdit(db: Db, asked: Request, caller: Caller, change: ChangeRecord): Promise<UserId> {
  const { id, username } = asked
  change.about(id > 0 ? { id } : { name: username ?? '' })
  return changePeople(db, caller, 'admin', (transaction, author) =>
    id > 0 ? edit(transaction, asked, author, change) : add(transaction, asked, author, change),
  )
}

async function add(transaction: Tx, asked: Request, author: Caller, change: ChangeRecord): Promise<UserId> {
  const { username, roleId } = asked
  if (username === undefined) throw new CallError('invalid_request', required('username'))
  if (roleId === undefined) throw new CallError('invalid_request', required('roleId'))
  await refuseAsking(transaction, author)
  const customerId = requireOwn(customerOfUser(author, asked.customerId, null))
  await requireActiveCustomer(transaction, customerId, author)
  await requireRole(transaction, roleId, author)
  const user = {
    username,
    firstName: asked.firstName ?? '',
    lastName: asked.lastName ?? '',
    email: asked.email || username,
    roleId,
    customerId,
  }
  const id = await addUser(transaction, user, author.userId)
  if (id === undefined) throw new CallError('username_taken')
  await change.done(transaction, { id, name: username, customerId, details: 'Added', isNew: true, after: user })
  return id
}

async function edit(transaction: Tx, asked: Request, author: Caller, change: ChangeRecord): Promise<UserId> {
  const known = await managedUser(transaction, asked.id as UserId, author, change)
  const { id, username: name, customerId } = known
  const wanted = { ...asked, id, customerId: requireOwn(customerOfUser(author, asked.customerId, customerId)) }
  const { before, after } = changedFields(known, wanted, [
    'firstName',
    'lastName',
    'email',
    'roleId',
    'customerId',
    'isLab',
    'isDisabled',
  ])
  if (after.roleId !== undefined) await requireRole(transaction, after.roleId, author)
  if (after.customerId !== undefined) await requireActiveCustomer(transaction, after.customerId, author)
  if (after.isLab !== undefined && !maySetLab(author)) throw new CallError('forbidden')
  await changeUser(transaction, id, after, author.userId)
  // The row belongs to the former customer, who must not learn where the user was moved.
  const arrived = after.customerId && { arrivedCustomerId: after.customerId }
  await change.done(transaction, { id, name, customerId, before, after, ...arrived })
  return id
}

async function requireRole(transaction: Tx, id: RoleId, author: Caller): Promise<void> {
  const functions = await functionsOfRoleId(transaction, id)
  // A role that the author may not assign is missing from their list of roles too.
  if (!functions || !mayGrant(author, functions)) throw notFound()
}

async function requireActiveCustomer(transaction: Tx, id: CustomerId | null, author: Caller): Promise<void> {
  if (id === null) return
  const { isActive } = await foundRow(findCustomer(transaction, id, scopeOf(author)))
  if (!isActive) throw new CallError('customer_deactivated')
}

/**
 * Limits how often a customer's admin learns that a username is taken, because that reveals users whom they may not
 * see. Staff see all of them.
 */
async function refuseAsking(transaction: Tx, { customerId }: Caller): Promise<void> {
  if (customerId === undefined) return
  if ((await countTakenNames(transaction, customerId)) < MOST_TAKEN_PER_HOUR) return
  throw new CallError('too_many_requests', 'Too many usernames were taken already. Please wait a while.', {
    retryAfterSeconds: TAKEN_AGAIN_AFTER_SECONDS,
  })
}

/** @throws CallError `not_found` for a customer that the author must not know */
function requireOwn(customerId: CustomerId | null | undefined): CustomerId | null {
  if (customerId === undefined) throw notFound()
  return customerId
}
