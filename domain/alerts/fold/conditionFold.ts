import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/** How one condition stands on one device, in device time (rules/alerts 7). */
export interface ConditionState {
  /** Of the newest reading that was looked at. */
  readonly lastAtMs: number | undefined
  /** Of the first true reading of the present run; undefined while the condition is false or was never looked at. */
  readonly trueSinceMs: number | undefined
  readonly alert: 'none' | 'active' | 'notActive'
  /** Closed while it was still true: not raised again until it has been false once. */
  readonly isSuppressed: boolean
}

/** Whether a reading that does not meet the condition moves nothing but `lastAtMs`. */
export const isAtRest = ({ trueSinceMs, alert, isSuppressed }: ConditionState): boolean =>
  trueSinceMs === undefined && alert !== 'active' && !isSuppressed

export const UNTOUCHED: ConditionState = {
  lastAtMs: undefined,
  trueSinceMs: undefined,
  alert: 'none',
  isSuppressed: false,
}

export type ConditionChange = 'opened' | 'active' | 'notActive'

export interface Folded {
  readonly state: ConditionState
  readonly change: ConditionChange | undefined
}

/**
 * The next reading of a condition, later than all before it. A period condition is met at the first reading at least
 * so long after the first true one, with none false between; silence longer than the offline limit starts it anew, and
 * the clock alone meets nothing (rules/alerts 9).
 */
export function foldReading(before: ConditionState, periodMs: number, atMs: number, isTrue: boolean): Folded {
  if (!isTrue) {
    const wasActive = before.alert === 'active'
    return {
      state: {
        lastAtMs: atMs,
        trueSinceMs: undefined,
        alert: wasActive ? 'notActive' : before.alert,
        isSuppressed: false,
      },
      change: wasActive ? 'notActive' : undefined,
    }
  }
  const hasGap = before.lastAtMs !== undefined && atMs - before.lastAtMs > OFFLINE_AFTER_MS
  const trueSinceMs = before.trueSinceMs === undefined || hasGap ? atMs : before.trueSinceMs
  const raises = !before.isSuppressed && before.alert !== 'active' && atMs - trueSinceMs >= periodMs
  return {
    state: {
      lastAtMs: atMs,
      trueSinceMs,
      alert: raises ? 'active' : before.alert,
      isSuppressed: before.isSuppressed,
    },
    change: raises ? (before.alert === 'none' ? 'opened' : 'active') : undefined,
  }
}

/** Somebody closes the open alert after the newest reading that was looked at. */
export function foldClose(before: ConditionState): ConditionState {
  return { ...before, alert: 'none', isSuppressed: before.isSuppressed || before.alert === 'active' }
}
