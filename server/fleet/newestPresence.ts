import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'

/** SQL: since when a row of `device_presence_history` holds; silence counts from when the device was last heard. */
export const PRESENCE_SINCE = `case when reason = 'silent' then at - interval '${OFFLINE_AFTER_MS} milliseconds' else at end`

export interface Presence {
  readonly isOnline: boolean
  readonly since: Date
  /** Why it holds, as `PresenceReason` names it. */
  readonly reason: string
  /** It last connected then; null when it never did. */
  readonly cameAt: Date | null
}

/** Reads the newest change of each; a device that never connected has none. */
export async function newestPresence(
  statements: Statements,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, Presence>> {
  const { rows } = await statements.query<Presence & { id: DeviceId }>(
    `select distinct on (device_id) device_id as id, is_online as "isOnline", reason, ${PRESENCE_SINCE} as since,
       max(at) filter (where is_online) over (partition by device_id) as "cameAt"
     from device_presence_history where device_id = any($1::int[]) order by device_id, at desc`,
    [deviceIds],
  )
  return new Map(rows.map(({ id, ...presence }) => [id, presence]))
}
