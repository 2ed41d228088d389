import { sql } from 'kysely'
import type { Device } from '#contract/http/device.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import type { StandardComponent } from '#domain/components/standardComponents.ts'
import type { CustomerId, DeviceGuid, DeviceId, DeviceModelId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/audit.store.ts'
import type { Scope } from '#server/http/caller.ts'
import { existingDevices, toDevice, withDeviceColumns } from './deviceRows.store.ts'

export interface NewDevice {
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerId: CustomerId
  readonly timeZone: string
  readonly createdBy: UserId
  readonly components: readonly StandardComponent[]
}

export interface DeviceStore {
  readonly findByGuid: (guid: DeviceGuid, scope: Scope) => Promise<Device | undefined>
  readonly findById: (id: DeviceId, scope: Scope) => Promise<Device | undefined>
  /** Whether such a customer exists, and the zone of its country. */
  readonly findCustomer: (id: CustomerId, scope: Scope) => Promise<{ readonly timeZone: string | null } | undefined>
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Pending, with its components and the first version of its settings. */
  readonly insert: (device: NewDevice, transaction: Tx) => Promise<Device>
  /** Locks the device, so that of two downloads at once the later key is the one that lives. */
  readonly lock: (id: DeviceId, scope: Scope, transaction: Tx) => Promise<Device | undefined>
  /** A key that no device has used yet is replaced; a used one lives until the new one is first used. */
  readonly replaceUnusedKey: (id: DeviceId, keyHash: Buffer, transaction: Tx) => Promise<void>
}

export function createDeviceStore(db: Db): DeviceStore {
  return {
    findByGuid: async (guid, scope) => {
      const row = await devicesIn(db, scope).where('device.guid', '=', guid).executeTakeFirst()
      return row && toDevice(row)
    },

    findById: async (id, scope) => {
      const row = await devicesIn(db, scope).where('device.id', '=', id).executeTakeFirst()
      return row && toDevice(row)
    },

    findCustomer: (id, scope) => {
      if (scope.kind === 'customer' && scope.customerId !== id) return Promise.resolve(undefined)
      return db
        .selectFrom('customer')
        .leftJoin('country', 'country.id', 'customer.country_id')
        .select('country.time_zone as timeZone')
        .where('customer.id', '=', id)
        .executeTakeFirst()
    },

    transaction: (work) => db.transaction().execute(work),

    insert: async (device, transaction) => {
      const { id } = await transaction
        .insertInto('device')
        .values({
          guid: device.guid,
          name: device.name,
          model_id: device.modelId,
          customer_id: device.customerId,
          iot_device_id: device.guid,
          time_zone: device.timeZone,
          created_by: device.createdBy,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await insertComponents(id, device.components, transaction)
      await transaction.insertInto('device_settings').values({ device_id: id }).execute()
      const row = await devicesIn(transaction, { kind: 'everything' })
        .where('device.id', '=', id)
        .executeTakeFirstOrThrow()
      return toDevice(row)
    },

    lock: async (id, scope, transaction) => {
      const row = await devicesIn(transaction, scope)
        .where('device.id', '=', id)
        .modifyEnd(sql`for no key update of device`)
        .executeTakeFirst()
      return row && toDevice(row)
    },

    replaceUnusedKey: async (id, keyHash, transaction) => {
      await transaction
        .deleteFrom('device_credential')
        .where('device_id', '=', id)
        .where('first_used_at', 'is', null)
        .execute()
      await transaction.insertInto('device_credential').values({ device_id: id, key_hash: keyHash }).execute()
    },
  }
}

const devicesIn = (db: Db, scope: Scope) =>
  withDeviceColumns(db.selectFrom('device').where((eb) => existingDevices(eb, scope)))

async function insertComponents(deviceId: DeviceId, components: readonly StandardComponent[], transaction: Tx) {
  const rows = components.flatMap(({ componentModelId, number, label }) => {
    const model = componentModelById(componentModelId)
    if (!model) return []
    return [{ device_id: deviceId, component_model_id: componentModelId, category_id: model.categoryId, number, label }]
  })
  if (rows.length > 0) await transaction.insertInto('device_component').values(rows).execute()
}
