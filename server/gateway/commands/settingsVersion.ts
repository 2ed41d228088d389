import { type RawBuilder, sql } from 'kysely'
import type { CountryId, CustomerId, DeviceId } from '#domain/ids.ts'
import { NOTICES_CHANNEL, noticeText } from '#server/fleet/deviceNotices.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { noteSettings } from './commandRows.ts'

/** Gives a device a new settings version. The commit notifies the process that the device is connected to. */
export async function countUpSettings(transaction: Tx, deviceId: DeviceId): Promise<void> {
  await sql`insert into device_settings as s (device_id, version) values (${deviceId}, 2)
    on conflict (device_id) do update set version = s.version + 1, updated_at = now()`.execute(transaction)
  await noteSettings(transaction, deviceId)
}

/** Does the same for every device of every customer in a country. Only connected devices need a notice. */
export function countUpSettingsIn(transaction: Tx, countryId: CountryId): Promise<void> {
  return countUpEach(
    transaction,
    sql`select d.id from device d join customer c on c.id = d.customer_id
      where c.country_id = ${countryId} and d.deleted_at is null`,
  )
}

export function countUpSettingsOf(transaction: Tx, customerId: CustomerId): Promise<void> {
  return countUpEach(
    transaction,
    sql`select d.id from device d where d.customer_id = ${customerId} and d.deleted_at is null`,
  )
}

async function countUpEach(transaction: Tx, devices: RawBuilder<unknown>): Promise<void> {
  await sql`insert into device_settings as s (device_id, version)
    select id, 2 from (${devices}) devices order by id
    on conflict (device_id) do update set version = s.version + 1, updated_at = now()`.execute(transaction)
  // All notices share one text, and the database appends the id.
  const prefix = noticeText({ kind: 'settings', deviceId: 0 as DeviceId }).slice(0, -1)
  await sql`select pg_notify(${NOTICES_CHANNEL}, ${prefix}::text || id) from (${devices}) devices
    where exists (select from device_connection c where c.device_id = devices.id)`.execute(transaction)
}
