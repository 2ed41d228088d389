import { sql } from 'kysely'
import type { DriverReport } from '#contract/mqtt/drivers.ts'
import type { ChosenBefore, KeptOptions } from '#domain/drivers/keptSecrets.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { countUpSettings } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { decryptOptions, encryptOptions } from '#server/secrets/driverOptions.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

export interface ChosenRow extends ChosenBefore {
  readonly part: string
}

interface Known {
  readonly modelId: DeviceModelId
  readonly components: readonly { readonly componentModelId: number; readonly number: number }[]
  /** The drivers that the connected client reported; undefined when it has reported none. */
  readonly told: DriverReport | undefined
}

export interface DeviceDriverStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  readonly lockDevice: typeof lockDevice
  readonly known: (deviceId: DeviceId, transaction?: Tx) => Promise<Known>
  readonly chosen: (deviceId: DeviceId, transaction?: Tx) => Promise<readonly ChosenRow[]>
  /**
   * Chooses a driver for a part, or removes the choice when it is undefined. The device receives it after the commit.
   */
  readonly choose: (
    deviceId: DeviceId,
    part: string,
    chosen: Omit<ChosenRow, 'part'> | undefined,
    transaction: Tx,
  ) => Promise<void>
}

export function createDeviceDriverStore(db: Db, cipher: SecretCipher): DeviceDriverStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    lockDevice,

    known: async (deviceId, transaction) => {
      const from = transaction ?? db
      const device = await from
        .selectFrom('device')
        .leftJoin('device_drivers_told as t', 't.device_id', 'device.id')
        .select(['device.model_id as modelId', 't.told'])
        .where('device.id', '=', deviceId)
        .executeTakeFirstOrThrow()
      const components = await from
        .selectFrom('device_component')
        .select(['component_model_id as componentModelId', 'number'])
        .where('device_id', '=', deviceId)
        .orderBy('category_id')
        .orderBy('number')
        .execute()
      const { rows } = await sql<{ version: string | null }>`
        select version from device_version where device_id = ${deviceId}`.execute(from)
      const told = device.told as DriverReport | null
      return {
        modelId: device.modelId,
        components,
        told: told !== null && told.clientVersion === rows[0]?.version ? told : undefined,
      }
    },

    chosen: async (deviceId, transaction) => {
      const rows = await (transaction ?? db)
        .selectFrom('device_driver')
        .selectAll()
        .where('device_id', '=', deviceId)
        .orderBy('part')
        .execute()
      return rows.map(({ part, driver, options, secrets }) => ({
        part,
        driver,
        options: options as KeptOptions,
        secrets: decryptOptions(cipher, { deviceId, part }, secrets as KeptOptions),
      }))
    },

    choose: async (deviceId, part, chosen, transaction) => {
      const ofPart = transaction.deleteFrom('device_driver').where('device_id', '=', deviceId).where('part', '=', part)
      await ofPart.execute()
      if (chosen) {
        const { driver, options, secrets } = chosen
        const row = { device_id: deviceId, part, driver }
        await transaction
          .insertInto('device_driver')
          .values({
            ...row,
            options: JSON.stringify(options),
            secrets: JSON.stringify(encryptOptions(cipher, { deviceId, part }, secrets)),
          })
          .execute()
      }
      await countUpSettings(transaction, deviceId)
    },
  }
}
