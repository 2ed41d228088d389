import type { createDevice, Device } from '#contract/http/devices/devices.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { SignedInRequest } from '#server/http/call/route.ts'
import { insertDevice } from '../newDevice.store.ts'
import { completeNewDevice } from '../newDevice.ts'
import { findSame } from './devices.store.ts'

/** A double click or a repeated request comes within this time. */
const SAME_WITHIN_MS = 1000
const ASKED_AGAIN = 'Asked again: it was created before.'

/** Creates a pending device, once for a request that comes again. */
export async function addDevice(
  db: Db,
  { body, caller, change, idempotencyKey, arrivedAtMs }: SignedInRequest<typeof createDevice>,
): Promise<Device> {
  change.about({ name: body.name })
  const device = { ...(await completeNewDevice(db, body, caller)), creationKey: idempotencyKey }
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
