import type { PairRoom } from '#domain/alerts/fold/conditionJudge.ts'
import { guardsOf, RestBands } from '#domain/alerts/fold/restBands.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { FieldNotes } from './FieldNotes.ts'
import type { WatchedCondition } from './WatchedCondition.ts'

/**
 * The conditions that reports of one component move. Nearly all reports change nothing, so conditions at rest are not
 * judged one by one. One comparison for each field tells whether any of them would move, and what they must remember is
 * noted once for all, until one has to be judged.
 */
export class ComponentConditions {
  readonly all: readonly WatchedCondition[]
  judged: readonly WatchedCondition[]
  #resting: readonly WatchedCondition[] = []
  readonly #notes: FieldNotes
  #bands = new RestBands(0)
  /** The time of the newest report that moved any condition at rest. */
  #newestMs = Number.NEGATIVE_INFINITY
  /** Reports of the current batch that left the conditions at rest, oldest first. Later entries are empty. */
  readonly #inHand: (CheckedReport | undefined)[] = [undefined]
  #countInHand = 0
  isInHand = false

  constructor(conditions: readonly WatchedCondition[]) {
    this.all = conditions
    this.judged = conditions
    this.#notes = new FieldNotes(conditions.filter(mayRest).flatMap(fieldIndexesOf))
    this.#settle()
  }

  get mayRest(): boolean {
    return this.#notes.fieldIndexes.length > 0
  }

  /** Whether the values of a report leave all conditions at rest. */
  holds({ numbers, texts }: CheckedReport): boolean {
    const { fieldIndexes } = this.#notes
    for (let field = 0; field < fieldIndexes.length; field++) {
      const index = fieldIndexes[field] as number
      const value = numbers[index] ?? Number.NaN
      if (Number.isNaN(value)) {
        if (texts?.[index] !== undefined) return false
      } else if (!this.#bands.hold(field, value)) return false
    }
    return true
  }

  /** @returns whether the conditions stay at rest; otherwise `wake` must be called */
  rest(report: CheckedReport): boolean {
    if (this.#resting.length === 0) return true
    const newestMs = this.#inHand[this.#countInHand - 1]?.atMs ?? this.#newestMs
    // A report out of order must be judged by what each condition remembers.
    if (report.atMs <= newestMs || !this.holds(report)) return false
    this.#inHand[this.#countInHand++] = report
    return true
  }

  /** Judges every condition one by one until the batch ends. @returns those that rested, and what they missed */
  wake(): { readonly woken: readonly WatchedCondition[]; readonly reports: readonly CheckedReport[] } {
    const woken = this.resting()
    const reports = this.#inHand.slice(0, this.#countInHand) as CheckedReport[]
    this.#resting = []
    this.judged = this.all
    this.#forgetHand()
    return { woken, reports }
  }

  /** Brings the resting conditions up to date with the stored reports, and returns them. */
  resting(): readonly WatchedCondition[] {
    if (!this.#notes.isEmpty) for (const condition of this.#resting) carry(this.#notes, condition)
    this.#notes.clear()
    return this.#resting
  }

  /** The caller calls this after the commit and after the conditions were moved. */
  keep(): void {
    for (let at = 0; at < this.#countInHand; at++) {
      const report = this.#inHand[at] as CheckedReport
      this.#notes.add(report)
      this.#newestMs = report.atMs
    }
    this.drop()
  }

  /** The caller calls this after a failure. */
  drop(): void {
    this.#forgetHand()
    this.isInHand = false
    if (this.judged.some(canRest)) this.#settle()
  }

  #forgetHand(): void {
    this.#inHand.fill(undefined, 0, this.#countInHand)
    this.#countInHand = 0
  }

  #settle(): void {
    this.resting()
    this.#bands = new RestBands(this.#notes.fieldIndexes.length)
    this.#newestMs = Number.NEGATIVE_INFINITY
    const resting = new Set<WatchedCondition>()
    for (const condition of this.all) {
      const guards = mayRest(condition) ? guardsOf(condition.rule.judged, condition.state, condition.memory) : undefined
      if (guards === undefined) continue
      resting.add(condition)
      const fields = fieldIndexesOf(condition)
      for (const { side, operator, threshold } of guards) {
        this.#bands.narrow(this.#notes.fieldIndexes.indexOf(fields[side] as number), operator, threshold)
      }
      this.#newestMs = Math.max(this.#newestMs, condition.state.lastAtMs ?? Number.NEGATIVE_INFINITY)
    }
    this.#resting = [...resting]
    this.judged = this.all.filter((condition) => !resting.has(condition))
  }
}

export const isOfOneComponent = ({ fields: [first, second] }: WatchedCondition['rule']): boolean =>
  second === undefined || (first?.layout === second.layout && first.number === second.number)

const fieldIndexesOf = ({ rule }: WatchedCondition): readonly number[] =>
  rule.fields.map(({ fieldIndex }) => fieldIndex)

/** Notes hold only numbers, so conditions on texts cannot rest. */
function mayRest({ rule }: WatchedCondition): boolean {
  const { judged } = rule
  if (!isOfOneComponent(rule)) return false
  if (judged.kind === 'level') return typeof judged.threshold === 'number'
  return judged.kind === 'pair' && judged.sides.every(({ threshold }) => typeof threshold === 'number')
}

const canRest = (condition: WatchedCondition): boolean =>
  mayRest(condition) && guardsOf(condition.rule.judged, condition.state, condition.memory) !== undefined

/** Gives the condition the memory it would have if it had been judged by each noted reading. */
function carry(notes: FieldNotes, condition: WatchedCondition): void {
  const { rule, state, memory } = condition
  const fields = fieldIndexesOf(condition)
  const newestMs = Math.max(...fields.map((index) => notes.newestMs(index)))
  if (newestMs === Number.NEGATIVE_INFINITY) return
  state.lastAtMs = newestMs
  condition.turnedAtMs ??= Number.NEGATIVE_INFINITY
  if (rule.judged.kind !== 'pair') return
  const known = fields.map((index, side) => notes.onto(index, memory[side]))
  condition.memory = known
  condition.room = known as PairRoom
}
