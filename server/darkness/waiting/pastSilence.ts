import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { PRESENCE_SINCE } from '#server/fleet/newestPresence.ts'
import type { Replayed } from '#server/telemetry/alerts/replay.ts'

interface Change {
  readonly at: Date
  readonly isOnline: boolean
}

/**
 * Works out when a device would have been silent for at least the wait, by its recorded presence. Outages of the server
 * and planned darkness are not subtracted, because outages are stored for a month only, and past darkness is not.
 */
export async function pastSilence(
  queryable: Queryable,
  { deviceId, waitMs, from }: { readonly deviceId: DeviceId; readonly waitMs: number; readonly from: Date },
): Promise<Replayed> {
  const { rows } = await queryable.query<Change>(
    `select is_online as "isOnline", ${PRESENCE_SINCE} as at
     from device_presence_history where device_id = $1 and at >= $2 order by at`,
    [deviceId, from],
  )
  const stretches = rows.flatMap(({ at, isOnline }, index) => {
    if (isOnline) return []
    const end = rows.slice(index + 1).find((next) => next.isOnline)
    const fromMs = at.getTime() + waitMs
    const toMs = end?.at.getTime()
    if (fromMs > (toMs ?? Date.now())) return []
    // The first of several entries for one absence counts.
    return index > 0 && rows[index - 1]?.isOnline === false ? [] : [{ fromMs, toMs }]
  })
  return { alerts: [], stretches, oldestMs: rows[0]?.at.getTime() }
}
