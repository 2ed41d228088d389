import type { DeviceId } from '#domain/ids.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { DeviceStore } from './devices.store.ts'

export interface DeviceDeletionDeps {
  readonly store: Pick<DeviceStore, 'transaction' | 'lock' | 'delete'>
  /** Ends the device's connections to this process after the commit; other processes find theirs within seconds. */
  readonly closeRevoked: () => void
  readonly onChanged: (deviceId: DeviceId) => void
}

export type DeleteDevice = (id: DeviceId, caller: Caller, change: ChangeRecord) => Promise<true>

/** Deletes a device. It disappears at once and its readings soon; the audit log keeps what it was (rules/devices 7). */
export function createDeviceDeletion({ store, closeRevoked, onChanged }: DeviceDeletionDeps): DeleteDevice {
  return async (id, caller, change) => {
    change.about({ id })
    await store.transaction(async (transaction) => {
      const found = await store.lock(id, scopeOf(caller), transaction)
      if (!found) throw notFound()
      await store.delete(id, caller.userId, transaction)
      const { connStatusId: _, lastEvent: __, activeAlerts: ___, ...before } = found
      await change.done(transaction, { id, name: found.name, customerId: found.customerId, before })
    })
    closeRevoked()
    onChanged(id)
    return true
  }
}
