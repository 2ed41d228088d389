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

export interface Known {
  readonly atMs: number
  readonly value: Value
  /** Of a pair: the reading of the same side before it. */
  readonly before?: { readonly atMs: number; readonly value: Value } | undefined
}

/**
 * What has to be known of earlier readings: of a pair the newest of each side, of a change those of its stretch, of a
 * level nothing. Never changed in place.
 */
export type JudgeMemory = readonly (Known | undefined)[]

export const NO_MEMORY: JudgeMemory = []

export interface Judged {
  /** Undefined: the readings that are known do not tell, and what was so stays so. */
  readonly isTrue: boolean | undefined
  /** False although nothing is known of what was before. */
  readonly isSurelyFalse: boolean
  readonly memory: JudgeMemory
}

const TRUE = { isTrue: true, isSurelyFalse: false } as const
const FALSE = { isTrue: false, isSurelyFalse: true } as const
const UNKNOWN = { isTrue: undefined, isSurelyFalse: false } as const

/**
 * Judges the next moment of a condition, later than all before it.
 *
 * @param wasTrue how the condition stood: what a level that is over only elsewhere needs
 */
export function judge(condition: JudgedCondition, memory: JudgeMemory, wasTrue: boolean, sample: Sample): Judged {
  switch (condition.kind) {
    case 'level':
      return { ...judgeLevel(condition, wasTrue, sample.values[0]), memory }
    case 'absent':
      return { ...(sample.values[0] === undefined ? TRUE : FALSE), memory }
    case 'pair': {
      const sides = knownSides(memory, sample)
      return { ...judgePair(condition, sides, sample.atMs), memory: sides }
    }
    case 'change': {
      const stretch = stretchOf(memory, condition.withinMs, sample)
      return { ...judgeChange(condition.by, stretch), memory: stretch }
    }
  }
}

function judgeLevel(
  { operator, threshold, clearLevel }: Extract<JudgedCondition, { kind: 'level' }>,
  wasTrue: boolean,
  value: Value | undefined,
) {
  if (value === undefined) return UNKNOWN
  if (meets(operator, value, threshold)) return TRUE
  if (clearLevel === undefined || isBeyondClear(operator, value, clearLevel)) return FALSE
  return wasTrue ? TRUE : { isTrue: false, isSurelyFalse: false }
}

/** What is raised above is over below, and the other way round. */
const isBeyondClear = (operator: OperatorCode, value: Value, clearLevel: number): boolean =>
  meets(operator === 'LT' || operator === 'LTE' ? 'GT' : 'LT', value, clearLevel)

function knownSides(memory: JudgeMemory, { atMs, values }: Sample): JudgeMemory {
  return values.map((value, side) => {
    const known = memory[side]
    if (value === undefined) return known
    return { atMs, value, before: known && { atMs: known.atMs, value: known.value } }
  })
}

/** A reading holds no longer than until its device counts as offline. */
function judgePair(
  { joinedBy, sides }: Extract<JudgedCondition, { kind: 'pair' }>,
  known: JudgeMemory,
  atMs: number,
): Omit<Judged, 'memory'> {
  const [first, second] = sides.map(({ operator, threshold }, side) => {
    const reading = known[side]
    if (reading === undefined || atMs - reading.atMs > OFFLINE_AFTER_MS) return undefined
    return meets(operator, reading.value, threshold)
  })
  // What decides alone: of "and" one that is false, of "or" one that is true.
  const decides = joinedBy === 'or'
  if (first === decides || second === decides) return decides ? TRUE : FALSE
  if (first === undefined || second === undefined) return UNKNOWN
  return decides ? FALSE : TRUE
}

/** The readings of a stretch that ends with this one. */
function stretchOf(memory: JudgeMemory, withinMs: number, { atMs, values: [value] }: Sample): JudgeMemory {
  const kept = memory.filter((known) => known !== undefined && known.atMs > atMs - withinMs)
  return value === undefined ? kept : [...kept, { atMs, value }]
}

function judgeChange(by: number, stretch: JudgeMemory): Omit<Judged, 'memory'> {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const known of stretch) {
    if (typeof known?.value !== 'number') continue
    least = Math.min(least, known.value)
    most = Math.max(most, known.value)
  }
  if (meets('GT', most - least, by)) return TRUE
  // Before the first reading that is known there may be others of the stretch.
  return { isTrue: false, isSurelyFalse: false }
}

/** How far back readings have to be known before one is judged. */
export function neededBeforeMs(condition: JudgedCondition): number {
  if (condition.kind === 'change') return condition.withinMs
  return condition.kind === 'pair' ? OFFLINE_AFTER_MS : 0
}
