import { type ConditionState, foldClose, foldReading } from './conditionFold.ts'
import { meets, type OperatorCode, type Threshold } from './operators.ts'

/** What a fold needs of a condition. */
export interface FoldedCondition {
  readonly operator: OperatorCode
  readonly threshold: Threshold
  readonly periodMs: number
}

export interface Reading {
  readonly atMs: number
  readonly value: number | string
}

/** Time during which the condition was met. */
export interface ActiveStretch {
  readonly fromMs: number
  /** Of the first reading that met it no more; undefined while it lasts. */
  readonly toMs: number | undefined
}

/** An alert as a stretch of readings makes it. */
export interface FoldedAlert {
  /** Device time of the reading that opened it; undefined for one that was open before the stretch. */
  readonly openedAtMs: number | undefined
  /** The value of that reading. */
  readonly value: number | string | undefined
  readonly stretches: readonly ActiveStretch[]
  /** Where a close ended it. */
  readonly closedAfterMs: number | undefined
}

export interface AlertFold {
  readonly alerts: readonly FoldedAlert[]
  readonly state: ConditionState
}

interface GrowingAlert {
  readonly openedAtMs: number | undefined
  readonly value: number | string | undefined
  readonly stretches: { fromMs: number; toMs: number | undefined }[]
  closedAfterMs: number | undefined
}

/**
 * All alerts of one condition over readings in order of device time: what live evaluation ends in, whatever the order
 * in which the readings arrived. Used to fold late readings in, and to tell what a condition would have done.
 *
 * @param readings oldest first, no time twice
 * @param closesAfterMs device times after which somebody closed the open alert, oldest first
 */
export function foldAlerts(
  condition: FoldedCondition,
  start: ConditionState,
  readings: Iterable<Reading>,
  closesAfterMs: readonly number[] = [],
): AlertFold {
  const alerts: GrowingAlert[] = []
  let open: GrowingAlert | undefined
  if (start.alert !== 'none') {
    open = { openedAtMs: undefined, value: undefined, stretches: [], closedAfterMs: undefined }
    alerts.push(open)
    if (start.alert === 'active') open.stretches.push({ fromMs: start.lastAtMs ?? Number.NaN, toMs: undefined })
  }
  let state = start
  let nextClose = 0
  const closeBefore = (atMs: number) => {
    for (; nextClose < closesAfterMs.length; nextClose++) {
      const closeMs = closesAfterMs[nextClose] ?? 0
      if (closeMs >= atMs) return
      if (open) open.closedAfterMs = closeMs
      open = undefined
      state = foldClose(state)
    }
  }
  for (const { atMs, value } of readings) {
    closeBefore(atMs)
    const isTrue = meets(condition.operator, value, condition.threshold)
    const folded = foldReading(state, condition.periodMs, atMs, isTrue)
    state = folded.state
    if (folded.change === 'opened') {
      open = { openedAtMs: atMs, value, stretches: [{ fromMs: atMs, toMs: undefined }], closedAfterMs: undefined }
      alerts.push(open)
    } else if (folded.change === 'active') {
      open?.stretches.push({ fromMs: atMs, toMs: undefined })
    } else if (folded.change === 'notActive') {
      const last = open?.stretches.at(-1)
      if (last) last.toMs = atMs
    }
  }
  closeBefore(Number.POSITIVE_INFINITY)
  return { alerts, state }
}
