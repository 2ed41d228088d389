import { type ConflictSpan, isWithinAny } from '#domain/devices/identityConflict.ts'
import { type ConditionChange, type ConditionState, foldClose, foldReading, isAtRest } from './conditionFold.ts'
import {
  type JudgedCondition,
  type JudgeMemory,
  judge,
  momentsOfClock,
  NO_MEMORY,
  type PairRoom,
  remember,
  type Sample,
} from './conditionJudge.ts'

export interface FoldedCondition {
  readonly judged: JudgedCondition
  readonly periodMs: number
}

export interface ActiveStretch {
  readonly fromMs: number
  /** The time of the first reading that no longer met it; undefined while it lasts. */
  readonly toMs: number | undefined
}

export interface FoldedAlert {
  /** The device time of the reading that opened it; undefined if it was open before the period. */
  readonly openedAtMs: number | undefined
  readonly value: number | string | undefined
  readonly stretches: readonly ActiveStretch[]
  /** The device time after which somebody closed it. */
  readonly closedAfterMs: number | undefined
}

/** The beginning of a fold: the state of the condition, and what is known of earlier readings. */
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

/** The state of a condition during a fold. */
export interface Standing {
  /** The fold owns this object and changes it in place. */
  state: { -readonly [Key in keyof ConditionState]: ConditionState[Key] }
  memory: JudgeMemory
  /** The memory of a pair is written here. */
  readonly room: PairRoom
}

/**
 * Judges the next moment of a condition, later than all before it, and folds it into its state. It creates no object
 * for most readings, because every report asks each condition of its component.
 *
 * @param isHeld two machines report as this device, so a condition that one of them meets is not cleared by the other
 */
export function foldSample(
  { judged, periodMs }: FoldedCondition,
  standing: Standing,
  sample: Sample,
  isHeld = false,
): ConditionChange | undefined {
  const { state } = standing
  const { isTrue } = judge(judged, standing.memory, state.trueSinceMs !== undefined, sample)
  standing.memory = remember(judged, standing.memory, sample, standing.room)
  if (isTrue === undefined || (!isTrue && (isAtRest(state) || (isHeld && isMet(state))))) {
    state.lastAtMs = sample.atMs
    return undefined
  }
  const folded = foldReading(state, periodMs, sample.atMs, isTrue)
  standing.state = folded.state
  return folded.change
}

/** Returns the moments to fold before the next sample: those at which the clock alone may end a met condition. */
export function clockSamples(
  { judged }: FoldedCondition,
  { state, memory }: Standing | FoldStart,
  beforeMs: number,
): readonly Sample[] {
  // Only a met condition can end, and most conditions end by readings alone.
  if (judged.kind !== 'change' || state.trueSinceMs === undefined || state.lastAtMs === undefined) return NO_SAMPLES
  return momentsOfClock(judged, memory, state.lastAtMs, beforeMs).map((atMs) => ({ atMs, values: NO_VALUES }))
}

const NO_VALUES = [undefined, undefined] as const
const NO_SAMPLES: readonly Sample[] = []

const isMet = ({ alert, isSuppressed }: ConditionState) => alert === 'active' || isSuppressed

/** Returns the value that an alert opened by this sample shows: for two fields the first one present. */
export const shownValue = ({ values: [first, second] }: Sample): number | string | undefined => first ?? second

/**
 * Returns all alerts of one condition over readings in order of device time, which equals the result of live evaluation
 * in whatever order the readings arrived. It folds late readings, and shows what a condition would have done.
 *
 * @param samples oldest first, no time twice
 * @param closesAfterMs device times after which somebody closed the open alert, oldest first
 * @param clockMs the clock may end a met condition up to here, after the last sample; undefined if more readings may
 * belong there
 * @param contested when two machines reported as the device
 */
export function foldAlerts(
  condition: FoldedCondition,
  start: ConditionState | FoldStart,
  samples: Iterable<Sample>,
  closesAfterMs: readonly number[] = [],
  {
    clockMs,
    contested = [],
  }: { readonly clockMs?: number | undefined; readonly contested?: readonly ConflictSpan[] } = {},
): AlertFold {
  const alerts: GrowingAlert[] = []
  let open: GrowingAlert | undefined
  const from: FoldStart = 'memory' in start ? start : { state: start, memory: NO_MEMORY }
  const standing: Standing = { state: { ...from.state }, memory: from.memory, room: [undefined, undefined] }
  const { state } = from
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
      standing.state = foldClose(standing.state)
    }
  }
  const take = (sample: Sample) => {
    const { atMs } = sample
    closeBefore(atMs)
    const change = foldSample(condition, standing, sample, isWithinAny(contested, atMs))
    if (change === 'opened') {
      const value = shownValue(sample)
      open = { openedAtMs: atMs, value, stretches: [{ fromMs: atMs, toMs: undefined }], closedAfterMs: undefined }
      alerts.push(open)
    } else if (change === 'active') {
      open?.stretches.push({ fromMs: atMs, toMs: undefined })
    } else if (change === 'notActive') {
      const last = open?.stretches.at(-1)
      if (last) last.toMs = atMs
    }
  }
  for (const sample of samples) {
    for (const moment of clockSamples(condition, standing, sample.atMs)) take(moment)
    take(sample)
  }
  if (clockMs !== undefined) for (const moment of clockSamples(condition, standing, clockMs)) take(moment)
  closeBefore(Number.POSITIVE_INFINITY)
  return { alerts, state: standing.state, memory: standing.memory }
}
