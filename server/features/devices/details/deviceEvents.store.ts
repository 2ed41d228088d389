import { type DeviceEvent, deviceEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { existingDevices } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { readDevicesNow } from '../deviceRows.store.ts'

/** Reads what consoles that watch these devices are sent. */
export const readDeviceEvents = async (
  db: Db,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<readonly DeviceEvent[]> =>
  (await readDevicesNow(db, scope, deviceIds)).map((device) => deviceEvent.parse(device))

export async function readVisible(db: Db, scope: Scope, deviceIds: readonly DeviceId[]): Promise<readonly DeviceId[]> {
  if (deviceIds.length === 0) return []
  const devices = db.selectFrom('device').where((eb) => existingDevices(eb, scope))
  const found = await devices
    .where('device.id', 'in', [...deviceIds])
    .select('device.id')
    .execute()
  return found.map(({ id }) => id)
}
