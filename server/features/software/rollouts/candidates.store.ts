import { type SqlBool, sql } from 'kysely'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Candidate } from '#domain/rollouts/candidate.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** A choice of devices that match all of these; an empty one means every device. */
export interface Choice {
  readonly customerId?: CustomerId | undefined
  readonly modelId?: DeviceModelId | undefined
  readonly deviceIds?: readonly DeviceId[] | undefined
}

export interface ChosenDevice extends Candidate {
  readonly id: DeviceId
  readonly name: string
  readonly customerId: CustomerId
  readonly isOnline: boolean
}

/**
 * SQL: the state of the rollout `o` in which an update `u` waits until somebody resumes it; null when it does not wait.
 */
export const WAITS_AS = `case when u.state = 'waiting' and o.state in ('paused', 'halted') then o.state end`

/**
 * Lists the devices of a choice within the scope. Connected ones come first, because they show soon how it goes;
 * otherwise the order is mixed, so that a first group is not one street.
 */
export async function listChosen(
  transaction: Tx,
  scope: Scope,
  { customerId, modelId, deviceIds }: Choice,
): Promise<readonly ChosenDevice[]> {
  const conditions = [
    deviceExists(scope),
    ...(customerId === undefined ? [] : [sql<SqlBool>`device.customer_id = ${customerId}`]),
    ...(modelId === undefined ? [] : [sql<SqlBool>`device.model_id = ${modelId}`]),
    ...(deviceIds === undefined ? [] : [sql<SqlBool>`device.id = any(${[...deviceIds]}::int[])`]),
  ]
  const { rows } = await sql<ChosenDevice>`
    select device.id, device.name, device.customer_id as "customerId", device.status_id as "statusId",
      v.version, online.device_id is not null as "isOnline",
      (select jsonb_build_object('updateId', o.id, 'waitsAs', ${sql.raw(WAITS_AS)})
       from client_update u join client_rollout o on o.id = u.rollout_id
       where u.device_id = device.id and u.is_open) as "openUpdate"
    from device join device_version v on v.device_id = device.id
      left join device_online online on online.device_id = device.id
    where ${sql.join(conditions, sql` and `)}
    order by "isOnline" desc, sha256(device.guid::text::bytea)`.execute(transaction)
  return rows
}
