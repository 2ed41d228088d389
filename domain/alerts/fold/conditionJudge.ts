import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { meets, type OperatorCode, type Threshold } from '../operators.ts'

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
  /** Long ago, without a value: none is known. */
  readonly beforeMs: number
  readonly beforeValue?: Value | undefined
}

/**
 * What has to be known of earlier readings: of a pair the newest of each side, of a change those of its stretch, of a
 * level nothing. Never changed in place, but for what somebody lends to `remember`.
 */
export type JudgeMemory = readonly (Known | undefined)[]

/** Room for the memory of a pair, written over each time. */
export type PairRoom = [MutableKnown | undefined, MutableKnown | undefined]

type MutableKnown = { -readonly [Key in keyof Known]: Known[Key] }

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

/**
 * What has to be known behind this moment.
 *
 * @param room where that of a pair is written; it may be the memory itself, or else shares nothing with it
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

/** What is raised above is over below, and the other way round. */
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
  // Before the first reading that is known there may be others of the stretch.
  return meets('GT', most - least, by) ? TRUE : PERHAPS_FALSE
}

const NO_MOMENTS: readonly number[] = []

/**
 * When the clock alone may end what is so, between two moments: of a change whenever a reading leaves its stretch, since
 * firmware may send only what changes and then says nothing more.
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

/** How far back readings have to be known before one is judged. */
export function neededBeforeMs(condition: JudgedCondition): number {
  if (condition.kind === 'change') return condition.withinMs
  return condition.kind === 'pair' ? OFFLINE_AFTER_MS : 0
}
