import { performance } from 'node:perf_hooks'

const LOOK_EVERY_MS = 5_000
/** Of the time between two looks that the program may have worked and still counts as at rest. */
const AT_REST = 0.05
const REST_BETWEEN_MS = 60_000
const WORTH_BYTES = 8 * 1024 * 1024
/** Giving back takes up to 2 ms for each megabyte in use, in which nothing is answered. */
const MOST_IN_USE_BYTES = 256 * 1024 * 1024

/** What the heap has spare goes back to the system, which an ordinary collection does not do. */
export function giveBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * A start, and each burst of reports or calls, leaves room that V8 keeps for the next one. Gives it back when the
 * server is at rest and has grown since the last time; only where Node.js was started with `--expose-gc`, as
 * `tools/serverProcess.mjs` does. @returns ends it
 */
export function keepNoSpareMemory(lookEveryMs = LOOK_EVERY_MS): () => void {
  if (globalThis.gc === undefined) return () => undefined
  let kept = 0
  let lastAtMs = Number.NEGATIVE_INFINITY
  let lastWork = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const work = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(work, lastWork)
    lastWork = work
    if (utilization > AT_REST || performance.now() - lastAtMs < REST_BETWEEN_MS) return
    if (process.memoryUsage.rss() - kept < WORTH_BYTES || process.memoryUsage().heapUsed > MOST_IN_USE_BYTES) return
    giveBack()
    kept = process.memoryUsage.rss()
    lastAtMs = performance.now()
    lastWork = performance.eventLoopUtilization()
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}
