import { DAY_MS, HOUR_MS, MINUTE_MS } from '../units/time.ts'
import { retryAfterMs } from './mailRules.ts'

/** What a channel is allowed counts over this time. */
export const BUDGET_MS = HOUR_MS
/** What comes with a burst is waited for before all that is left becomes one message. */
export const GATHERED_MS = 2 * MINUTE_MS
/** What could not be told for so long is given up. */
export const TOLD_WITHIN_MS = DAY_MS
const LONGEST_REST_MS = 6 * HOUR_MS
/** By how much a rest differs from one channel to the next, so that not all come back at once. */
const JITTER = 0.25

export interface Waiting {
  /** Since when it waits. */
  readonly sinceMs: number
  /** A message of its own is there already, which alone can be told anew. */
  readonly hasOwn: boolean
}

export interface Budget {
  readonly mostPerHour: number
  /** When something went out within the hour, whatever became of it. */
  readonly sentAtMs: readonly number[]
  readonly nowMs: number
  /** In the order in which they are told. */
  readonly waiting: readonly Waiting[]
}

/** One of those that wait, some of them together, or how long nothing goes. */
export type Turn =
  | { readonly kind: 'one'; readonly index: number }
  | { readonly kind: 'digest'; readonly indexes: readonly number[] }
  | { readonly kind: 'wait'; readonly waitMs: number /** All of the hour is used up. */; readonly isFull: boolean }

/**
 * What a channel tells next, of what waits: one message after the other while there is room, then with the last one of the
 * hour all that is new in one digest. What has a message of its own is never gathered: it waits until there is room.
 */
export function nextDelivery({ mostPerHour, sentAtMs, nowMs, waiting }: Budget): Turn {
  const within = sentAtMs.filter((at) => at > nowMs - BUDGET_MS).toSorted((one, other) => one - other)
  const left = mostPerHour - within.length
  if (waiting.length === 0) return { kind: 'wait', waitMs: BUDGET_MS, isFull: false }
  // Room comes when the oldest of those beyond the measure is an hour old.
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
 * How long a channel is left alone after its n-th failure in a row: longer each time, or as long as it asked.
 *
 * @param dice from 0 to 1
 */
export function channelRestMs(failures: number, askedMs: number | undefined, dice: number): number {
  const usualMs = retryAfterMs(failures) * (1 - JITTER + 2 * JITTER * dice)
  return Math.round(Math.min(LONGEST_REST_MS, Math.max(usualMs, askedMs ?? 0)))
}
