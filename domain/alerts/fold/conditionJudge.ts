import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { meets, type OperatorCode, type Threshold } from '../operators.ts'

type Value = number | string

/** The part of a condition that is judged by readings, one moment at a time. */
export type JudgedCondition =
  | {
      readonly kind: 'level'
      readonly operator: OperatorCode
      readonly threshold: Threshold
      /** The alert is cleared only beyond this; undefined clears it when the threshold is no longer met. */
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

export interface Sample {
  readonly atMs: number
  readonly values: readonly [Value | undefined, Value | undefined]
}

/** A reading and, for a pair, the earlier one of the same side. */
export interface Known {
  readonly atMs: number
  readonly value: Value
  /** Negative infinity, without a value, means that no earlier one is known. */
  readonly beforeMs: number
  readonly beforeValue?: Value | undefined
}

/**
 * The earlier readings that a judgement needs: for a pair the newest of each side, for a change those of its period,
 * for a level none. It is never changed in place, except for the room given to `remember`.
 */
export type JudgeMemory = readonly (Known | undefined)[]

/** The memory of a pair, overwritten each time. */
export type PairRoom = [MutableKnown | undefined, MutableKnown | undefined]

type MutableKnown = { -readonly [Key in keyof Known]: Known[Key] }

export const NO_MEMORY: JudgeMemory = []

export interface Verdict {
  /** Undefined if the known readings do not decide, so that the state stays. */
  readonly isTrue: boolean | undefined
  /** True if it is false whatever was before. */
  readonly isSurelyFalse: boolean
}

const TRUE: Verdict = { isTrue: true, isSurelyFalse: false }
const FALSE: Verdict = { isTrue: false, isSurelyFalse: true }
const PERHAPS_FALSE: Verdict = { isTrue: false, isSurelyFalse: false }
const UNKNOWN: Verdict = { isTrue: undefined, isSurelyFalse: false }

/**
 * Judges the next moment of a condition, later than all before it. It creates no object, because every report asks it
 * of every condition.
 *
 * @param wasTrue whether the condition was met, which a level with a separate clear level needs
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

/**
 * Returns the memory after this moment.
 *
 * @param room receives the memory of a pair; it is the memory itself, or shares nothing with it
 */
export function remember(
  condition: JudgedCondition,
  memory: JudgeMemory,
  sample: Sample,
  room: PairRoom = [undefined, undefined],
): JudgeMemory {
  if (condition.kind === 'change') return stretchOf(memory, condition.withinMs, sample)
  if (condition.kind !== 'pair') return memory
  rememberSide(room, memory[0], sample, 0)
  rememberSide(room, memory[1], sample, 1)
  return room
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

/** A condition raised above its threshold is cleared below, and the other way round. */
const isBeyondClear = (operator: OperatorCode, value: Value, clearLevel: number): boolean =>
  meets(operator === 'LT' || operator === 'LTE' ? 'GT' : 'LT', value, clearLevel)

function rememberSide(room: PairRoom, known: Known | undefined, { atMs, values }: Sample, index: 0 | 1): void {
  const value = values[index]
  if (value !== undefined)
    write(room, index, {
      atMs,
      value,
      beforeMs: known?.atMs ?? Number.NEGATIVE_INFINITY,
      beforeValue: known?.value,
    })
  else if (known === undefined) room[index] = undefined
  else if (known !== room[index]) write(room, index, known)
}

function write(room: PairRoom, index: 0 | 1, { atMs, value, beforeMs, beforeValue }: Known): void {
  const own = room[index]
  if (own === undefined) {
    room[index] = { atMs, value, beforeMs, beforeValue }
    return
  }
  own.atMs = atMs
  own.value = value
  own.beforeMs = beforeMs
  own.beforeValue = beforeValue
}

function judgePair(
  { joinedBy, sides }: Extract<JudgedCondition, { kind: 'pair' }>,
  memory: JudgeMemory,
  { atMs, values }: Sample,
): Verdict {
  const first = meetsSide(sides[0], memory[0], atMs, values[0])
  const second = meetsSide(sides[1], memory[1], atMs, values[1])
  // One side decides alone: a false one for "and", a true one for "or".
  const decides = joinedBy === 'or'
  if (first === decides || second === decides) return decides ? TRUE : FALSE
  if (first === undefined || second === undefined) return UNKNOWN
  return decides ? FALSE : TRUE
}

/** A reading is valid until its device counts as offline. */
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

/** Returns the readings of the period that ends with this one. */
function stretchOf(memory: JudgeMemory, withinMs: number, { atMs, values: [value] }: Sample): JudgeMemory {
  const kept = memory.filter((known) => known !== undefined && known.atMs > atMs - withinMs)
  return value === undefined ? kept : [...kept, { atMs, value, beforeMs: Number.NEGATIVE_INFINITY }]
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
  // Unknown readings of the period may precede the first known one.
  return meets('GT', most - least, by) ? TRUE : PERHAPS_FALSE
}

const NO_MOMENTS: readonly number[] = []

/**
 * Returns when the clock alone may end a met condition between two moments: for a change, whenever a reading leaves its
 * period, since firmware may send only what changes and then nothing more.
 */
export function momentsOfClock(
  condition: JudgedCondition,
  memory: JudgeMemory,
  afterMs: number,
  beforeMs: number,
): readonly number[] {
  if (condition.kind !== 'change') return NO_MOMENTS
  const { withinMs } = condition
  return memory
    .flatMap((known) => (known === undefined ? [] : [known.atMs + withinMs]))
    .filter((atMs) => atMs > afterMs && atMs < beforeMs)
}

/** Returns the period of earlier readings that a judgement needs. */
export function neededBeforeMs(condition: JudgedCondition): number {
  if (condition.kind === 'change') return condition.withinMs
  return condition.kind === 'pair' ? OFFLINE_AFTER_MS : 0
}
