import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { retryAfterMs } from './mailRules.ts'

/** The limit of a channel counts over this time. */
export const BUDGET_MS = HOUR_MS
/** A burst is collected for this long before the remaining messages become one. */
export const GATHERED_MS = 2 * MINUTE_MS
/** A message that cannot be delivered for this long is dropped. */
export const TOLD_WITHIN_MS = DAY_MS
const LONGEST_REST_MS = 6 * HOUR_MS
/** Pauses differ by this share, so that channels do not all come back at once. */
const JITTER = 0.25

export interface Waiting {
  readonly sinceMs: number
  /** It has a message of its own already, which only another single message can replace. */
  readonly hasOwn: boolean
}

export interface Budget {
  readonly mostPerHour: number
  /** The messages of the last hour, whatever became of them. */
  readonly sentAtMs: readonly number[]
  readonly nowMs: number
  /** Messages are in order of delivery. */
  readonly waiting: readonly Waiting[]
}

/** One message, several as a digest, or a pause. */
export type Turn =
  | { readonly kind: 'one'; readonly index: number }
  | { readonly kind: 'digest'; readonly indexes: readonly number[] }
  | {
      readonly kind: 'wait'
      readonly waitMs: number
      /** The hourly limit is reached. */
      readonly isFull: boolean
    }

/**
 * Returns what a channel sends next: one message after the other while the limit allows, then with the last one of the
 * hour all new messages in one digest. A message of its own is never part of a digest: it waits for the limit.
 */
export function nextDelivery({ mostPerHour, sentAtMs, nowMs, waiting }: Budget): Turn {
  const within = sentAtMs.filter((at) => at > nowMs - BUDGET_MS).toSorted((one, other) => one - other)
  const left = mostPerHour - within.length
  if (waiting.length === 0) return { kind: 'wait', waitMs: BUDGET_MS, isFull: false }
  // The next message is allowed when the oldest one within the limit is an hour old.
  const roomMs = () => (within[within.length - mostPerHour] ?? nowMs) + BUDGET_MS - nowMs
  if (left <= 0) return { kind: 'wait', waitMs: Math.max(1, roomMs()), isFull: true }
  if (left > 1 || waiting.length === 1) return { kind: 'one', index: 0 }
  const indexes = waiting.flatMap(({ hasOwn }, index) => (hasOwn ? [] : [index]))
  if (indexes.length < 2) return { kind: 'one', index: 0 }
  const oldestMs = Math.min(...indexes.map((index) => waiting[index]?.sinceMs ?? nowMs))
  const waitMs = oldestMs + GATHERED_MS - nowMs
  return waitMs > 0 ? { kind: 'wait', waitMs, isFull: false } : { kind: 'digest', indexes }
}

/**
 * Returns the pause of a channel after its n-th failure in a row: longer each time, or as long as the channel asked.
 *
 * @param random a number from 0 to 1
 */
export function channelRestMs(failures: number, askedMs: number | undefined, random: number): number {
  const usualMs = retryAfterMs(failures) * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.min(LONGEST_REST_MS, Math.max(usualMs, askedMs ?? 0)))
}
