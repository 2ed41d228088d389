import type { CustomerId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** Finds a customer in the scope that takes new devices, with the time zone of its country. */
export function findCustomer(
  db: Db | Tx,
  id: CustomerId,
  scope: Scope,
): Promise<{ readonly timeZone: string | null; readonly isActive: boolean } | undefined> {
  if (scope.kind === 'customer' && scope.customerId !== id) return Promise.resolve(undefined)
  return db
    .selectFrom('customer')
    .leftJoin('country', 'country.id', 'customer.country_id')
    .select(['country.time_zone as timeZone', 'customer.is_active as isActive'])
    .where('customer.id', '=', id)
    .executeTakeFirst()
}

/** @throws CallError `not_found` unless a caller with this scope may name the customer */
export async function requireCustomer(db: Db | Tx, id: CustomerId, scope: Scope): Promise<void> {
  if ((await findCustomer(db, id, scope)) === undefined) throw notFound()
}

export const readCustomerName = async (db: Db | Tx, id: CustomerId): Promise<string | undefined> =>
  (await db.selectFrom('customer').select('name').where('id', '=', id).executeTakeFirst())?.name

/**
 * Narrows a scope to the customer that a filter names; -1 names none.
 *
 * @throws CallError `not_found` when the caller may not name the customer
 */
export async function narrowScope(db: Db | Tx, scope: Scope, customerId: CustomerId | -1 | undefined): Promise<Scope> {
  if (customerId === undefined || customerId === -1) return scope
  await requireCustomer(db, customerId, scope)
  return { kind: 'customer', customerId }
}
