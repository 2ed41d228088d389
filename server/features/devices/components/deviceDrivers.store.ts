import { sql } from 'kysely'
import type { DiscoveryReport } from '#contract/mqtt/discovery.ts'
import type { DriverReport } from '#contract/mqtt/drivers.ts'
import type { ChosenBefore, KeptOptions } from '#domain/drivers/keptSecrets.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { countUpSettings } from '#server/gateway/commands/settingsVersion.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { decryptOptions, encryptOptions } from '#server/secrets/driverOptions.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

export interface ChosenRow extends ChosenBefore {
  readonly part: string
}

export async function readFitted(db: Db | Tx, deviceId: DeviceId) {
  const device = await db
    .selectFrom('device')
    .leftJoin('device_drivers_told as t', 't.device_id', 'device.id')
    .select(['device.model_id as modelId', 't.told', 't.found', 't.found_at as foundAt'])
    .where('device.id', '=', deviceId)
    .executeTakeFirstOrThrow()
  const components = await db
    .selectFrom('device_component')
    .select(['component_model_id as componentModelId', 'number'])
    .where('device_id', '=', deviceId)
    .orderBy('category_id')
    .orderBy('number')
    .execute()
  const { rows } = await sql<{ version: string | null }>`
    select version from device_version where device_id = ${deviceId}`.execute(db)
  const told = device.told as DriverReport | null
  return {
    modelId: device.modelId,
    components,
    /** The drivers that the connected client reported; undefined when it has reported none. */
    told: told !== null && told.clientVersion === rows[0]?.version ? told : undefined,
    found: device.found as DiscoveryReport | null,
    foundAt: device.foundAt,
  }
}

export async function readChosenDrivers(
  db: Db | Tx,
  cipher: SecretCipher,
  deviceId: DeviceId,
): Promise<readonly ChosenRow[]> {
  const rows = await db
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
}

/** Chooses a driver for a part, or removes the choice when it is undefined. The device receives it after the commit. */
export async function replaceDriver(
  transaction: Tx,
  cipher: SecretCipher,
  { deviceId, part }: { readonly deviceId: DeviceId; readonly part: string },
  chosen: Omit<ChosenRow, 'part'> | undefined,
): Promise<void> {
  const ofPart = transaction.deleteFrom('device_driver').where('device_id', '=', deviceId).where('part', '=', part)
  await ofPart.execute()
  if (chosen) {
    const { driver, options, secrets } = chosen
    await transaction
      .insertInto('device_driver')
      .values({
        device_id: deviceId,
        part,
        driver,
        options: JSON.stringify(options),
        secrets: JSON.stringify(encryptOptions(cipher, { deviceId, part }, secrets)),
      })
      .execute()
  }
  await countUpSettings(transaction, deviceId)
}
