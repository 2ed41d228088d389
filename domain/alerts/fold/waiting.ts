import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/** A time in which the server itself was away, or too busy to look. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

interface Waiting {
  /** When it began to be so. */
  readonly sinceMs: number
  /** When the condition began to count for the device. */
  readonly countsFromMs: number
  readonly waitMs: number
  /** Oldest first. */
  readonly outages: readonly Outage[]
}

/** Behind an absence that was long enough for devices to count as offline, they have time to connect again. */
const connectMs = ({ fromMs, toMs }: Outage): number => (toMs - fromMs >= OFFLINE_AFTER_MS ? OFFLINE_AFTER_MS : 0)

/** Until then nothing new is said of devices: who is not there may only not have come back yet. */
export const quietUntilMs = (outages: readonly Outage[]): number =>
  Math.max(Number.NEGATIVE_INFINITY, ...outages.map((outage) => outage.toMs + connectMs(outage)))

/**
 * When what waits has waited long enough. The server's own absence is nobody's silence, so the wait stands still while it
 * lasts and goes on behind it: a busy server delays an alert by as long as it was late, and no more. What began in an
 * absence, perhaps because of it, counts from when devices had time to connect again.
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
