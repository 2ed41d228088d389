import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Rejection } from '#server/telemetry/ingress/submission.ts'
import { type KeptRejection, kept } from './otherRows.ts'

/** Rejections beyond this are counted but not kept, so that a broken device cannot fill the disk. */
const KEPT_REJECTIONS_PER_HOUR = 1000

export class RejectionQuota {
  readonly #keptThisHour = new Map<DeviceId, number>()
  #hour = 0

  /** @param onFirst is called for the first rejection of a device in this hour */
  keptOf(rejections: readonly Rejection[], onFirst: (deviceId: DeviceId) => void): KeptRejection[] {
    if (rejections.length === 0) return []
    const hour = Math.floor(performance.now() / HOUR_MS)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#keptThisHour.clear()
    }
    const chosen: KeptRejection[] = []
    for (const rejection of rejections) {
      const count = (this.#keptThisHour.get(rejection.deviceId) ?? 0) + 1
      this.#keptThisHour.set(rejection.deviceId, count)
      if (count === 1) onFirst(rejection.deviceId)
      if (count <= KEPT_REJECTIONS_PER_HOUR) chosen.push(kept(rejection))
    }
    return chosen
  }
}
