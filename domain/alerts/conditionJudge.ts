import { OFFLINE_AFTER_MS } from '../devices/presence.ts'
import { meets, type OperatorCode, type Threshold } from './operators.ts'

type Value = number | string

/** What of a condition is judged by readings, each time by those of one moment. */
export type JudgedCondition =
  | {
      readonly kind: 'level'
      readonly operator: OperatorCode
      readonly threshold: Threshold
      /** Raised at the threshold, over only beyond this; undefined: over when the threshold is no longer met. */
      readonly clearLevel: number | undefined
    }
  | {
      readonly kind: 'pair'
      readonly joinedBy: 'and' | 'or'
      readonly sides: readonly [PairSide, PairSide]
    }
  | { readonly kind: 'change'; readonly by: number; readonly withinMs: number }
  /** Its samples are values of the field, and moments at which it had been missing for too long. */
  | { readonly kind: 'absent' }

interface PairSide {
  readonly operator: OperatorCode
  readonly threshold: Threshold
}

/** What a moment tells: a value of the first field, of the second, or of both. */
export interface Sample {
  readonly atMs: number
  readonly values: readonly [Value | undefined, Value | undefined]
}

/** A reading, and of a pair the one of the same side before it. */
export interface Known {
  readonly atMs: number
  readonly value: Value
  /** Undefined: none is known. */
  readonly beforeMs?: number | undefined
  readonly beforeValue?: Value | undefined
}

/**
 * What has to be known of earlier readings: of a pair the newest of each side, of a change those of its stretch, of a
 * level nothing. Never changed in place.
 */
export type JudgeMemory = readonly (Known | undefined)[]

export const NO_MEMORY: JudgeMemory = []

export interface Verdict {
  /** Undefined: the readings that are known do not tell, and what was so stays so. */
  readonly isTrue: boolean | undefined
  /** False although nothing is known of what was before. */
  readonly isSurelyFalse: boolean
}

const TRUE: Verdict = { isTrue: true, isSurelyFalse: false }
const FALSE: Verdict = { isTrue: false, isSurelyFalse: true }
const PERHAPS_FALSE: Verdict = { isTrue: false, isSurelyFalse: false }
const UNKNOWN: Verdict = { isTrue: undefined, isSurelyFalse: false }

/**
 * Judges the next moment of a condition, later than all before it; makes no object, since every report asks it of every
 * condition.
 *
 * @param wasTrue how the condition stood: what a level that is over only elsewhere needs
 */
export function judge(condition: JudgedCondition, memory: JudgeMemory, wasTrue: boolean, sample: Sample): Verdict {
  switch (condition.kind) {
    case 'level':
      return judgeLevel(condition, wasTrue, sample.values[0])
    case 'absent':
      return sample.values[0] === undefined ? TRUE : FALSE
    case 'pair':
      return judgePair(condition, memory, sample)
    case 'change':
      return judgeChange(condition, memory, sample)
  }
}

/** What has to be known behind this moment. */
export function remember(condition: JudgedCondition, memory: JudgeMemory, sample: Sample): JudgeMemory {
  if (condition.kind === 'pair') return [side(memory[0], sample, 0), side(memory[1], sample, 1)]
  return condition.kind === 'change' ? stretchOf(memory, condition.withinMs, sample) : memory
}

function judgeLevel(
  { operator, threshold, clearLevel }: Extract<JudgedCondition, { kind: 'level' }>,
  wasTrue: boolean,
  value: Value | undefined,
): Verdict {
  if (value === undefined) return UNKNOWN
  if (meets(operator, value, threshold)) return TRUE
  if (clearLevel === undefined || isBeyondClear(operator, value, clearLevel)) return FALSE
  return wasTrue ? TRUE : PERHAPS_FALSE
}

/** What is raised above is over below, and the other way round. */
const isBeyondClear = (operator: OperatorCode, value: Value, clearLevel: number): boolean =>
  meets(operator === 'LT' || operator === 'LTE' ? 'GT' : 'LT', value, clearLevel)

function side(known: Known | undefined, { atMs, values }: Sample, index: 0 | 1): Known | undefined {
  const value = values[index]
  if (value === undefined) return known
  return { atMs, value, beforeMs: known?.atMs, beforeValue: known?.value }
}

function judgePair(
  { joinedBy, sides }: Extract<JudgedCondition, { kind: 'pair' }>,
  memory: JudgeMemory,
  { atMs, values }: Sample,
): Verdict {
  const first = meetsSide(sides[0], memory[0], atMs, values[0])
  const second = meetsSide(sides[1], memory[1], atMs, values[1])
  // What decides alone: of "and" one that is false, of "or" one that is true.
  const decides = joinedBy === 'or'
  if (first === decides || second === decides) return decides ? TRUE : FALSE
  if (first === undefined || second === undefined) return UNKNOWN
  return decides ? FALSE : TRUE
}

/** A reading holds no longer than until its device counts as offline. */
function meetsSide(
  { operator, threshold }: PairSide,
  known: Known | undefined,
  atMs: number,
  value: Value | undefined,
): boolean | undefined {
  if (value !== undefined) return meets(operator, value, threshold)
  if (known === undefined || atMs - known.atMs > OFFLINE_AFTER_MS) return undefined
  return meets(operator, known.value, threshold)
}

/** The readings of a stretch that ends with this one. */
function stretchOf(memory: JudgeMemory, withinMs: number, { atMs, values: [value] }: Sample): JudgeMemory {
  const kept = memory.filter((known) => known !== undefined && known.atMs > atMs - withinMs)
  return value === undefined ? kept : [...kept, { atMs, value }]
}

function judgeChange(
  { by, withinMs }: Extract<JudgedCondition, { kind: 'change' }>,
  memory: JudgeMemory,
  { atMs, values: [newest] }: Sample,
): Verdict {
  let least = typeof newest === 'number' ? newest : Number.POSITIVE_INFINITY
  let most = typeof newest === 'number' ? newest : Number.NEGATIVE_INFINITY
  for (const known of memory) {
    if (typeof known?.value !== 'number' || known.atMs <= atMs - withinMs) continue
    least = Math.min(least, known.value)
    most = Math.max(most, known.value)
  }
  // Before the first reading that is known there may be others of the stretch.
  return meets('GT', most - least, by) ? TRUE : PERHAPS_FALSE
}

/** How far back readings have to be known before one is judged. */
export function neededBeforeMs(condition: JudgedCondition): number {
  if (condition.kind === 'change') return condition.withinMs
  return condition.kind === 'pair' ? OFFLINE_AFTER_MS : 0
}
