import { type RawBuilder, sql } from 'kysely'
import type { Scope } from './caller.ts'

/*
 * Rows of what people did about a device, and of what it told them, are of the customer who had it when they were
 * written (docs/decisions/0117).
 */

/** Whether a row that names its customer in this column is within the scope. */
export const isOfScope = (scope: Scope, column: string) =>
  scope.kind === 'everything' ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${scope.customerId}`

/**
 * SQL: a column of the device behind a row, as the row's customer knows it: as it is while they have the device, else
 * as it was when it left them.
 *
 * @param row its table, which stands in the statement beside `device`
 * @param at the column that says when the row was written
 */
export const deviceThen = (column: 'name' | 'address' | 'model_id', row: string, at: string, device = 'device') =>
  `case when ${device}.customer_id = ${row}.customer_id then ${device}.${column} else (
     select p.${column} from device_departure p
     where p.device_id = ${row}.device_id and p.customer_id = ${row}.customer_id
     order by p.left_at < ${row}.${at}, p.left_at limit 1) end`

/** SQL: whether the reader of a row, who is its customer, has its device no more and so cannot open it. */
export const hasLeft = (scope: Scope, row: string, device = 'device') =>
  scope.kind === 'everything' ? 'false' : `${device}.customer_id <> ${row}.customer_id`

/** How a user is called within the scope: for customers, whoever is not of their own is "Staff" (rules/permissions 13). */
export function shownAs(scope: Scope, user: string, name: RawBuilder<unknown>) {
  const shown = sql<string>`coalesce(${name}, '')`
  if (scope.kind === 'everything') return shown
  return sql<string>`case when ${isOutside(scope.customerId, user)} then 'Staff' else ${shown} end`
}

/** The number of a user, where the scope knows such a user. */
export function shownId<Id>(scope: Scope, user: string) {
  const id = sql.ref<Id | null>(`${user}.id`)
  if (scope.kind === 'everything') return id
  return sql<Id | null>`case when not ${isOutside(scope.customerId, user)} then ${id} end`
}

const isOutside = (customerId: number, user: string) =>
  sql<boolean>`(${sql.ref(`${user}.id`)} is not null and ${sql.ref(`${user}.customer_id`)} is distinct from ${customerId})`
