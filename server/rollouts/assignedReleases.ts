import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import { NOTICES_CHANNEL, noticeText } from '#server/fleet/deviceNotices.ts'

/** SQL for the release that device `d` must run, as its settings document says; null when none is assigned. */
export const OFFER_OF_DEVICE = `(
  select jsonb_build_object('updateId', u.update_id, 'version', r.version, 'bytes', r.bytes, 'sha256', r.sha256,
                            'signature', r.signature)
    || case when r.back_signature is null then '{}' else jsonb_build_object('backSignature', r.back_signature) end
  from client_update u join client_rollout o on o.id = u.rollout_id join client_release r on r.id = o.release_id
  where u.device_id = d.id and (u.state in ('downloading', 'verifying', 'restarting')
    or (u.state = 'offered' and d.status_id <> ${DEVICE_STATUS.deactivated})))`

/** Gives devices a new settings version, because a release was assigned or withdrawn. The commit notifies them. */
export async function publishAssignedReleases(statements: Statements, deviceIds: readonly DeviceId[]): Promise<void> {
  if (deviceIds.length === 0) return
  await statements.query(
    `insert into device_settings as s (device_id, version) select id, 2 from unnest($1::int[]) id order by id
     on conflict (device_id) do update set version = s.version + 1, updated_at = now()`,
    [deviceIds],
  )
  const prefix = noticeText({ kind: 'settings', deviceId: 0 as DeviceId }).slice(0, -1)
  await statements.query('select pg_notify($1, $2::text || id) from unnest($3::int[]) id', [
    NOTICES_CHANNEL,
    prefix,
    deviceIds,
  ])
}

/** Restores the status from before an update, unless an operator chose another. The device's row must be locked. */
export async function giveStatusBack(statements: Statements, deviceId: DeviceId, updateId: string): Promise<void> {
  await statements.query(
    `update device d set status_id = u.earlier_status_id from client_update u
     where d.id = $1 and u.device_id = $1 and u.update_id = $2 and d.status_id = ${DEVICE_STATUS.updating}
       and u.earlier_status_id is not null`,
    [deviceId, updateId],
  )
  await statements.query('update client_update set earlier_status_id = null where device_id = $1 and update_id = $2', [
    deviceId,
    updateId,
  ])
}

/** Withdraws the assigned release from devices that have not begun, for now or for good. */
export async function withdrawAssignedReleases(
  statements: Statements,
  rolloutId: number,
  becoming: 'waiting' | 'withdrawn',
): Promise<void> {
  const { rows } = await statements.query<{ device_id: DeviceId }>(
    "select device_id from client_update where rollout_id = $1 and state = 'offered' for update",
    [rolloutId],
  )
  await statements.query(
    `update client_update set state = $2, changed_at = now(), reason = case when $3 then 'The update was stopped.' else '' end,
       ended_at = case when $3 then now() end
     where rollout_id = $1 and (state = 'offered' or ($3 and state = 'waiting'))`,
    [rolloutId, becoming, becoming === 'withdrawn'],
  )
  await publishAssignedReleases(
    statements,
    rows.map((row) => row.device_id),
  )
}
