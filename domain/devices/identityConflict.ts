import { MINUTE_MS } from '../units/time.ts'

/** If only one machine reported for this long, the conflict is over. */
export const CONFLICT_LASTS_MS = 5 * MINUTE_MS

export interface ConflictSpan {
  readonly fromMs: number
  readonly toMs: number
}

export const isWithinAny = (spans: readonly ConflictSpan[], atMs: number): boolean =>
  spans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
