import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves early when aborted. */
export const pause = (ms: number, signal?: AbortSignal) =>
  sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
