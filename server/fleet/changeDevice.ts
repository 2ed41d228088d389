import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'

interface LockedDevice {
  readonly name: string
  readonly customerId: CustomerId
}

interface DeviceChange {
  readonly id: DeviceId
  readonly caller: Caller
  readonly change: ChangeRecord
}

/**
 * Changes one device in a transaction: locks it within the caller's scope, so that its changes run one after the other,
 * and audits what `work` returns under the device's name and customer.
 *
 * @throws CallError `not_found` when the device is not within the scope, and what `work` throws
 */
export function changeDevice<Device extends LockedDevice, Answer>(
  db: Db,
  lock: (transaction: Tx, id: DeviceId, scope: Scope) => Promise<Device | undefined>,
  { id, caller, change }: DeviceChange,
  work: (device: Device, transaction: Tx) => Promise<{ readonly audited: AuditedThing; readonly answer: Answer }>,
): Promise<Answer> {
  change.about({ id })
  return db.transaction().execute(async (transaction) => {
    const device = await foundRow(lock(transaction, id, scopeOf(caller)))
    const { name, customerId } = device
    change.about({ name })
    const { audited, answer } = await work(device, transaction)
    await change.done(transaction, { id, name, customerId, ...audited })
    return answer
  })
}
