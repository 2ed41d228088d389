import { randomUUID } from 'node:crypto'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import type { CustomerId, DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { findCustomer } from '#server/fleet/customerLookup.ts'
import { assumedZone } from '#server/fleet/timeZone.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { FirstDetails, NewDevice } from './newDevice.store.ts'

interface RequestedDevice extends Partial<FirstDetails> {
  readonly name: string
  readonly modelId: DeviceModelId
  readonly customerId?: CustomerId | undefined
}

const NO_DETAILS: FirstDetails = { address: '', attrSerial: '', latitude: null, longitude: null, tags: [] }

/**
 * Completes a device that somebody wants to create. Every way to a new device leads through here.
 * @throws CallError when the caller may not create it so
 */
export async function completeNewDevice(db: Db, asked: RequestedDevice, caller: Caller): Promise<NewDevice> {
  const { name, modelId, customerId = caller.customerId, ...given } = asked
  if (customerId === undefined) throw new CallError('invalid_request', required('customerId'))
  if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw new CallError('invalid_request', notValid('modelId'))
  const customer = await foundRow(findCustomer(db, customerId, scopeOf(caller)))
  if (!customer.isActive) throw new CallError('customer_deactivated')
  const details = { ...NO_DETAILS, ...given }
  if ((details.latitude === null) !== (details.longitude === null))
    throw new CallError('invalid_request', required(details.latitude === null ? 'latitude' : 'longitude'))
  return newDeviceOf({ ...details, name, modelId, customerId }, customer.timeZone, caller)
}

/** Whoever calls it has checked that the caller may create it so. */
export const newDeviceOf = (
  device: FirstDetails & Pick<NewDevice, 'name' | 'modelId' | 'customerId'>,
  countryZone: string | null,
  caller: Caller,
): NewDevice => ({
  ...device,
  ...assumedZone(device, countryZone),
  guid: randomUUID() as DeviceGuid,
  createdBy: caller.userId,
  creationKey: undefined,
  components: standardComponents(device.modelId),
})
