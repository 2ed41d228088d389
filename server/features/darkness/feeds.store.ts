import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface FeedStore {
  /** Where somebody has said that the wiring differs from the model. */
  readonly list: (deviceId: DeviceId, transaction?: Tx) => Promise<Feeds>
  /** All of them, in place of those before. */
  readonly replace: (deviceId: DeviceId, feeds: Feeds, transaction: Tx) => Promise<void>
}

export const createFeedStore = (db: Db): FeedStore => ({
  list: async (deviceId, transaction) => {
    const rows = await (transaction ?? db)
      .selectFrom('device_feed')
      .where('device_id', '=', deviceId)
      .select(['part', 'fed_by'])
      .orderBy('part')
      .execute()
    return Object.fromEntries(rows.map((row) => [row.part, row.fed_by]))
  },

  replace: async (deviceId, feeds, transaction) => {
    await transaction.deleteFrom('device_feed').where('device_id', '=', deviceId).execute()
    const rows = Object.entries(feeds).map(([part, fed_by]) => ({ device_id: deviceId, part, fed_by }))
    if (rows.length > 0) await transaction.insertInto('device_feed').values(rows).execute()
  },
})
