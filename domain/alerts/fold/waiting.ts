import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/** A period in which the server was down, or too busy to check. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

interface Waiting {
  readonly sinceMs: number
  readonly countsFromMs: number
  readonly waitMs: number
  readonly outages: readonly Outage[]
}

/** Devices get time to reconnect after an outage that was long enough for them to count as offline. */
const connectMs = ({ fromMs, toMs }: Outage): number => (toMs - fromMs >= OFFLINE_AFTER_MS ? OFFLINE_AFTER_MS : 0)

/** Nothing new is said about devices until then, because a missing one may merely not have reconnected. */
export const quietUntilMs = (outages: readonly Outage[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...outages.map((outage) => outage.toMs + connectMs(outage)))

/**
 * Returns when a condition has waited long enough. The server's own outage is not the device's silence, so the wait
 * pauses while it lasts: a busy server delays an alert by its own lateness, and no more. A silence that began during an
 * outage, perhaps because of it, counts from when devices had time to reconnect.
 */
export function dueAtMs({ sinceMs, countsFromMs, waitMs, outages }: Waiting): number {
  let atMs = Math.max(sinceMs, countsFromMs)
  let leftMs = waitMs
  for (const outage of outages) {
    if (outage.toMs <= atMs) continue
    const waitedMs = outage.fromMs - atMs
    if (waitedMs >= leftMs) break
    if (waitedMs > 0) leftMs -= waitedMs
    atMs = outage.toMs + (waitedMs > 0 ? 0 : connectMs(outage))
  }
  return atMs + leftMs
}
