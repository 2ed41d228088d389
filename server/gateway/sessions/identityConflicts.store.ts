import { CONFLICT_LASTS_MS } from '#domain/devices/identityConflict.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'

const LASTS = `seen_at > clock_timestamp() - interval '${CONFLICT_LASTS_MS} milliseconds'`

/** @returns whether the conflict is new */
export async function noteConflict(
  queryable: Queryable,
  deviceId: DeviceId,
  { sinceMs, keptDays }: { readonly sinceMs: number; readonly keptDays: number },
): Promise<boolean> {
  await queryable.query(
    'delete from identity_conflict where device_id = $1 and seen_at < clock_timestamp() - make_interval(days => $2)',
    [deviceId, keptDays],
  )
  const { rowCount } = await queryable.query(
    `with lasting as (
       update identity_conflict set seen_at = clock_timestamp() where device_id = $1 and ${LASTS} returning 1)
     insert into identity_conflict (device_id, began_at, seen_at)
     select id, clock_timestamp() - make_interval(secs => $2), clock_timestamp() from device
     where id = $1 and deleted_at is null and not exists (select from lasting)
     on conflict do nothing`,
    [deviceId, sinceMs / 1000],
  )
  return (rowCount ?? 0) > 0
}

export async function readLastingConflicts(queryable: Queryable): Promise<ReadonlySet<DeviceId>> {
  const { rows } = await queryable.query<{ device_id: DeviceId }>(
    `select device_id from identity_conflict where ${LASTS}`,
  )
  return new Set(rows.map((row) => row.device_id))
}

/** Reads devices of this process that have a newer connection at another process, and for how long. */
export async function readNewerElsewhere(
  queryable: Queryable,
  processId: string,
): Promise<ReadonlyMap<DeviceId, number>> {
  const { rows } = await queryable.query<{ device_id: DeviceId; age_ms: number }>(
    `select own.device_id, (extract(epoch from clock_timestamp() - max(other.opened_at)) * 1000)::float8 as age_ms
     from device_connection own
     join device_connection other on other.device_id = own.device_id and other.process_id <> $1
       and other.opened_at > own.opened_at
     join server_process p on p.id = other.process_id and p.lease_until > now()
     where own.process_id = $1
       and exists (select from server_process where id <> $1 and listens and lease_until > now())
     group by own.device_id`,
    [processId],
  )
  return new Map(rows.map((row) => [row.device_id, row.age_ms]))
}
