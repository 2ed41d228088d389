import { MINUTE_MS } from '../units/time.ts'

/** When only one machine was heard for this long, nobody reports as the device beside it any more. */
export const CONFLICT_LASTS_MS = 5 * MINUTE_MS

/** A time in which two machines reported as one device. */
export interface ConflictSpan {
  readonly fromMs: number
  readonly toMs: number
}

export const isWithinAny = (spans: readonly ConflictSpan[], atMs: number): boolean =>
  spans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
