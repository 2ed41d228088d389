import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { LOST_WHILE_OBSERVED_MS } from '#domain/rollouts/deviceUpdate.ts'
import type { Statements } from '#server/db/statements.ts'

/** SQL for whether update `u` of rollout `o` is done but its new version has not run long enough yet. */
export const IS_OBSERVED = `(u.state = 'done' and u.proven_at is null and o.observe_minutes > 0)`

export async function noteAway(statements: Statements, id: number): Promise<void> {
  await statements.query(
    `update client_update u set away_since = case when u.away_since is null then now() end
     from client_rollout o where o.id = $1 and u.rollout_id = o.id and ${IS_OBSERVED}
       and (u.away_since is null) = not exists (select from device_online online where online.device_id = u.device_id)`,
    [id],
  )
}

/** Marks updates as proven that have run without a gap for long enough, or that nobody waits for any more. */
export async function noteProven(statements: Statements, id: number): Promise<void> {
  await statements.query(
    `update client_update u set proven_at = now() from client_rollout o, device d
     where o.id = $1 and u.rollout_id = o.id and d.id = u.device_id and ${IS_OBSERVED} and (
       (u.away_since is null and u.running_since <= now() - make_interval(mins => o.observe_minutes))
       or d.deleted_at is not null or d.status_id = ${DEVICE_STATUS.deactivated})`,
    [id],
  )
}

/** Fails devices that lost the version or went away. A later report of the device replaces this reason. */
export async function failLost(statements: Statements, id: number): Promise<void> {
  await statements.query(
    `update client_update u set state = 'failed', is_ended_by_device = false, changed_at = now(), ended_at = now(),
       reason = case when v.version <> r.version then 'The device runs ' || v.version || ' again.'
         else 'The device went away before the new version had run for ' || o.observe_minutes
           || ' minutes, and has not come back for an hour.' end
     from client_rollout o, client_release r, device_version v
     where o.id = $1 and u.rollout_id = o.id and r.id = o.release_id and v.device_id = u.device_id and ${IS_OBSERVED}
       and (v.version <> r.version or u.away_since < now() - make_interval(secs => $2::float8 / 1000))`,
    [id, LOST_WHILE_OBSERVED_MS],
  )
}
