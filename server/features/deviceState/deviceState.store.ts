import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/caller.ts'

export interface FittedDevice {
  readonly modelId: DeviceModelId
  readonly components: readonly { readonly componentModelId: number; readonly number: number }[]
}

export interface DeviceStateStore {
  /** The device with its components, if it exists within the scope. */
  readonly find: (id: DeviceId, scope: Scope) => Promise<FittedDevice | undefined>
}

interface ComponentRow {
  readonly model_id: DeviceModelId
  readonly component_model_id: number | null
  readonly number: number | null
}

const fittedSql = (isWithin: string) => `
  select device.model_id, component.component_model_id, component.number
  from device left join device_component component on component.device_id = device.id
  where device.id = $1 and device.deleted_at is null and ${isWithin}
  order by component.id`

const OF_ALL = fittedSql('true')
const OF_CUSTOMER = fittedSql('device.customer_id = $2')

export function createDeviceStateStore(queryable: Queryable): DeviceStateStore {
  return {
    find: async (id, scope) => {
      const { rows } = await queryable.query<ComponentRow>(
        scope.kind === 'everything' ? prepared(OF_ALL, [id]) : prepared(OF_CUSTOMER, [id, scope.customerId]),
      )
      const [first] = rows
      if (!first) return undefined
      const components = rows.flatMap(({ component_model_id: componentModelId, number }) =>
        componentModelId === null || number === null ? [] : [{ componentModelId, number }],
      )
      return { modelId: first.model_id, components }
    },
  }
}
