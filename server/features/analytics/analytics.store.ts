import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface AnalyticsStore {
  /** Of the device, if it exists within the scope. */
  readonly modelOf: (id: DeviceId, scope: Scope) => Promise<DeviceModelId | undefined>
}

export function createAnalyticsStore(db: Db): AnalyticsStore {
  return {
    modelOf: async (id, scope) => {
      const row = await db
        .selectFrom('device')
        .select('model_id')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .$if(scope.kind === 'customer', (devices) =>
          devices.where('customer_id', '=', scope.kind === 'customer' ? scope.customerId : (0 as never)),
        )
        .executeTakeFirst()
      return row?.model_id
    },
  }
}
