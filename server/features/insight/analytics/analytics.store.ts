import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { type FieldReading, readCurrentStates, type WantedFields } from '#server/telemetry/state/currentState.ts'

export interface AnalyticsStore {
  readonly modelOf: (id: DeviceId, scope: Scope) => Promise<DeviceModelId | undefined>
  readonly presentStates: (
    scope: Scope,
    deviceIds: readonly DeviceId[],
    wanted: WantedFields,
  ) => Promise<ReadonlyMap<DeviceId, readonly FieldReading[]>>
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
    presentStates: (scope, deviceIds, wanted) => readCurrentStates(statementsOf(db), scope, deviceIds, wanted),
  }
}
