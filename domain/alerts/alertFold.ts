import { type ConditionState, type Folded, foldClose, foldReading } from './conditionFold.ts'
import { type JudgedCondition, type JudgeMemory, judge, NO_MEMORY, remember, type Sample } from './conditionJudge.ts'

/** What a fold needs of a condition. */
export interface FoldedCondition {
  readonly judged: JudgedCondition
  readonly periodMs: number
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

/** Where a fold begins: how the condition stood, and what is known of readings before. */
export interface FoldStart {
  readonly state: ConditionState
  readonly memory: JudgeMemory
}

export interface AlertFold extends FoldStart {
  readonly alerts: readonly FoldedAlert[]
}

interface GrowingAlert {
  readonly openedAtMs: number | undefined
  readonly value: number | string | undefined
  readonly stretches: { fromMs: number; toMs: number | undefined }[]
  closedAfterMs: number | undefined
}

/** The next moment of a condition, later than all before it: judged, and folded into how it stands. */
export function foldSample(
  { judged, periodMs }: FoldedCondition,
  { state, memory }: FoldStart,
  sample: Sample,
): Folded & FoldStart {
  const { isTrue } = judge(judged, memory, state.trueSinceMs !== undefined, sample)
  const known = remember(judged, memory, sample)
  if (isTrue === undefined) return { state: { ...state, lastAtMs: sample.atMs }, change: undefined, memory: known }
  const folded = foldReading(state, periodMs, sample.atMs, isTrue)
  return { state: folded.state, change: folded.change, memory: known }
}

/** What a sample that opens an alert is shown with: of two fields the first that it tells. */
export const shownValue = ({ values: [first, second] }: Sample): number | string | undefined => first ?? second

/**
 * All alerts of one condition over readings in order of device time: what live evaluation ends in, whatever the order
 * in which the readings arrived. Used to fold late readings in, and to tell what a condition would have done.
 *
 * @param samples oldest first, no time twice
 * @param closesAfterMs device times after which somebody closed the open alert, oldest first
 */
export function foldAlerts(
  condition: FoldedCondition,
  start: ConditionState | FoldStart,
  samples: Iterable<Sample>,
  closesAfterMs: readonly number[] = [],
): AlertFold {
  const alerts: GrowingAlert[] = []
  let open: GrowingAlert | undefined
  let { state, memory }: FoldStart = 'memory' in start ? start : { state: start, memory: NO_MEMORY }
  if (state.alert !== 'none') {
    open = { openedAtMs: undefined, value: undefined, stretches: [], closedAfterMs: undefined }
    alerts.push(open)
    if (state.alert === 'active') open.stretches.push({ fromMs: state.lastAtMs ?? Number.NaN, toMs: undefined })
  }
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
  for (const sample of samples) {
    const { atMs } = sample
    closeBefore(atMs)
    const folded = foldSample(condition, { state, memory }, sample)
    ;({ state, memory } = folded)
    if (folded.change === 'opened') {
      const value = shownValue(sample)
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
  return { alerts, state, memory }
}
