import type { ReadBodyOf } from '#contract/call/call.ts'
import { listCustomerRecords, setCustomer } from '#contract/http/people/customers.ts'
import type { CustomerId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { changedFields, foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { changePeople } from '#server/people/peopleChange.store.ts'
import { addCustomer, changeCustomer, hasCountry, isNameTaken, listCustomers, lockCustomer } from './customers.store.ts'

type Request = ReadBodyOf<typeof setCustomer>

/** Manages customers. They are never deleted: a deactivated one keeps what its devices have recorded. */
export const customersFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(listCustomerRecords, async () =>
      (await listCustomers(db)).map(({ createdAt, countryName, ...customer }) => ({
        ...customer,
        countryName: countryName ?? '',
        created: createdAt.toISOString(),
      })),
    ),
    route(setCustomer, ({ body, caller, change }) => {
      const { id, name } = body
      change.about({ ...(id > 0 && { id }), ...(name !== undefined && { name }) })
      return changePeople(db, caller, 'staffAdmin', async (transaction, author) => {
        await refuseWrong(body, transaction)
        return id > 0 ? edited(body, author, change, transaction) : added(body, author, change, transaction)
      })
    }),
  ],
})

async function refuseWrong({ id, name, countryId }: Request, transaction: Tx): Promise<void> {
  if (typeof countryId === 'number' && !(await hasCountry(transaction, countryId))) {
    throw new CallError('invalid_request', notValid('countryId'))
  }
  if (name !== undefined && (await isNameTaken(transaction, name, id))) throw new CallError('customer_name_taken')
}

async function added(asked: Request, author: Caller, change: ChangeRecord, transaction: Tx): Promise<CustomerId> {
  if (asked.name === undefined) throw new CallError('invalid_request', required('name'))
  const after = {
    ...{ name: asked.name, countryId: asked.countryId ?? null },
    ...{ isActive: asked.isActive ?? true, keptDays: asked.keptDays ?? null },
  }
  const id = await addCustomer(transaction, after, author.userId)
  await change.done(transaction, { id, name: after.name, customerId: id, details: 'Added', isNew: true, after })
  return id
}

async function edited(asked: Request, author: Caller, change: ChangeRecord, transaction: Tx): Promise<CustomerId> {
  const id = asked.id as CustomerId
  const known = await foundRow(lockCustomer(transaction, id))
  change.about({ name: known.name })
  const { before, after } = changedFields(known, asked, ['name', 'countryId', 'isActive', 'keptDays'])
  await changeCustomer(transaction, id, after, author.userId)
  await change.done(transaction, { id, name: known.name, customerId: id, before, after })
  return id
}
