import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { ChainComponent } from '#domain/darkness/feedChain.ts'
import type { DeviceId } from '#domain/ids.ts'
import { readComponents, readFeeds } from '#server/darkness/now/wiringRows.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface FeedStore {
  readonly components: (deviceId: DeviceId) => Promise<readonly ChainComponent[]>
  /** Reads where somebody has changed the wiring from the model's. */
  readonly list: (deviceId: DeviceId, transaction?: Tx) => Promise<Feeds>
  readonly replace: (deviceId: DeviceId, feeds: Feeds, transaction: Tx) => Promise<void>
}

export const createFeedStore = (db: Db): FeedStore => ({
  components: async (deviceId) => (await readComponents(statementsOf(db), [deviceId])).get(deviceId) ?? [],

  list: async (deviceId, transaction) =>
    (await readFeeds(statementsOf(transaction ?? db), [deviceId])).get(deviceId) ?? {},

  replace: async (deviceId, feeds, transaction) => {
    await transaction.deleteFrom('device_feed').where('device_id', '=', deviceId).execute()
    const rows = Object.entries(feeds).map(([part, fed_by]) => ({ device_id: deviceId, part, fed_by }))
    if (rows.length > 0) await transaction.insertInto('device_feed').values(rows).execute()
  },
})
