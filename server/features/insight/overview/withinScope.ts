import type { Scope } from '#server/http/call/caller.ts'

/** SQL: true of rows that the caller may see; the customer is the parameter at `place`, which `scopeValues` adds last. */
export const withinScope = (scope: Scope, column: string, place = 1): string =>
  scope.kind === 'everything' ? 'true' : `${column} = $${place}`

export const scopeValues = (scope: Scope, ...values: readonly unknown[]): unknown[] =>
  scope.kind === 'everything' ? [...values] : [...values, scope.customerId]
