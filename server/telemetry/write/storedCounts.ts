import type { Submission } from '#server/telemetry/ingress/submission.ts'
import type { TelemetryCounters } from '#server/telemetry/ingress/telemetryCounters.ts'
import type { Work } from './batch.ts'

/** The caller calls this after the commit. */
export function countStored(counters: TelemetryCounters, { reports, rejections }: Work): void {
  counters.batchesStored++
  counters.largestBatch = Math.max(counters.largestBatch, reports.length)
  counters.reportsStored += reports.length
  for (const { valueCount } of reports) counters.valuesStored += valueCount
  for (const { reason } of rejections) counters.rejected[reason]++
}

/** Observes waits since arrival and since measurement. The caller calls this when the batch may be acknowledged. */
export function countWaits({ acknowledgement, lag }: TelemetryCounters, taken: readonly Submission[]): void {
  const nowMs = performance.now()
  for (const { arrivedAtMs, reports } of taken) {
    const waitedMs = nowMs - arrivedAtMs
    acknowledgement.observe(waitedMs / 1000)
    // A device clock that is ahead must not count as negative lag.
    for (const { receivedAtMs, atMs } of reports) lag.observe(Math.max(0, receivedAtMs - atMs + waitedMs) / 1000)
  }
}
