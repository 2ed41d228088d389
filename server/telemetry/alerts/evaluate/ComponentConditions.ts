import type { PairRoom } from '#domain/alerts/fold/conditionJudge.ts'
import { guardsOf, RestBands } from '#domain/alerts/fold/restBands.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { FieldNotes } from './FieldNotes.ts'
import type { WatchedCondition } from './WatchedCondition.ts'

/**
 * Conditions that reports of one component move. Of nearly all reports nothing follows, so those at rest are not looked
 * at one by one: one comparison a field tells whether any of them would move, and what they have to remember is noted
 * once for all of them, until one has to be judged.
 */
export class ComponentConditions {
  /** In the order in which they are judged. */
  readonly all: readonly WatchedCondition[]
  /** Those that every report is judged by. */
  judged: readonly WatchedCondition[]
  #resting: readonly WatchedCondition[] = []
  readonly #notes: FieldNotes
  #bands = new RestBands(0)
  /** Of the newest report that moved any of those at rest. */
  #newestMs = Number.NEGATIVE_INFINITY
  /** Reports of the batch in hand that left them at rest, oldest first; behind the count lies nothing. */
  readonly #inHand: (CheckedReport | undefined)[] = [undefined]
  #countInHand = 0
  isInHand = false

  constructor(conditions: readonly WatchedCondition[]) {
    this.all = conditions
    this.judged = conditions
    this.#notes = new FieldNotes(conditions.filter(mayRest).flatMap(fieldIndexesOf))
    this.#settle()
  }

  /** Whether any of them is at rest, or could be. */
  get mayRest(): boolean {
    return this.#notes.fieldIndexes.length > 0
  }

  /** Whether all that are at rest stay there, as far as values tell. */
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

  /** @param report of the batch in hand @returns whether those at rest stay there; else they are to be woken */
  rest(report: CheckedReport): boolean {
    if (this.#resting.length === 0) return true
    const newestMs = this.#inHand[this.#countInHand - 1]?.atMs ?? this.#newestMs
    // What is out of order is judged by what each condition knows.
    if (report.atMs <= newestMs || !this.holds(report)) return false
    this.#inHand[this.#countInHand++] = report
    return true
  }

  /** All are judged one by one until the batch ends. @returns who rested, and what they have not been judged by */
  wake(): { readonly woken: readonly WatchedCondition[]; readonly reports: readonly CheckedReport[] } {
    const woken = this.resting()
    const reports = this.#inHand.slice(0, this.#countInHand) as CheckedReport[]
    this.#resting = []
    this.judged = this.all
    this.#forgetHand()
    return { woken, reports }
  }

  /** Those at rest, as what was stored left them. */
  resting(): readonly WatchedCondition[] {
    if (!this.#notes.isEmpty) for (const condition of this.#resting) carry(this.#notes, condition)
    this.#notes.clear()
    return this.#resting
  }

  /** After the commit, and when the conditions were moved. */
  keep(): void {
    for (let at = 0; at < this.#countInHand; at++) {
      const report = this.#inHand[at] as CheckedReport
      this.#notes.add(report)
      this.#newestMs = report.atMs
    }
    this.drop()
  }

  /** After a failure. */
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

/** Whether reports of one component alone move it. */
export const isOfOneComponent = ({ fields: [first, second] }: WatchedCondition['rule']): boolean =>
  second === undefined || (first?.layout === second.layout && first.number === second.number)

const fieldIndexesOf = ({ rule }: WatchedCondition): readonly number[] =>
  rule.fields.map(({ fieldIndex }) => fieldIndex)

/** Notes are of numbers. */
function mayRest({ rule }: WatchedCondition): boolean {
  const { judged } = rule
  if (!isOfOneComponent(rule)) return false
  if (judged.kind === 'level') return typeof judged.threshold === 'number'
  return judged.kind === 'pair' && judged.sides.every(({ threshold }) => typeof threshold === 'number')
}

const canRest = (condition: WatchedCondition): boolean =>
  mayRest(condition) && guardsOf(condition.rule.judged, condition.state, condition.memory) !== undefined

/** As judging it by each of the noted readings would have left it. */
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
