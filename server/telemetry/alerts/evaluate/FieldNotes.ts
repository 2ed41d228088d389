import type { Known } from '#domain/alerts/fold/conditionJudge.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

const NEWEST_MS = 0
const NEWEST = 1
const BEFORE_MS = 2
const BEFORE = 3
const NUMBERS_A_FIELD = 4
const NONE = Number.NEGATIVE_INFINITY

/** The newest number of some fields of a component and the one before it, since the notes were cleared. */
export class FieldNotes {
  /** Indexes into `layout.fields`, each once. */
  readonly fieldIndexes: readonly number[]
  readonly #numbers: number[]
  #isEmpty = true

  constructor(fieldIndexes: readonly number[]) {
    this.fieldIndexes = [...new Set(fieldIndexes)]
    this.#numbers = Array.from({ length: this.fieldIndexes.length * NUMBERS_A_FIELD }, () => NONE)
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** @param report must be newer than all before it */
  add({ atMs, numbers }: CheckedReport): void {
    const all = this.#numbers
    this.#isEmpty = false
    for (let field = 0; field < this.fieldIndexes.length; field++) {
      const value = numbers[this.fieldIndexes[field] as number] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const at = field * NUMBERS_A_FIELD
      all[at + BEFORE_MS] = all[at + NEWEST_MS] as number
      all[at + BEFORE] = all[at + NEWEST] as number
      all[at + NEWEST_MS] = atMs
      all[at + NEWEST] = value
    }
  }

  clear(): void {
    if (!this.#isEmpty) this.#numbers.fill(NONE)
    this.#isEmpty = true
  }

  /** Negative infinity when none is noted. */
  newestMs(fieldIndex: number): number {
    return this.#numbers[this.fieldIndexes.indexOf(fieldIndex) * NUMBERS_A_FIELD + NEWEST_MS] ?? NONE
  }

  /** Updates what was known of a field when the notes were cleared. */
  onto(fieldIndex: number, known: Known | undefined): Known | undefined {
    const at = this.fieldIndexes.indexOf(fieldIndex) * NUMBERS_A_FIELD
    const all = this.#numbers
    const atMs = all[at + NEWEST_MS] as number
    if (atMs === NONE) return known
    const value = all[at + NEWEST] as number
    if (all[at + BEFORE_MS] === NONE) {
      return { atMs, value, beforeMs: known?.atMs ?? NONE, beforeValue: known?.value }
    }
    return { atMs, value, beforeMs: all[at + BEFORE_MS] as number, beforeValue: all[at + BEFORE] as number }
  }
}
