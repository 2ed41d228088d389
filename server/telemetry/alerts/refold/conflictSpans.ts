import { CONFLICT_LASTS_MS, type ConflictSpan } from '#domain/devices/identityConflict.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'

/** Reads when two machines reported as this device, as far as that is kept. */
export async function readConflictSpans(queryable: Queryable, deviceId: DeviceId): Promise<readonly ConflictSpan[]> {
  const { rows } = await queryable.query<{ began_at: Date; seen_at: Date }>(
    'select began_at, seen_at from identity_conflict where device_id = $1',
    [deviceId],
  )
  return rows.map(({ began_at, seen_at }) => ({
    fromMs: began_at.getTime(),
    toMs: seen_at.getTime() + CONFLICT_LASTS_MS,
  }))
}
