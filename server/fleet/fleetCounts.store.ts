import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '#server/http/call/caller.ts'

export interface CountedDevices {
  /** Absent: in whatever status. */
  readonly statusId?: number | undefined
  /** Absent: online or not. */
  readonly isOnline?: boolean | undefined
}

/** `isOnline` (existingDevices.store.ts) of the devices of a row of `fleet_count`. */
const ONLINE = sql<SqlBool>`exists (
  select from server_process p where p.id = any (process_ids) and p.lease_until > now())`

/** SQL: how many devices there are, from counts that are kept with every change; the number of a list of them. */
export function fleetCount(scope: Scope, { statusId, isOnline }: CountedDevices): RawBuilder<{ devices: number }> {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (scope.kind === 'customer') conditions.push(sql`customer_id = ${scope.customerId}`)
  if (statusId !== undefined) conditions.push(sql`status_id = ${statusId}`)
  if (isOnline !== undefined) conditions.push(isOnline ? ONLINE : sql`not ${ONLINE}`)
  return sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::int as devices from fleet_count where ${sql.join(conditions, sql` and `)}`
}
