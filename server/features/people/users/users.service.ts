import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setUser } from '#contract/http/people/users.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { customerOfUser, mayGrant, mayManage, maySetLab } from '#domain/permissions/people.ts'
import { required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { endSessions, type PeopleChange } from '#server/people/peopleChange.store.ts'
import type { KnownUser, UserDetails, UserStore } from './users.store.ts'

type Request = ReadBodyOf<typeof setUser>

/** This limits one customer: it exceeds what an admin mistypes, and stops somebody who tries a list of names. */
const MOST_TAKEN_PER_HOUR = 10
const TAKEN_AGAIN_AFTER_SECONDS = 900

/** @returns how many second factors were removed */
export type ForgetFactors = (id: UserId, transaction: Tx) => Promise<number>

export interface UserService {
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<UserId>
  readonly remove: (id: UserId, caller: Caller, change: ChangeRecord) => Promise<true>
  readonly resetFactors: (id: UserId, caller: Caller, change: ChangeRecord) => Promise<void>
  /** Removes the user, and a job erases them from everything that is left. */
  readonly erase: (id: UserId, caller: Caller, change: ChangeRecord) => Promise<void>
}

/** Manages users: a customer's admin those of the customer, a staff admin all (rules/permissions 10). */
export function createUsers({
  store,
  people,
  forgetFactors,
}: {
  readonly store: UserStore
  readonly people: PeopleChange
  readonly forgetFactors: ForgetFactors
}): UserService {
  async function requireRole(id: RoleId, author: Caller, transaction: Tx): Promise<void> {
    const functions = await store.roleFunctions(id, transaction)
    // A role that the author may not assign is missing from their list of roles too.
    if (!functions || !mayGrant(author, functions)) throw notFound()
  }

  async function requireActiveCustomer(id: CustomerId | null, transaction: Tx): Promise<void> {
    if (id === null) return
    const customer = await store.customer(id, transaction)
    if (!customer) throw notFound()
    if (!customer.isActive) throw new CallError('customer_deactivated')
  }

  /**
   * Limits how often a customer's admin learns that a username is taken, because that reveals users whom they may not
   * see. Staff see all of them.
   */
  async function refuseAsking({ customerId }: Caller, transaction: Tx): Promise<void> {
    if (customerId === undefined) return
    if ((await store.countTaken(customerId, transaction)) < MOST_TAKEN_PER_HOUR) return
    throw new CallError('too_many_requests', 'Too many usernames were taken already. Please wait a while.', {
      retryAfterSeconds: TAKEN_AGAIN_AFTER_SECONDS,
    })
  }

  async function add(asked: Request, author: Caller, change: ChangeRecord, transaction: Tx): Promise<UserId> {
    const { username, roleId } = asked
    if (username === undefined) throw new CallError('invalid_request', required('username'))
    if (roleId === undefined) throw new CallError('invalid_request', required('roleId'))
    await refuseAsking(author, transaction)
    const customerId = requireOwn(customerOfUser(author, asked.customerId, null))
    await requireActiveCustomer(customerId, transaction)
    await requireRole(roleId, author, transaction)
    const user = {
      username,
      firstName: asked.firstName ?? '',
      lastName: asked.lastName ?? '',
      email: asked.email || username,
      roleId,
      customerId,
    }
    const id = await store.add(user, author.userId, transaction)
    if (id === undefined) throw new CallError('username_taken')
    await change.done(transaction, { id, name: username, customerId, details: 'Added', isNew: true, after: user })
    return id
  }

  async function edit(id: UserId, asked: Request, author: Caller, change: ChangeRecord, transaction: Tx) {
    const known = await store.known(id, scopeOf(author), transaction)
    if (!known) throw notFound()
    change.about({ name: known.username })
    if (!mayManage(author, known)) throw new CallError('forbidden')
    const after = differing(known, {
      ...asked,
      customerId: requireOwn(customerOfUser(author, asked.customerId, known.customerId)),
    })
    if (after.roleId !== undefined) await requireRole(after.roleId, author, transaction)
    if (after.customerId !== undefined) await requireActiveCustomer(after.customerId, transaction)
    if (after.isLab !== undefined && !maySetLab(author)) throw new CallError('forbidden')
    await store.change(id, after, author.userId, transaction)
    const before = Object.fromEntries(FIELDS.flatMap((name) => (name in after ? [[name, known[name]]] : [])))
    // The row belongs to the former customer, who must not learn where the user was moved.
    const arrived = after.customerId && { arrivedCustomerId: after.customerId }
    await change.done(transaction, {
      id,
      name: known.username,
      customerId: known.customerId,
      before,
      after,
      ...arrived,
    })
    return id
  }

  const takeAway = (id: UserId, caller: Caller, change: ChangeRecord, after?: (tx: Tx) => Promise<void>) => {
    change.about({ id })
    return people(caller, 'admin', async (transaction, author) => {
      const known = await store.known(id, scopeOf(author), transaction)
      if (!known) throw notFound()
      change.about({ name: known.username })
      if (!mayManage(author, known)) throw new CallError('forbidden')
      await store.remove(id, author.userId, transaction)
      await forgetFactors(id, transaction)
      await after?.(transaction)
      const { username: name, customerId, functions: _, ...before } = known
      await change.done(transaction, { id, name, customerId, before })
    })
  }

  return {
    set: (asked, caller, change) => {
      const { id, username } = asked
      change.about(id > 0 ? { id } : { name: username ?? '' })
      return people(caller, 'admin', (transaction, author) =>
        id > 0 ? edit(id as UserId, asked, author, change, transaction) : add(asked, author, change, transaction),
      )
    },

    remove: async (id, caller, change) => {
      await takeAway(id, caller, change)
      return true
    },

    resetFactors: (id, caller, change) => {
      change.about({ id })
      return people(caller, 'admin', async (transaction, author) => {
        const known = await store.known(id, scopeOf(author), transaction)
        if (!known) throw notFound()
        const { username: name, customerId } = known
        change.about({ name })
        if (!mayManage(author, known)) throw new CallError('forbidden')
        const count = await forgetFactors(id, transaction)
        if (count === 0) throw new CallError('no_second_factor')
        // A thief of the telephone may have a session too.
        await endSessions(transaction, { userId: id })
        const details = `All second factors were taken away (${count}); sessions ended.`
        await change.done(transaction, { id, name, customerId, details })
      })
    },

    erase: (id, caller, change) => takeAway(id, caller, change, (transaction) => store.askErasure(id, transaction)),
  }
}

/** @throws CallError `not_found` for a customer that the author must not know */
function requireOwn(customerId: CustomerId | null | undefined): CustomerId | null {
  if (customerId === undefined) throw notFound()
  return customerId
}

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'roleId',
  'customerId',
  'isLab',
  'isDisabled',
] as const satisfies readonly (keyof UserDetails)[]

function differing(known: KnownUser, wanted: { readonly [Name in keyof UserDetails]?: UserDetails[Name] | undefined }) {
  return Object.fromEntries(
    FIELDS.flatMap((name) =>
      wanted[name] === undefined || wanted[name] === known[name] ? [] : [[name, wanted[name]]],
    ),
  ) as Partial<UserDetails>
}
