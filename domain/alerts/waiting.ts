import { OFFLINE_AFTER_MS } from '../devices/presence.ts'

interface Waiting {
  /** When it began to be so. */
  readonly sinceMs: number
  /** When the condition began to count for the device. */
  readonly countsFromMs: number
  readonly waitMs: number
  /** End of the newest time in which the server itself was away; undefined: never. */
  readonly outageEndMs: number | undefined
}

/**
 * When what waits has waited long enough. The server's own absence is nobody's silence: what began before its end is
 * counted anew from when devices had time to connect again.
 */
export function dueAtMs({ sinceMs, countsFromMs, waitMs, outageEndMs }: Waiting): number {
  const beganMs = Math.max(sinceMs, countsFromMs)
  const isCut = outageEndMs !== undefined && outageEndMs > beganMs
  return (isCut ? outageEndMs + OFFLINE_AFTER_MS : beganMs) + waitMs
}
