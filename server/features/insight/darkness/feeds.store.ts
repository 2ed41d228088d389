import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { ChainComponent } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import { readComponents, readFeeds } from '#server/darkness/now/wiringRows.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export const chainComponents = async (db: Db, deviceId: DeviceId): Promise<readonly ChainComponent[]> =>
  (await readComponents(statementsOf(db), [deviceId])).get(deviceId) ?? []

/** Reads where somebody has changed the wiring from the model's. */
export const listFeeds = async (db: Db | Tx, deviceId: DeviceId): Promise<Feeds> =>
  (await readFeeds(statementsOf(db), [deviceId])).get(deviceId) ?? {}

export async function replaceFeeds(transaction: Tx, deviceId: DeviceId, feeds: Feeds): Promise<void> {
  await transaction.deleteFrom('device_feed').where('device_id', '=', deviceId).execute()
  const rows = Object.entries(feeds).map(([part, fed_by]) => ({ device_id: deviceId, part, fed_by }))
  if (rows.length > 0) await transaction.insertInto('device_feed').values(rows).execute()
}
