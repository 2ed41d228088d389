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

/** How a condition stands while it is folded on. */
export interface Standing {
  /** Nobody else's: moved in place. */
  state: { -readonly [Key in keyof ConditionState]: ConditionState[Key] }
  memory: JudgeMemory
  /** Its own, for the memory of a pair. */
  readonly room: PairRoom
}

/**
 * The next moment of a condition, later than all before it: judged, and folded into how it stands. Of most readings
 * nothing follows, and every report asks each condition of its component: those make no object.
 *
 * @param isHeld two machines report as this device: what one of them meets is not over because the other does not
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

/** What has to be folded before the next moment of a condition: those at which the clock may end what is so. */
export function clockSamples(
  { judged }: FoldedCondition,
  { state, memory }: Standing | FoldStart,
  beforeMs: number,
): readonly Sample[] {
  // Only what is so can end, and of most conditions by readings alone.
  if (judged.kind !== 'change' || state.trueSinceMs === undefined || state.lastAtMs === undefined) return NO_SAMPLES
  return momentsOfClock(judged, memory, state.lastAtMs, beforeMs).map((atMs) => ({ atMs, values: NO_VALUES }))
}

const NO_VALUES = [undefined, undefined] as const
const NO_SAMPLES: readonly Sample[] = []

const isMet = ({ alert, isSuppressed }: ConditionState) => alert === 'active' || isSuppressed

/** What a sample that opens an alert is shown with: of two fields the first that it tells. */
export const shownValue = ({ values: [first, second] }: Sample): number | string | undefined => first ?? second

/**
 * All alerts of one condition over readings in order of device time: what live evaluation ends in, whatever the order
 * in which the readings arrived. Used to fold late readings in, and to tell what a condition would have done.
 *
 * @param samples oldest first, no time twice
 * @param closesAfterMs device times after which somebody closed the open alert, oldest first
 * @param clockMs up to when the clock may end what is so, behind the last sample; undefined: nobody knows whether more
 *   readings belong there
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
