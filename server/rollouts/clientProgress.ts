import type pg from 'pg'
import type { ClientProgress } from '#contract/mqtt/client.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MOST_EARLY_RESTARTS, stateAfter } from '#domain/rollouts/deviceUpdate.ts'
import type { DeviceUpdateState } from '#domain/rollouts/states.ts'
import { RAISING_STATUS_IDS } from '#server/telemetry/alerts/evaluate/readWatchedConditions.ts'
import { giveStatusBack, publishAssignedReleases } from './assignedReleases.ts'
import { IS_OBSERVED } from './observedUpdates.ts'

interface UpdateRow {
  readonly state: DeviceUpdateState
  readonly has_said_anything: boolean
  readonly is_ended_by_device: boolean
  readonly is_observed: boolean
}

/**
 * Records a device's progress report, and all that follows from it, in one transaction. The device is Updating from its
 * first report until the update ends (rules/devices 12).
 *
 * @returns whether something changed
 */
export async function recordClientProgress(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  progress: ClientProgress,
): Promise<boolean> {
  const device = await connection.query<{ status_id: number }>(
    'select status_id from device where id = $1 and deleted_at is null for no key update',
    [deviceId],
  )
  const statusId = device.rows[0]?.status_id
  if (statusId === undefined) return false
  await noteVersion(connection, deviceId, progress.version)
  const update = await lockUpdate(connection, deviceId, progress.updateId)
  const state = update && stateAfter(update.state, progress.step, update.is_ended_by_device)
  if (update === undefined || state === undefined) return false
  if (update.state === 'done' && state === 'done')
    return update.is_observed && noteRestart(connection, deviceId, progress)
  await writeState(connection, deviceId, progress, state)
  const isOver = state === 'done' || state === 'failed'
  if (!isOver && !update.has_said_anything) await beginUpdating(connection, deviceId, progress.updateId, statusId)
  if (isOver) {
    await giveStatusBack(connection, deviceId, progress.updateId)
    await publishAssignedReleases(connection, [deviceId])
  }
  return true
}

/** Stores the version that the device runs now, before its telemetry reports it. Lists filter by `device_now`. */
async function noteVersion(connection: pg.PoolClient, deviceId: DeviceId, version: string): Promise<void> {
  await connection.query(
    `insert into device_client (device_id, version) values ($1, $2)
     on conflict (device_id) do update set version = excluded.version, said_at = now()`,
    [deviceId, version],
  )
  await connection.query(
    `update device_now set client_version = $2, client_version_at = now()
     where device_id = $1 and (client_version_at is null or client_version_at < now())`,
    [deviceId, version],
  )
}

async function lockUpdate(connection: pg.PoolClient, deviceId: DeviceId, updateId: string) {
  const { rows } = await connection.query<UpdateRow>(
    `select u.state, u.begun_at is not null as has_said_anything, u.is_ended_by_device, ${IS_OBSERVED} as is_observed
     from client_update u join client_rollout o on o.id = u.rollout_id
     where u.device_id = $1 and u.update_id = $2 for update of u`,
    [deviceId, updateId],
  )
  return rows[0]
}

/** A device repeats `done` when its new version has restarted, so the time it has run counts from here. */
async function noteRestart(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  { updateId }: ClientProgress,
): Promise<boolean> {
  await connection.query(
    `update client_update set running_since = now(), changed_at = now(), early_restarts = early_restarts + 1,
       state = case when early_restarts + 1 < $3 then state else 'failed' end,
       reason = case when early_restarts + 1 < $3 then reason
         else 'The new version keeps restarting, and the launcher of the device has not put the one before in its place.' end
     where device_id = $1 and update_id = $2`,
    [deviceId, updateId, MOST_EARLY_RESTARTS],
  )
  return true
}

async function writeState(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  { updateId, receivedBytes, reason }: ClientProgress,
  state: DeviceUpdateState,
): Promise<void> {
  const isOver = state === 'done' || state === 'failed'
  await connection.query(
    `update client_update set state = $3, reason = $4, received_bytes = coalesce($5, received_bytes),
       begun_at = coalesce(begun_at, now()), changed_at = now(), is_ended_by_device = $6,
       running_since = case when $3 = 'done' then now() end, proven_at = null, away_since = null,
       ended_at = case when $6 then now() end
     where device_id = $1 and update_id = $2`,
    [
      deviceId,
      updateId,
      state,
      state === 'failed' ? (reason ?? 'The device did not say why.') : '',
      receivedBytes,
      isOver,
    ],
  )
}

async function beginUpdating(connection: pg.PoolClient, deviceId: DeviceId, updateId: string, statusId: number) {
  if (statusId === DEVICE_STATUS.deactivated || statusId === DEVICE_STATUS.updating) return
  await connection.query('update client_update set earlier_status_id = $3 where device_id = $1 and update_id = $2', [
    deviceId,
    updateId,
    statusId,
  ])
  // A device that could not raise alerts until now must not raise any from earlier readings.
  await connection.query(
    'update device set status_id = $2, alerts_from = case when $3 then alerts_from else now() end where id = $1',
    [deviceId, DEVICE_STATUS.updating, RAISING_STATUS_IDS.includes(statusId)],
  )
}
