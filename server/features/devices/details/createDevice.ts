import { randomUUID } from 'node:crypto'
import type { ReadBodyOf } from '#contract/call/call.ts'
import type { createDevice, Device } from '#contract/http/devices/devices.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { findCustomer } from '#server/fleet/customerLookup.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { findSame, insertDevice } from './devices.store.ts'

/** A double click or a repeated request comes within this time. */
const SAME_WITHIN_MS = 1000
const ASKED_AGAIN = 'Asked again: it was created before.'

/** Creates a pending device, once for a request that comes again. */
export async function addDevice(
  db: Db,
  { body, caller, change, idempotencyKey, arrivedAtMs }: SignedInRequest<typeof createDevice>,
): Promise<Device> {
  change.about({ name: body.name })
  const device = { ...(await checked(db, body, caller)), creationKey: idempotencyKey }
  const { name, modelId, customerId } = device
  return db.transaction().execute(async (transaction) => {
    const withinMs = idempotencyKey === undefined ? SAME_WITHIN_MS + performance.now() - arrivedAtMs : DAY_MS
    const earlier = await findSame(transaction, device, withinMs)
    if (earlier !== undefined) {
      // Only a key tells whether the request is repeated or a second device is meant.
      if (idempotencyKey === undefined) throw new CallError('created_just_now')
      await change.done(transaction, { id: earlier.id, name, customerId, details: ASKED_AGAIN })
      return earlier
    }
    const created = await insertDevice(transaction, device)
    const after = { name, modelId, customerId, statusId: created.statusId }
    await change.done(transaction, { id: created.id, name, customerId, after })
    return created
  })
}

async function checked(db: Db, asked: ReadBodyOf<typeof createDevice>, caller: Caller) {
  const { name, modelId, customerId = caller.customerId } = asked
  if (customerId === undefined) throw new CallError('invalid_request', required('customerId'))
  if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw new CallError('invalid_request', notValid('modelId'))
  const customer = await foundRow(findCustomer(db, customerId, scopeOf(caller)))
  if (!customer.isActive) throw new CallError('customer_deactivated')
  return {
    guid: randomUUID() as DeviceGuid,
    name,
    modelId,
    customerId,
    timeZone: customer.timeZone ?? 'UTC',
    createdBy: caller.userId,
    components: standardComponents(modelId),
  }
}
