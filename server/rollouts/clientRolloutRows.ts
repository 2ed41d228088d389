import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { RolloutFacts, WaveFacts } from '#domain/rollouts/nextStep.ts'
import type { DeviceUpdateState, RolloutState } from '#domain/rollouts/states.ts'
import type { Statements } from '#server/db/statements.ts'
import { IS_OBSERVED } from './observedUpdates.ts'

/** SQL for updates `u` with since when their devices are connected, null while they are not. */
const UPDATES = 'client_update u left join device_online online on online.device_id = u.device_id'

interface RolloutRow {
  readonly state: RolloutState
  readonly halt_failure_percent: number | null
  readonly wait_minutes: number
  readonly wave_count: number
  readonly begun_wave: number
  readonly settled_at: Date | null
  readonly now: Date
}

export interface ReadRollout {
  readonly facts: RolloutFacts
  readonly nowMs: number
  /** Connected devices that have been assigned the release and have not finished. */
  readonly inFlight: number
}

/** Reads the rollouts that may need a step. */
export async function openRollouts(statements: Statements): Promise<readonly number[]> {
  const { rows } = await statements.query<{ id: number }>(
    `select id from client_rollout o where state in ('running', 'paused', 'halted') or (state = 'stopped' and exists (
       select from client_update u where u.rollout_id = o.id
         and (u.state in ('downloading', 'verifying', 'restarting') or ${IS_OBSERVED})))
     order by id`,
  )
  return rows.map(({ id }) => id)
}

/** Reads a rollout under a lock, so that nothing else changes it meanwhile; undefined when it is gone. */
export async function lockRollout(statements: Statements, id: number): Promise<RolloutRow | undefined> {
  const { rows } = await statements.query<RolloutRow>(
    `select state, halt_failure_percent, wait_minutes, wave_count, begun_wave, settled_at, clock_timestamp() as now
     from client_rollout where id = $1 for update`,
    [id],
  )
  return rows[0]
}

export async function readRollout(statements: Statements, id: number): Promise<ReadRollout | undefined> {
  const rollout = await lockRollout(statements, id)
  if (rollout === undefined) return undefined
  const { rows } = await statements.query<WaveFacts & { in_flight: number }>(
    `select wave as number,
       count(*) filter (where is_open)::int as open,
       count(*) filter (where is_open and (is_connected or state = 'restarting'))::int as "underWay",
       count(*) filter (where state = 'done')::int as done,
       count(*) filter (where is_observed)::int as observed,
       count(*) filter (where state = 'failed')::int as failed,
       count(*) filter (where state = 'failed' and is_counted)::int as "countedFailed",
       count(*) filter (where is_counted and is_reached)::int as "countedReached",
       count(*) filter (where is_open and state <> 'waiting' and is_connected)::int as in_flight
     from (
       select *,
         state in ('downloading', 'verifying', 'restarting', 'done', 'failed') or (state = 'offered' and is_connected)
           as is_reached
       from (select u.wave, u.state, u.is_open, u.is_counted, online.since is not null as is_connected,
               ${IS_OBSERVED} as is_observed
             from ${UPDATES} join client_rollout o on o.id = u.rollout_id where u.rollout_id = $1) device) device
     group by wave`,
    [id],
  )
  const byNumber = new Map(rows.map(({ in_flight: _, ...wave }) => [wave.number, wave]))
  const numbers = Array.from({ length: rollout.wave_count }, (_, index) => index + 1)
  return {
    nowMs: rollout.now.getTime(),
    inFlight: rows.reduce((total, row) => total + row.in_flight, 0),
    facts: {
      state: rollout.state,
      haltFailurePercent: rollout.halt_failure_percent ?? undefined,
      waitMs: rollout.wait_minutes * 60_000,
      begunWave: rollout.begun_wave,
      settledAtMs: rollout.settled_at?.getTime(),
      waves: numbers.map((number) => byNumber.get(number) ?? emptyWave(number)),
    },
  }
}

/** A wave is empty when its devices were deleted. */
const emptyWave = (number: number): WaveFacts => ({
  number,
  open: 0,
  underWay: 0,
  done: 0,
  observed: 0,
  failed: 0,
  countedFailed: 0,
  countedReached: 0,
})

export interface SilentUpdate {
  readonly deviceId: DeviceId
  readonly updateId: string
  readonly state: DeviceUpdateState
  readonly changedAt: Date
  readonly connectedSince: Date | null
}

/** Reads devices that were assigned the release and have been silent this long, the longest first. */
export async function silentUpdates(statements: Statements, id: number, silentMs: number, most: number) {
  const { rows } = await statements.query<SilentUpdate>(
    `select u.device_id as "deviceId", u.update_id as "updateId", u.state, u.changed_at as "changedAt",
       online.since as "connectedSince"
     from ${UPDATES}
     where u.rollout_id = $1 and u.state in ('offered', 'downloading', 'verifying', 'restarting')
       and u.changed_at < now() - make_interval(secs => $2::float8 / 1000)
       and (u.state = 'restarting' or online.since < now() - make_interval(secs => $2::float8 / 1000))
     order by u.changed_at, u.device_id limit $3`,
    [id, silentMs, most],
  )
  return rows
}

/** Fails the update, unless the device has reported meanwhile. @returns whether it failed */
export async function failSilent(statements: Statements, silent: SilentUpdate, reason: string): Promise<boolean> {
  // The locks have the order of a progress report, first the device and then its update, so that the two cannot
  // deadlock.
  await statements.query('select from device where id = $1 for no key update', [silent.deviceId])
  const { rows } = await statements.query(
    `update client_update set state = 'failed', reason = $4, changed_at = now(), ended_at = now()
     where device_id = $1 and update_id = $2 and state = $3 and changed_at <= $5::timestamptz + interval '1 millisecond'
     returning device_id`,
    [silent.deviceId, silent.updateId, silent.state, reason, silent.changedAt],
  )
  return rows.length > 0
}

/** Withdraws updates of deactivated and deleted devices. @returns those that had a release assigned */
export async function withdrawDeactivated(statements: Statements, id: number): Promise<readonly DeviceId[]> {
  const { rows } = await statements.query<{ device_id: DeviceId; was_offered: boolean }>(
    `with gone as (
       select u.device_id, u.state = 'offered' as was_offered, d.deleted_at is not null as is_deleted
       from client_update u join device d on d.id = u.device_id
       where u.rollout_id = $1 and u.state in ('waiting', 'offered') and (d.status_id = ${DEVICE_STATUS.deactivated} or d.deleted_at is not null)
       for update of u)
     update client_update u set state = 'withdrawn', changed_at = now(), ended_at = now(),
       reason = case when is_deleted then 'The device was deleted.' else 'The device is deactivated.' end
     from gone where u.rollout_id = $1 and u.device_id = gone.device_id returning u.device_id, was_offered`,
    [id],
  )
  return rows.filter((row) => row.was_offered).map((row) => row.device_id)
}

export async function waitingDevices(statements: Statements, id: number, begunWave: number, most: number) {
  const { rows } = await statements.query<{ deviceId: DeviceId; isConnected: boolean }>(
    `select u.device_id as "deviceId", online.since is not null as "isConnected" from ${UPDATES}
     where u.rollout_id = $1 and u.wave <= $2 and u.state = 'waiting' order by u.wave, u.device_id limit $3`,
    [id, begunWave, most],
  )
  return rows
}

/** @returns the devices that were still waiting */
export async function offer(statements: Statements, id: number, deviceIds: readonly DeviceId[]) {
  const { rows } = await statements.query<{ device_id: DeviceId }>(
    `update client_update set state = 'offered', changed_at = now(),
       tries = tries + case when offered_at is null then 1 else 0 end, offered_at = coalesce(offered_at, now())
     where rollout_id = $1 and device_id = any($2::int[]) and state = 'waiting' returning device_id`,
    [id, deviceIds],
  )
  return rows.map((row) => row.device_id)
}
