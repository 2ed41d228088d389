import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/caller.ts'

export interface FittedDevice {
  readonly modelId: DeviceModelId
  readonly components: readonly { readonly componentModelId: number; readonly number: number }[]
}

export interface DeviceStateStore {
  /** The device with its components, if it exists within the scope. */
  readonly find: (id: DeviceId, scope: Scope) => Promise<FittedDevice | undefined>
}

export function createDeviceStateStore(db: Db): DeviceStateStore {
  return {
    find: async (id, scope) => {
      const rows = await db
        .selectFrom('device')
        .leftJoin('device_component', 'device_component.device_id', 'device.id')
        .select(['device.model_id', 'device_component.component_model_id', 'device_component.number'])
        .where('device.id', '=', id)
        .where('device.deleted_at', 'is', null)
        .$if(scope.kind === 'customer', (found) =>
          found.where('device.customer_id', '=', scope.kind === 'customer' ? scope.customerId : (0 as never)),
        )
        .orderBy('device_component.id')
        .execute()
      const [first] = rows
      if (!first) return undefined
      const components = rows.flatMap(({ component_model_id: componentModelId, number }) =>
        componentModelId === null || number === null ? [] : [{ componentModelId, number }],
      )
      return { modelId: first.model_id, components }
    },
  }
}
