import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/** The state of one condition on one device, in device time (rules/alerts 7). */
export interface ConditionState {
  readonly lastAtMs: number | undefined
  /** The first true reading of the present run; undefined while the condition is false or was never evaluated. */
  readonly trueSinceMs: number | undefined
  readonly alert: 'none' | 'active' | 'notActive'
  /** It was closed while the condition was met, so it is not raised again until the condition was false once. */
  readonly isSuppressed: boolean
}

/** True if a reading that does not meet the condition changes nothing but `lastAtMs`. */
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
 * Folds the next reading of a condition, later than all before it. A condition with a period is met at the first
 * reading at least that long after the first true one, with none false between; silence longer than the offline limit
 * starts it anew, and the clock alone meets nothing (rules/alerts 9).
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

/** Folds the closing of the open alert after the newest evaluated reading. */
export function foldClose(before: ConditionState): ConditionState {
  return { ...before, alert: 'none', isSuppressed: before.isSuppressed || before.alert === 'active' }
}
