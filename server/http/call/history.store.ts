import { type RawBuilder, sql } from 'kysely'
import type { Scope } from './caller.ts'

/**
 * A row about a device, its messages or what people did to it belongs to the customer who owned the device when the row
 * was written (docs/decisions/0117).
 */

/** Tells whether a row that names its customer in this column is within the scope. */
export const isOfScope = (scope: Scope, column: string) =>
  scope.kind === 'everything' ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${scope.customerId}`

/**
 * SQL: a column of the device behind a row, as the row's customer knows it: the present value while they own the
 * device, else the one at the time it left them.
 * @param row the row's table, which stands in the statement beside `device`
 * @param at the column with the moment of the row
 */
export const deviceThen = (column: 'name' | 'address' | 'model_id', row: string, at: string, device = 'device') =>
  `case when ${device}.customer_id = ${row}.customer_id then ${device}.${column} else (
     select p.${column} from device_departure p
     where p.device_id = ${row}.device_id and p.customer_id = ${row}.customer_id
     order by p.left_at < ${row}.${at}, p.left_at limit 1) end`

/** SQL: whether the row's customer no longer owns its device, and so cannot open it. */
export const hasLeft = (scope: Scope, row: string, device = 'device') =>
  scope.kind === 'everything' ? 'false' : `${device}.customer_id <> ${row}.customer_id`

/** Names a user within the scope: customers see everybody outside their own as "Staff" (rules/permissions 13). */
export function shownAs(scope: Scope, user: string, name: RawBuilder<unknown>) {
  const shown = sql<string>`coalesce(${name}, '')`
  if (scope.kind === 'everything') return shown
  return sql<string>`case when ${isOutside(scope.customerId, user)} then 'Staff' else ${shown} end`
}

/** The id of a user, which is null where the scope may not know them. */
export function shownId<Id>(scope: Scope, user: string) {
  const id = sql.ref<Id | null>(`${user}.id`)
  if (scope.kind === 'everything') return id
  return sql<Id | null>`case when not ${isOutside(scope.customerId, user)} then ${id} end`
}

const isOutside = (customerId: number, user: string) =>
  sql<boolean>`(${sql.ref(`${user}.id`)} is not null and ${sql.ref(`${user}.customer_id`)} is distinct from ${customerId})`
