import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { PRESENCE_SINCE } from '#server/fleet/newestPresence.ts'
import type { Replayed } from '#server/telemetry/alerts/replay.ts'

interface Change {
  readonly at: Date
  readonly isOnline: boolean
}

/**
 * When a device would have been silent for so long, by its presence as it is written down. Times in which the server
 * itself was away, and planned darkness, are not taken out: they are kept for a month, and not at all.
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
    // Of several words for one absence the first counts.
    return index > 0 && rows[index - 1]?.isOnline === false ? [] : [{ fromMs, toMs }]
  })
  return { alerts: [], stretches, oldestMs: rows[0]?.at.getTime() }
}
