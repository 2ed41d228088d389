import type { ErrorCode } from '#contract/errors.ts'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import { OPEN_STATES } from '#domain/rollouts/states.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { counted } from './planRollout.ts'
import { findRollout } from './progress.store.ts'
import {
  type LockedRollout,
  leaveDeviceOut,
  lockRollout,
  lockUpdate,
  pauseUpdates,
  resumeUpdates,
  retryUpdates,
  stopUpdates,
} from './rollouts.store.ts'

export const pauseRollout = (db: Db, id: number, change: ChangeRecord) =>
  steer(db, id, change, async (transaction, { state }) => {
    refuseUnless(state === 'running', 'update_not_running')
    await pauseUpdates(transaction, id)
    return 'Paused.'
  })

export const resumeRollout = (db: Db, id: number, change: ChangeRecord) =>
  steer(db, id, change, async (transaction, { state }) => {
    refuseUnless(state === 'paused' || state === 'halted', 'update_not_waiting')
    await resumeUpdates(transaction, id, state === 'halted')
    return state === 'halted' ? 'Resumed after a halt.' : 'Resumed.'
  })

export const stopRollout = (db: Db, id: number, change: ChangeRecord) =>
  steer(db, id, change, async (transaction, { state }) => {
    refuseUnless(state !== 'stopped' && state !== 'finished', 'update_ended')
    await stopUpdates(transaction, id)
    return 'Stopped.'
  })

export const leaveOut = (
  db: Db,
  { id, deviceId }: { readonly id: number; readonly deviceId: DeviceId },
  { username }: Caller,
  change: ChangeRecord,
) =>
  steer(db, id, change, async (transaction) => {
    const device = await foundRow(lockUpdate(transaction, id, deviceId))
    refuseUnless(device.state !== 'restarting', 'device_restarting')
    refuseUnless(OPEN_STATES.includes(device.state), 'device_update_over')
    await leaveDeviceOut(transaction, id, device, username)
    return `Left out: ${device.name}.`
  })

export const retryFailed = (db: Db, id: number, change: ChangeRecord) =>
  steer(db, id, change, async (transaction, { state, isReleasePresent }) => {
    refuseUnless(state !== 'stopped', 'update_stopped')
    refuseUnless(isReleasePresent, 'release_removed')
    const { failedCount, retriedCount } = await retryUpdates(transaction, id)
    refuseUnless(failedCount > 0, 'nothing_failed')
    refuseUnless(retriedCount > 0, 'update_open_elsewhere')
    return `${counted(retriedCount)} tried again.`
  })

/** Makes one change of a rollout, which is locked so that nobody else changes it meanwhile; `work` says what it did. */
function steer(
  db: Db,
  id: number,
  change: ChangeRecord,
  work: (transaction: Tx, found: LockedRollout) => Promise<string>,
): Promise<ClientUpdateDetails> {
  change.about({ id })
  return db.transaction().execute(async (transaction) => {
    const found = await foundRow(lockRollout(transaction, id))
    const { version: name, state } = found
    change.about({ name })
    const details = await work(transaction, found)
    await change.done(transaction, { id, name, details, before: { state } })
    return foundRow(findRollout(transaction, id))
  })
}

function refuseUnless(mayGoOn: boolean, code: ErrorCode): void {
  if (!mayGoOn) throw new CallError(code)
}
