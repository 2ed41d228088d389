import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import { asStored, meets, type OperatorCode, type Threshold } from '../operators.ts'
import { type ConditionState, isAtRest } from './conditionFold.ts'
import type { JudgedCondition, JudgeMemory, Known } from './conditionJudge.ts'

const LEAST = 0
const MOST = 1
const ABOVE = 2
const BELOW = 3
const NUMBERS_A_FIELD = 4

/**
 * The values of some fields that leave conditions at rest. One comparison serves all conditions of a field, on adjacent
 * numbers: every report is checked, and thousands of conditions do not fit a processor's cache.
 */
export class RestBands {
  readonly #bounds: number[]
  #unequal: { readonly field: number; readonly value: number }[] | undefined

  constructor(fields: number) {
    this.#bounds = Array.from({ length: fields * NUMBERS_A_FIELD }, (_, at) => (at % 2 === 0 ? -Infinity : Infinity))
  }

  /** A value that meets this does not leave all conditions at rest from now on. */
  narrow(field: number, operator: OperatorCode, threshold: number): void {
    const value = asStored(threshold)
    const at = field * NUMBERS_A_FIELD
    if (operator === 'GT' || operator === 'NEQ') this.#lower(at + MOST, value)
    if (operator === 'LT' || operator === 'NEQ') this.#raise(at + LEAST, value)
    if (operator === 'GTE') this.#lower(at + BELOW, value)
    if (operator === 'LTE') this.#raise(at + ABOVE, value)
    if (operator === 'EQ') this.#unequal = [...(this.#unequal ?? []), { field, value }]
  }

  #lower(at: number, value: number): void {
    this.#bounds[at] = Math.min(this.#bounds[at] as number, value)
  }

  #raise(at: number, value: number): void {
    this.#bounds[at] = Math.max(this.#bounds[at] as number, value)
  }

  hold(field: number, reading: number): boolean {
    const bounds = this.#bounds
    const value = asStored(reading)
    const at = field * NUMBERS_A_FIELD
    if (value < (bounds[at + LEAST] as number) || value > (bounds[at + MOST] as number)) return false
    if (value <= (bounds[at + ABOVE] as number) || value >= (bounds[at + BELOW] as number)) return false
    return this.#unequal === undefined || !this.#unequal.some((one) => one.field === field && one.value === value)
  }
}

export interface Guard {
  readonly side: 0 | 1
  readonly operator: OperatorCode
  readonly threshold: number
}

/**
 * Returns guards: while no later reading meets one of them, a condition at rest stays there, whatever its other field
 * does. Undefined if any reading may change it.
 */
export function guardsOf(
  judged: JudgedCondition,
  state: ConditionState,
  memory: JudgeMemory,
): readonly Guard[] | undefined {
  if (!isAtRest(state)) return undefined
  if (judged.kind === 'level') return guardOf(judged, 0)
  if (judged.kind !== 'pair') return undefined
  const [first, second] = [guardOf(judged.sides[0], 0), guardOf(judged.sides[1], 1)]
  if (first === undefined || second === undefined) return undefined
  const unmet = [...first, ...second].filter((guard) => !isMetBy(memory[guard.side], guard, state.lastAtMs))
  // "And" needs one side that is not met; "or" needs both.
  if (judged.joinedBy === 'and') return unmet.length > 0 ? unmet.slice(0, 1) : undefined
  return unmet.length === 2 ? unmet : undefined
}

function guardOf(
  { operator, threshold }: { readonly operator: OperatorCode; readonly threshold: Threshold },
  side: 0 | 1,
): [Guard] | undefined {
  return typeof threshold === 'number' ? [{ side, operator, threshold }] : undefined
}

/** An expired reading cannot be valid for a later one. */
function isMetBy(known: Known | undefined, { operator, threshold }: Guard, lastAtMs = 0): boolean {
  if (known === undefined || lastAtMs - known.atMs > OFFLINE_AFTER_MS) return false
  return meets(operator, known.value, threshold)
}
