import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '#server/http/call/caller.ts'

export interface CountedDevices {
  /** Absent means any status. */
  readonly statusId?: number | undefined
  /** Absent means online or not. */
  readonly isOnline?: boolean | undefined
}

/** SQL condition for a row of `fleet_count` that means `isOnline` of existingDevices.store.ts. */
const ONLINE = sql<SqlBool>`exists (
  select from server_process p where p.id = any (process_ids) and p.lease_until > now())`

/** SQL: the number of devices, from counts that every change keeps up to date; a list shows the same number. */
export function fleetCount(scope: Scope, { statusId, isOnline }: CountedDevices): RawBuilder<{ devices: number }> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (scope.kind === 'customer') conditions.push(sql`customer_id = ${scope.customerId}`)
  if (statusId !== undefined) conditions.push(sql`status_id = ${statusId}`)
  if (isOnline !== undefined) conditions.push(isOnline ? ONLINE : sql`not ${ONLINE}`)
  return sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::int as devices from fleet_count where ${sql.join(conditions, sql` and `)}`
}
