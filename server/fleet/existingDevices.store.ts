import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

export function existingDevices(eb: ExpressionBuilder<Database, 'device'>, scope: Scope) {
  const exists = eb('device.deleted_at', 'is', null)
  return scope.kind === 'everything' ? exists : eb.and([exists, eb('device.customer_id', '=', scope.customerId)])
}

/** SQL condition of the same meaning, for a statement that joins `device`. */
export const deviceExists = (scope: Scope) =>
  scope.kind === 'everything'
    ? sql<SqlBool>`device.deleted_at is null`
    : sql<SqlBool>`(device.deleted_at is null and device.customer_id = ${scope.customerId})`

/** SQL condition: the device is connected through a live server process, and not silent (rules/states 5). */
export const isOnline = (deviceId: string) => sql<boolean>`exists (
  select from device_connection c join server_process p on p.id = c.process_id
  where c.device_id = ${sql.ref(deviceId)} and not c.is_silent and p.lease_until > now())`

/** SQL condition: the device is connected through a live server process; it may be silent for a while. */
const isConnected = (deviceId: string) => sql<boolean>`exists (
  select from device_connection c join server_process p on p.id = c.process_id
  where c.device_id = ${sql.ref(deviceId)} and p.lease_until > now())`

export async function findModelId(db: Db, id: DeviceId, scope: Scope): Promise<DeviceModelId | undefined> {
  const device = await db
    .selectFrom('device')
    .where((eb) => existingDevices(eb, scope))
    .where('device.id', '=', id)
    .select('model_id')
    .executeTakeFirst()
  return device?.model_id
}

/** Locks a device within the scope, so that its changes run one after the other. */
export function lockDevice(transaction: Tx, id: DeviceId, scope: Scope) {
  return transaction
    .selectFrom('device')
    .where((eb) => existingDevices(eb, scope))
    .where('device.id', '=', id)
    .select([
      'name',
      'customer_id as customerId',
      'status_id as statusId',
      isOnline('device.id').as('isOnline'),
      isConnected('device.id').as('isConnected'),
    ])
    .modifyEnd(sql`for no key update of device`)
    .executeTakeFirst()
}
