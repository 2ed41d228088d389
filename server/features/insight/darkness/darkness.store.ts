import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { existingDevices } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

export async function findModel(db: Db, id: DeviceId, scope: Scope): Promise<DeviceModelId | undefined> {
  const device = await db
    .selectFrom('device')
    .where((eb) => existingDevices(eb, scope))
    .where('device.id', '=', id)
    .select('model_id')
    .executeTakeFirst()
  return device?.model_id
}
