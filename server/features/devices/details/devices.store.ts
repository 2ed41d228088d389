import { sql } from 'kysely'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceGuid, DeviceId, UserId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { INCIDENTS_JOB } from '#server/incidents/incidentJob.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import { deviceIn, devicesIn, readDevicesNow, toDevice, toDevicesNow } from '../deviceRows.store.ts'
import type { NewDevice } from '../newDevice.store.ts'

export async function findDeviceByGuid(db: Db, guid: DeviceGuid, scope: Scope): Promise<Device | undefined> {
  const row = await devicesIn(db, scope).where('device.guid', '=', guid).executeTakeFirst()
  return row && (await toDevicesNow(db, [row]))[0]
}

export const findDevice = async (db: Db, id: DeviceId, scope: Scope): Promise<Device | undefined> =>
  (await readDevicesNow(db, scope, [id]))[0]

/**
 * Finds what this user has created with the same content within this time, and with the same key where there is one.
 * It keeps the user from creating another device until the transaction ends.
 */
export async function findSame(
  transaction: Tx,
  { createdBy, creationKey, customerId, modelId, name }: NewDevice,
  withinMs: number,
): Promise<Device | undefined> {
  await sql`select ${sql.raw(lockEachUntilCommit('newDevicesOfUser', createdBy))}`.execute(transaction)
  const same = await transaction
    .selectFrom('device')
    .select('id')
    .where('created_by', '=', createdBy)
    .where('customer_id', '=', customerId)
    .where('model_id', '=', modelId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${withinMs / 1000})`)
    .$if(creationKey !== undefined, (query) => query.where('creation_key', '=', creationKey ?? null))
    .limit(1)
    .executeTakeFirst()
  return same && deviceIn(transaction, same.id)
}

/** Locks the device, so that its changes run one after the other. */
export async function lockWithDetails(transaction: Tx, id: DeviceId, scope: Scope): Promise<Device | undefined> {
  const row = await devicesIn(transaction, scope)
    .where('device.id', '=', id)
    .modifyEnd(sql`for no key update of device`)
    .executeTakeFirst()
  return row && toDevice(row)
}

/** Replaces a key that no device has used yet; a used one stays valid until the new one is first used. */
export async function replaceUnusedKey(transaction: Tx, id: DeviceId, keyHash: Buffer): Promise<void> {
  await transaction
    .deleteFrom('device_credential')
    .where('device_id', '=', id)
    .where('first_used_at', 'is', null)
    .execute()
  await transaction.insertInto('device_credential').values({ device_id: id, key_hash: keyHash }).execute()
}

/** Makes this key the only valid one. */
export async function replaceEveryKey(transaction: Tx, id: DeviceId, keyHash: Buffer): Promise<void> {
  await transaction.deleteFrom('device_credential').where('device_id', '=', id).execute()
  await transaction.insertInto('device_credential').values({ device_id: id, key_hash: keyHash }).execute()
}

/**
 * Deletes the device for everybody and frees its identity. Its credentials and whatever would act on it go at once; a
 * job deletes its data (server/fleet/deletedDevices.ts).
 */
export async function markDeleted(transaction: Tx, id: DeviceId, by: UserId): Promise<void> {
  await transaction
    .updateTable('device')
    .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
    .where('id', '=', id)
    .execute()
  await transaction.insertInto('device_deletion').values({ device_id: id }).execute()
  await sql.raw(ringSql('deleted devices')).execute(transaction)
  // Incidents are folded again without the device's alerts, which nobody sees from now on.
  await sql`insert into incident_due (device_id, alert_id, incident_id)
    select device_id, alert_id, incident_id from incident_part where device_id = ${id}`.execute(transaction)
  await sql.raw(ringSql(INCIDENTS_JOB)).execute(transaction)
  await transaction.deleteFrom('device_credential').where('device_id', '=', id).execute()
  await transaction.deleteFrom('device_command').where('device_id', '=', id).where('state', '=', 'accepted').execute()
}
