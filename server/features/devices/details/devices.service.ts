import { randomUUID } from 'node:crypto'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { createDevice, Device } from '#contract/http/devices/devices.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord, SignedInRequest } from '#server/http/call/route.ts'
import type { DeviceStore } from './devices.store.ts'

/** A double click or a repeated request comes within this time. */
const SAME_WITHIN_MS = 1000
const ASKED_AGAIN = 'Asked again: it was created before.'

export interface DeviceService {
  readonly get: (guid: DeviceGuid, caller: Caller) => Promise<Device>
  readonly getById: (id: DeviceId, caller: Caller) => Promise<Device>
  readonly create: (
    asked: ReadBodyOf<typeof createDevice> &
      Pick<SignedInRequest<typeof createDevice>, 'idempotencyKey' | 'arrivedAtMs'>,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<Device>
}

export function createDeviceService(store: DeviceStore): DeviceService {
  return {
    get: async (guid, caller) => {
      const device = await store.findByGuid(guid, scopeOf(caller))
      if (!device) throw notFound()
      return device
    },

    getById: async (id, caller) => {
      const device = await store.findById(id, scopeOf(caller))
      if (!device) throw notFound()
      return device
    },

    create: async ({ customerId: asked, modelId, name, idempotencyKey, arrivedAtMs }, caller, change) => {
      const customerId = asked ?? caller.customerId
      change.about({ name })
      if (customerId === undefined) throw new CallError('invalid_request', required('customerId'))
      if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw new CallError('invalid_request', notValid('modelId'))
      const customer = await store.findCustomer(customerId, scopeOf(caller))
      if (!customer) throw notFound()
      if (!customer.isActive) throw new CallError('customer_deactivated')
      const device = {
        guid: randomUUID() as DeviceGuid,
        name,
        modelId,
        customerId,
        timeZone: customer.timeZone ?? 'UTC',
        createdBy: caller.userId,
        creationKey: idempotencyKey,
        components: standardComponents(modelId),
      }
      return store.transaction(async (transaction) => {
        const withinMs = idempotencyKey === undefined ? SAME_WITHIN_MS + performance.now() - arrivedAtMs : DAY_MS
        const earlier = await store.findSame(device, withinMs, transaction)
        if (earlier !== undefined) {
          // Without a key it is unclear whether the request is repeated or a second device is meant.
          if (idempotencyKey === undefined) throw new CallError('created_just_now')
          await change.done(transaction, { id: earlier.id, name, customerId, details: ASKED_AGAIN })
          return earlier
        }
        const created = await store.insert(device, transaction)
        const after = { name, modelId, customerId, statusId: created.statusId }
        await change.done(transaction, { id: created.id, name, customerId, after })
        return created
      })
    },
  }
}
