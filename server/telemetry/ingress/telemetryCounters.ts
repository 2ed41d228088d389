import { Histogram, LAG_SECONDS, WAITING_SECONDS } from '#server/metrics/Histogram.ts'
import { REJECTION_REASONS, type RejectionReason } from './submission.ts'

/** Counts since the start of the process. They only rise. */
export interface TelemetryCounters {
  packetsStored: number
  reportsStored: number
  valuesStored: number
  batchesStored: number
  batchesFailed: number
  largestBatch: number
  rejected: Record<RejectionReason, number>
  /** The seconds from the arrival of a packet until it may be acknowledged. */
  readonly acknowledgement: Histogram
  /** The seconds from the device time of a report until it is stored. */
  readonly lag: Histogram
  /** The seconds from the first attempt until the commit. */
  readonly batch: Histogram
}

export interface WaitingReports {
  readonly packets: number
  readonly bytes: number
  readonly oldestMs: number
}

export function newTelemetryCounters(): TelemetryCounters {
  return {
    packetsStored: 0,
    reportsStored: 0,
    valuesStored: 0,
    batchesStored: 0,
    batchesFailed: 0,
    largestBatch: 0,
    rejected: Object.fromEntries(REJECTION_REASONS.map((reason) => [reason, 0])) as Record<RejectionReason, number>,
    acknowledgement: new Histogram(WAITING_SECONDS),
    lag: new Histogram(LAG_SECONDS),
    batch: new Histogram(WAITING_SECONDS),
  }
}
