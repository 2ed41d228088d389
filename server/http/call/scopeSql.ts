import type { CustomerId } from '#domain/ids.ts'
import { notFound } from './callError.ts'
import type { Scope } from './caller.ts'

/** Returns the customer that a scope is bound to, null for staff, as a parameter of SQL. */
export const customerOf = (scope: Scope): CustomerId | null => (scope.kind === 'everything' ? null : scope.customerId)

/** Tells whether a row of this customer is within the scope; rows of no customer are staff's. */
export const isWithin = (scope: Scope, customerId: CustomerId | null): boolean =>
  scope.kind === 'everything' || scope.customerId === customerId

/**
 * Returns whose a new row becomes: customers own what they add, staff choose, and null belongs to staff.
 *
 * @throws CallError `not_found` when a customer names another one
 */
export function ownerWithin(scope: Scope, asked: CustomerId | null): CustomerId | null {
  if (scope.kind === 'everything') return asked
  if (asked !== null && asked !== scope.customerId) throw notFound()
  return scope.customerId
}
