import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setCustomer } from '#contract/http/people/customers.ts'
import type { CustomerId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { PeopleChange } from '#server/people/peopleChange.store.ts'
import type { CustomerDetails, CustomerStore } from './customers.store.ts'

type Request = ReadBodyOf<typeof setCustomer>

export interface CustomerService {
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<CustomerId>
}

/** Manages customers. They are never deleted: a deactivated one keeps what its devices have recorded. */
export function createCustomers({
  store,
  people,
}: {
  readonly store: CustomerStore
  readonly people: PeopleChange
}): CustomerService {
  async function added(asked: Request, author: Caller, change: ChangeRecord, transaction: Tx): Promise<CustomerId> {
    if (asked.name === undefined) throw new CallError('invalid_request', required('name'))
    const after = { name: asked.name, countryId: asked.countryId ?? null, isActive: asked.isActive ?? true }
    const id = await store.add(after, author.userId, transaction)
    await change.done(transaction, { id, name: after.name, customerId: id, details: 'Added', isNew: true, after })
    return id
  }

  async function edited(asked: Request, author: Caller, change: ChangeRecord, transaction: Tx): Promise<CustomerId> {
    const id = asked.id as CustomerId
    const known = await store.lock(id, transaction)
    if (!known) throw notFound()
    change.about({ name: known.name })
    const after = differing(known, asked)
    await store.change(id, after, author.userId, transaction)
    const before = Object.fromEntries(FIELDS.flatMap((name) => (name in after ? [[name, known[name]]] : [])))
    await change.done(transaction, { id, name: known.name, customerId: id, before, after })
    return id
  }

  return {
    set: (asked, caller, change) => {
      const { id, name, countryId } = asked
      change.about({ ...(id > 0 && { id }), ...(name !== undefined && { name }) })
      return people(caller, 'staffAdmin', async (transaction, author) => {
        if (typeof countryId === 'number' && !(await store.hasCountry(countryId, transaction))) {
          throw new CallError('invalid_request', notValid('countryId'))
        }
        if (name !== undefined && (await store.isNameTaken(name, id, transaction))) {
          throw new CallError('customer_name_taken')
        }
        return id > 0 ? edited(asked, author, change, transaction) : added(asked, author, change, transaction)
      })
    },
  }
}

const FIELDS = ['name', 'countryId', 'isActive'] as const satisfies readonly (keyof CustomerDetails)[]

function differing(known: CustomerDetails, asked: Request): Partial<CustomerDetails> {
  return Object.fromEntries(
    FIELDS.flatMap((name) => (asked[name] === undefined || asked[name] === known[name] ? [] : [[name, asked[name]]])),
  )
}
