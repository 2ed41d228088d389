import type { FoldedCondition } from './alertFold.ts'
import type { ConditionState } from './conditionFold.ts'
import { type JudgeMemory, judge, type Known, type Sample } from './conditionJudge.ts'

interface Stood {
  readonly state: ConditionState
  /** The last change or begin of a run: negative infinity if no known sample did it, undefined if the newest may. */
  readonly turnedAtMs: number | undefined
}

/**
 * Components of one device report within a second of each other, and are not stored in the order of their times.
 * Returns what such a sample adds to a pair whose other side was judged already; undefined if the period must be folded
 * again, because it would have been judged otherwise.
 */
export function takenLate(
  { judged, periodMs }: FoldedCondition,
  memory: JudgeMemory,
  { state, turnedAtMs }: Stood,
  { atMs, values }: Sample,
): JudgeMemory | undefined {
  const { lastAtMs } = state
  if (judged.kind !== 'pair' || lastAtMs === undefined) return undefined
  const isTrue = state.trueSinceMs !== undefined
  // While a run waits for its period, each of its moments may begin or end the waiting.
  if (isTrue && periodMs > 0 && state.alert !== 'active' && !state.isSuppressed) return undefined
  const side = values[0] === undefined ? 1 : 0
  const value = values[side]
  const own = memory[side]
  const other = memory[1 - side]
  const isOfBoth = values[0] !== undefined && values[1] !== undefined
  if (isOfBoth || value === undefined || (own !== undefined && own.atMs >= atMs)) return undefined
  // Only the newest reading of the other side may be later than it.
  if (other === undefined || (other.atMs > atMs && other.beforeMs > atMs)) return undefined
  if (turnedAtMs === undefined || turnedAtMs === lastAtMs) return undefined
  const taken: Known = { atMs, value, beforeMs: own?.atMs ?? Number.NEGATIVE_INFINITY, beforeValue: own?.value }
  const pair = (opposite: Known | undefined) => (side === 0 ? [taken, opposite] : [opposite, taken])
  const asOf = (opposite: Known | undefined, moment: number) =>
    judge(judged, pair(opposite), isTrue, { atMs: moment, values: [undefined, undefined] }).isTrue
  const then = asOf(other.atMs <= atMs ? other : readingBefore(other), atMs)
  const now = asOf(other, lastAtMs)
  const isSame = (then ?? isTrue) === isTrue && (now ?? isTrue) === isTrue
  return isSame ? pair(other) : undefined
}

const readingBefore = ({ beforeMs, beforeValue }: Known): Known | undefined =>
  beforeValue === undefined ? undefined : { atMs: beforeMs, value: beforeValue, beforeMs: Number.NEGATIVE_INFINITY }
