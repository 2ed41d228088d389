import { sql } from 'kysely'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { DeviceUpdateState, RolloutState } from '#domain/rollouts/states.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { giveStatusBack, publishAssignedReleases, withdrawAssignedReleases } from '#server/rollouts/assignedReleases.ts'

export interface TargetRelease {
  readonly id: number
  readonly version: string
}

export interface NewRollout {
  readonly release: TargetRelease
  readonly isDowngrade: boolean
  /** Undefined when the rollout never halts automatically. */
  readonly haltFailurePercent: number | undefined
  readonly waitMinutes: number
  /** At 0 a device counts as soon as its new version is connected. */
  readonly observeMinutes: number
  readonly waves: readonly (readonly { readonly id: DeviceId; readonly version: string | null }[])[]
}

export interface LockedRollout {
  readonly state: RolloutState
  readonly version: string
  readonly isReleasePresent: boolean
}

export interface LockedDevice {
  readonly deviceId: DeviceId
  readonly name: string
  readonly updateId: string
  readonly state: DeviceUpdateState
}

/** Finds a release and keeps it from being removed until the transaction ends. */
export async function findRelease(transaction: Tx, id: number): Promise<TargetRelease | undefined> {
  const { rows } = await sql<TargetRelease>`select id, version from client_release
    where id = ${id} and deleted_at is null for share`.execute(transaction)
  return rows[0]
}

export async function newestRelease(transaction: Tx): Promise<TargetRelease | undefined> {
  const { rows } = await sql<TargetRelease>`select id, version from client_release
    where deleted_at is null order by version_order desc limit 1 for share`.execute(transaction)
  return rows[0]
}

/** @returns its id, and the number of its devices, which is smaller when another rollout was quicker */
export async function addRollout(
  transaction: Tx,
  { release, isDowngrade, haltFailurePercent, waitMinutes, observeMinutes, waves }: NewRollout,
  { userId, username }: { readonly userId: UserId; readonly username: string },
): Promise<{ readonly id: number; readonly deviceCount: number }> {
  const rollout = sql<{ id: number }>`
    insert into client_rollout (release_id, is_downgrade, halt_failure_percent, wait_minutes, observe_minutes,
      wave_count, created_by, created_by_name)
    values (${release.id}, ${isDowngrade}, ${haltFailurePercent ?? null}, ${waitMinutes}, ${observeMinutes},
      ${waves.length}, ${userId}, ${username})
    returning id`
  const { id } = onlyRow(await rollout.execute(transaction))
  const devices = waves.flatMap((wave, index) => wave.map((device) => ({ ...device, wave: index + 1 })))
  const added = await sql`
    insert into client_update (device_id, rollout_id, wave, from_version)
    select device_id, ${id}, wave, from_version
    from unnest(${devices.map((device) => device.id)}::int[], ${devices.map(({ wave }) => wave)}::smallint[],
      ${devices.map(({ version }) => version)}::text[]) as d (device_id, wave, from_version)
    order by device_id
    on conflict do nothing`.execute(transaction)
  return { id, deviceCount: Number(added.numAffectedRows ?? 0) }
}

export async function lockRollout(transaction: Tx, id: number): Promise<LockedRollout | undefined> {
  const { rows } = await sql<LockedRollout>`
    select o.state, r.version, r.deleted_at is null as "isReleasePresent"
    from client_rollout o join client_release r on r.id = o.release_id where o.id = ${id}
    for update of o for share of r`.execute(transaction)
  return rows[0]
}

/** Pauses the rollout and takes back assigned releases that no device has begun to install. */
export async function pauseUpdates(transaction: Tx, id: number): Promise<void> {
  await sql`update client_rollout set state = 'paused', settled_at = null where id = ${id}`.execute(transaction)
  await withdrawAssignedReleases(statementsOf(transaction), id, 'waiting')
}

/** @param overrulesHalt makes updates that have ended until now count no more towards a halt */
export async function resumeUpdates(transaction: Tx, id: number, overrulesHalt: boolean): Promise<void> {
  await sql`update client_rollout set state = 'running', state_reason = '', settled_at = null
    where id = ${id}`.execute(transaction)
  if (!overrulesHalt) return
  await sql`update client_update set is_counted = false
    where rollout_id = ${id} and (state = 'failed' or (state = 'done' and proven_at is not null))`.execute(transaction)
}

export async function stopUpdates(transaction: Tx, id: number): Promise<void> {
  await sql`update client_rollout set state = 'stopped', state_reason = '', ended_at = now()
    where id = ${id}`.execute(transaction)
  await withdrawAssignedReleases(statementsOf(transaction), id, 'withdrawn')
}

/** Locks the row of a device in a rollout; undefined when it has none. */
export async function lockUpdate(transaction: Tx, id: number, deviceId: DeviceId): Promise<LockedDevice | undefined> {
  // The device is locked before its update, in the order of whoever records its reports, which avoids deadlocks.
  await sql`select from device where id = ${deviceId} for no key update`.execute(transaction)
  const { rows } = await sql<LockedDevice>`
    select u.device_id as "deviceId", d.name, u.update_id as "updateId", u.state
    from client_update u join device d on d.id = u.device_id and d.deleted_at is null
    where u.rollout_id = ${id} and u.device_id = ${deviceId} for update of u`.execute(transaction)
  return rows[0]
}

/** Assigns nothing to the device any more, and restores the status that it had before it was Updating. */
export async function leaveDeviceOut(
  transaction: Tx,
  id: number,
  { deviceId, updateId }: LockedDevice,
  by: string,
): Promise<void> {
  await sql`update client_update set state = 'withdrawn', reason = ${`${by} has left it out.`}, changed_at = now(),
    ended_at = now() where rollout_id = ${id} and device_id = ${deviceId}`.execute(transaction)
  const statements = statementsOf(transaction)
  await giveStatusBack(statements, deviceId, updateId)
  await publishAssignedReleases(statements, [deviceId])
}

/** @returns how many failed, and how many of them are tried again; the others are in another rollout */
export async function retryUpdates(
  transaction: Tx,
  id: number,
): Promise<{ readonly failedCount: number; readonly retriedCount: number }> {
  const failed = await sql<{ deviceId: DeviceId }>`select device_id as "deviceId" from client_update
    where rollout_id = ${id} and state = 'failed' order by device_id for update`.execute(transaction)
  const retried = await sql`
    update client_update u set update_id = gen_random_uuid(), state = 'waiting', reason = '', received_bytes = null,
      from_version = coalesce(v.version, u.from_version), earlier_status_id = null,
      is_counted = true, is_ended_by_device = false, running_since = null, proven_at = null, away_since = null,
      early_restarts = 0, offered_at = null, begun_at = null, ended_at = null,
      changed_at = now()
    from device_version v
    where v.device_id = u.device_id and u.rollout_id = ${id} and u.state = 'failed' and not exists (
      select from client_update other where other.device_id = u.device_id
        and other.is_open)`.execute(transaction)
  await sql`update client_rollout set state = 'running', ended_at = null
    where id = ${id} and state = 'finished' and ${retried.numAffectedRows ?? 0n} > 0`.execute(transaction)
  return { failedCount: failed.rows.length, retriedCount: Number(retried.numAffectedRows ?? 0) }
}
