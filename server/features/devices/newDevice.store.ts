import type { Device } from '#contract/http/devices/devices.ts'
import type { StandardComponent } from '#domain/components/standardComponents.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceGuid, DeviceId, DeviceModelId, UserId } from '#domain/ids.ts'
import { statementsOf } from '#server/db/statements.ts'
import { storeSearchTexts } from '#server/fleet/searchTexts.ts'
import type { ZoneOfDevice } from '#server/fleet/timeZone.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { componentRows } from './componentRows.store.ts'
import { deviceIn } from './deviceRows.store.ts'

/** What may be known of a device when it is created; the rest is filled in later. */
export interface FirstDetails {
  readonly address: string
  readonly attrSerial: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly tags: readonly string[]
}

export interface NewDevice extends ZoneOfDevice, FirstDetails {
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerId: CustomerId
  readonly createdBy: UserId
  /** A caller that sends this key again gets the same device, however often they ask. */
  readonly creationKey: string | undefined
  readonly components: readonly StandardComponent[]
}

/** Inserts a pending device with its components and the first version of its settings. */
export async function insertDevice(transaction: Tx, device: NewDevice): Promise<Device> {
  const [id] = await insertDevices(transaction, [device])
  return deviceIn(transaction, id as DeviceId)
}

/** A statement takes at most 65,535 values, and a device has up to ten components of thirteen. */
const DEVICES_AT_ONCE = 250

/** @returns their ids, in the order of the devices */
export async function insertDevices(transaction: Tx, devices: readonly NewDevice[]): Promise<readonly DeviceId[]> {
  const ids: DeviceId[] = []
  for (let from = 0; from < devices.length; from += DEVICES_AT_ONCE)
    ids.push(...(await insertSome(transaction, devices.slice(from, from + DEVICES_AT_ONCE))))
  await storeSearchTexts(statementsOf(transaction), ids)
  return ids
}

async function insertSome(transaction: Tx, devices: readonly NewDevice[]): Promise<readonly DeviceId[]> {
  const inserted = await transaction
    .insertInto('device')
    .values(
      devices.map((device) => ({
        guid: device.guid,
        name: device.name,
        model_id: device.modelId,
        customer_id: device.customerId,
        iot_device_id: device.guid,
        address: device.address,
        attr_serial: device.attrSerial,
        latitude: device.latitude,
        longitude: device.longitude,
        tags: [...device.tags],
        tag_keys: device.tags.map(tagKey),
        time_zone: device.timeZone,
        time_zone_is_assumed: device.timeZoneIsAssumed,
        created_by: device.createdBy,
        creation_key: device.creationKey ?? null,
      })),
    )
    .returning(['id', 'guid'])
    .execute()
  const idOf = new Map(inserted.map(({ id, guid }) => [guid, id]))
  const ids = devices.map(({ guid }) => idOf.get(guid) as DeviceId)
  const components = devices.flatMap((device, at) => componentRows(ids[at] as DeviceId, device.components))
  if (components.length > 0) await transaction.insertInto('device_component').values(components).execute()
  await transaction
    .insertInto('device_settings')
    .values(ids.map((id) => ({ device_id: id })))
    .execute()
  return ids
}
