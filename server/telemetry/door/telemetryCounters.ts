import { REJECTION_REASONS, type RejectionReason } from './submission.ts'

/** Counted since the start of the process; only ever up, except the largest batch. */
export interface TelemetryCounters {
  packetsStored: number
  reportsStored: number
  valuesStored: number
  batchesStored: number
  batchesFailed: number
  /** Reports in it. */
  largestBatch: number
  rejected: Record<RejectionReason, number>
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
  }
}
