import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { readMaintenanceSpans } from '#server/fleet/maintenanceSpans.ts'
import type { Replayed } from '#server/telemetry/alerts/replay.ts'
import { readingsKeptSince } from '#server/telemetry/read/hourExtremes.ts'
import { readDarkPlace, readLevels } from '../dayCounts.ts'
import { darkStretches, lightWithin, plannedWithin } from '../pastLight.ts'

interface Question {
  readonly deviceId: DeviceId
  readonly waitMs: number
  readonly from: Date
  readonly now: Date
}

/**
 * Works out when a device would have been dark against plan for at least the wait, by its stored readings, confirmed
 * off times and maintenance windows, as dark minutes are counted. Outages of the server are not subtracted.
 */
export async function pastDarkness(queryable: Queryable, { deviceId, waitMs, from, now }: Question): Promise<Replayed> {
  const [place, keptSinceMs] = await Promise.all([readDarkPlace(queryable, deviceId), readingsKeptSince(queryable)])
  const time = { fromMs: Math.max(from.getTime(), keptSinceMs), toMs: now.getTime() }
  if (!place || place.displayNumbers.length === 0) return { alerts: [], stretches: [], oldestMs: undefined }
  const [levels, maintenance, planned] = await Promise.all([
    readLevels(queryable, deviceId, time),
    readMaintenanceSpans(queryable, [deviceId], time),
    plannedWithin(queryable, place, time),
  ])
  const light = lightWithin(place, time, { planned, levels, maintenance: maintenance.get(deviceId) ?? [] })
  const stretches = darkStretches(light, waitMs).map(({ fromMs, toMs }) => ({ fromMs, toMs }))
  return { alerts: [], stretches, oldestMs: light.find(({ kind }) => kind !== 'unknown')?.fromMs }
}
