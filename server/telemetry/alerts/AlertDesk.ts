import { type FoldStart, foldSample, shownValue } from '#domain/alerts/alertFold.ts'
import { type ConditionChange, foldReading } from '#domain/alerts/conditionFold.ts'
import { judge } from '#domain/alerts/conditionJudge.ts'
import { takenLate } from '#domain/alerts/outOfOrder.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { Step } from '#server/db/pipelinedTransaction.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { ComponentTrack } from '#server/telemetry/door/componentTrack.ts'
import type { CheckedReport } from '#server/telemetry/door/submission.ts'
import {
  type AlertMove,
  expectedDevicesStep,
  expectedRulesStep,
  LATE_AFTER_MS,
  moveSteps,
  type Opening,
  type RefoldMark,
  refoldMarkStep,
} from './alertRows.ts'
import type { AlertRules, RuleBook } from './alertRules.ts'
import { type Gathered, lookForMissing, mergedSamples, Told } from './gatheredSamples.ts'
import {
  ANY_SLOT,
  type DeviceConditions,
  type Heard,
  readWatchedConditions,
  type WatchedCondition,
} from './watchedConditions.ts'

const IDS_AT_ONCE = 64

/** Made for each condition of each batch, so what most of them never have is not made beforehand. */
interface Pending extends FoldStart {
  state: WatchedCondition['state']
  memory: WatchedCondition['memory']
  heard: Heard
  turnedAtMs: number | undefined
  /** Of conditions that several components move: judged together, in the order of their times. */
  gathered: Gathered[] | undefined
  openAlertId: AlertId | undefined
  opened: Opening | undefined
  timesActive: number
  stateSinceMs: number | undefined
  events: { kind: string; at: string }[] | undefined
  lateFromMs: number | undefined
}

/**
 * Evaluates conditions for the devices of one lane, in the batch that stores their readings (design: Alerts). What it
 * knows is moved only after the commit; of two processes that know the same, the database lets one move it.
 */
export class AlertDesk {
  readonly #rules: RuleBook
  readonly #known = new Map<DeviceId, DeviceConditions>()
  readonly #ids: AlertId[] = []
  #knownRules: AlertRules | undefined
  #pending = new Map<WatchedCondition, Pending>()
  #missingIds = IDS_AT_ONCE

  constructor(rules: RuleBook) {
    this.#rules = rules
  }

  /** Whatever is known of it was changed elsewhere, or it went away. */
  forget(deviceId: DeviceId): void {
    this.#known.delete(deviceId)
  }

  /** Somebody else moved what this batch was to move; of other devices it says nothing. */
  forgetPending(): void {
    for (const { deviceId } of this.#pending.keys()) this.#known.delete(deviceId)
  }

  /** Reads what must be known before the readings of these devices can be evaluated. */
  async prepare(queryable: Queryable, reports: readonly CheckedReport[]): Promise<void> {
    const rules = this.#rules.current()
    if (rules !== this.#knownRules) {
      this.#known.clear()
      this.#knownRules = rules
    }
    const unknown = new Set<DeviceId>()
    let raisable = 0
    for (const { deviceId } of reports) {
      const known = this.#known.get(deviceId)
      if (known === undefined && rules.mayApplyTo(deviceId)) unknown.add(deviceId)
      else if (known !== undefined && known.length > 0) raisable++
    }
    if (unknown.size > 0) {
      for (const [deviceId, conditions] of await readWatchedConditions(queryable, rules, [...unknown])) {
        this.#known.set(deviceId, conditions)
        if (conditions.length > 0) raisable++
      }
    }
    if (raisable > 0 && this.#ids.length < this.#missingIds) await this.#takeIds(queryable)
  }

  async #takeIds(queryable: Queryable): Promise<void> {
    const { rows } = await queryable.query<{ id: string }>(
      `select nextval('alert_id')::text as id from generate_series(1, $1)`,
      [this.#missingIds * 2],
    )
    for (const { id } of rows) this.#ids.push(Number(id) as AlertId)
  }

  /** @param oldestFirst believed reports of one component, no time twice */
  look(track: ComponentTrack, oldestFirst: readonly CheckedReport[]): void {
    const known = this.#known.get(track.deviceId)
    if (known === undefined) return
    const told = new Told()
    for (const condition of known[track.layout.firstSlot + track.number - 1] ?? []) {
      for (const report of oldestFirst) {
        if (!told.by(report, condition.rule)) continue
        if (isOfOneComponent(condition.rule)) this.#evaluate(condition, told)
        else this.#gather(condition, told)
      }
    }
    for (const condition of known[ANY_SLOT] ?? []) {
      for (const report of oldestFirst) {
        told.by(report, condition.rule)
        this.#gather(condition, told)
      }
    }
  }

  #gather(condition: WatchedCondition, { atMs, values: [first, second], receivedAtMs }: Told): void {
    const pending = this.#pend(condition)
    pending.gathered ??= []
    pending.gathered.push({ atMs, values: [first, second], receivedAtMs })
  }

  /** A guess by what is known so far, for the order of work only: whether this reading would change an alert. */
  seemsToChange(report: CheckedReport): boolean {
    const told = new Told()
    const conditions = this.#known.get(report.deviceId)?.[report.layout.firstSlot + report.number - 1] ?? []
    return conditions.some(({ rule, state, memory }) => {
      if (!told.by(report, rule)) return false
      const wasTrue = state.trueSinceMs !== undefined
      const { isTrue } = judge(rule.judged, memory, wasTrue, told)
      // Of most readings nothing follows, and this is asked of every one.
      if (isTrue === undefined || (isTrue === wasTrue && rule.periodMs === 0)) return false
      return foldReading(state, rule.periodMs, report.atMs, isTrue).change !== undefined
    })
  }

  #evaluate(condition: WatchedCondition, sample: Gathered): void {
    const { rule } = condition
    const { atMs } = sample
    const known = this.#pending.get(condition)
    const before = known ?? condition
    const { lastAtMs } = before.state
    if (lastAtMs !== undefined && atMs <= lastAtMs) {
      // The last one once more, as a device sends it that was not answered.
      const wasTrue = before.state.trueSinceMs !== undefined
      const isAgain = rule.fields.length === 1 && atMs === lastAtMs
      if (isAgain && judge(rule.judged, before.memory, wasTrue, sample).isTrue === wasTrue) return
      const stood = { isTrue: wasTrue, lastAtMs, turnedAtMs: before.turnedAtMs }
      const taken = takenLate(rule.judged, before.memory, stood, sample)
      const pending = known ?? this.#pend(condition)
      if (taken) pending.memory = taken
      else this.#late(pending, atMs)
      return
    }
    const pending = known ?? this.#pend(condition)
    const { state, memory, change } = foldSample(rule, before, sample)
    const isMoved = change !== undefined || state.trueSinceMs !== pending.state.trueSinceMs
    pending.turnedAtMs = isMoved ? atMs : (pending.turnedAtMs ?? Number.NEGATIVE_INFINITY)
    pending.state = state
    pending.memory = memory
    if (change !== undefined) this.#move(condition, pending, change, sample)
  }

  #late(pending: Pending, atMs: number): void {
    pending.lateFromMs = Math.min(pending.lateFromMs ?? atMs, atMs)
  }

  #move(condition: WatchedCondition, pending: Pending, change: ConditionChange, sample: Gathered): void {
    const { atMs, receivedAtMs } = sample
    if (change === 'opened') {
      pending.openAlertId = this.#nextId()
      pending.opened = {
        atMs,
        foundAtMs: receivedAtMs,
        value: shownValue(sample),
        isLate: receivedAtMs - atMs > LATE_AFTER_MS,
        isMailed: condition.isMailed && condition.rule.isNotified,
      }
    }
    if (change !== 'notActive') pending.timesActive++
    pending.stateSinceMs = atMs
    pending.events ??= []
    pending.events.push({ kind: change, at: new Date(atMs).toISOString() })
  }

  /** What several components told, when all of the batch has been looked at. */
  #judgeGathered(): void {
    for (const [condition, pending] of this.#pending) {
      if (pending.gathered === undefined) continue
      const samples = mergedSamples(pending.gathered)
      pending.gathered = undefined
      if (condition.rule.kind === 'absent') this.#judgeMissing(condition, pending, samples)
      else for (const sample of samples) this.#evaluate(condition, sample)
    }
  }

  #judgeMissing(condition: WatchedCondition, pending: Pending, samples: readonly Gathered[]): void {
    const { rule } = condition
    for (const sample of samples) {
      const looked = lookForMissing(rule.waitMs, pending.heard, sample)
      if (looked.lateFromMs !== undefined) this.#late(pending, looked.lateFromMs)
      pending.heard = looked.heard
      for (const found of looked.samples) {
        const { lastAtMs } = pending.state
        if (lastAtMs !== undefined && found.atMs <= lastAtMs) {
          // A value that came after it was found missing; what was found before is found once more.
          if (found.values[0] !== undefined) this.#late(pending, found.atMs)
          continue
        }
        const { state, memory, change } = foldSample(rule, pending, found)
        pending.state = state
        pending.memory = memory
        if (change !== undefined) {
          this.#move(condition, pending, change, { ...found, receivedAtMs: sample.receivedAtMs })
        }
      }
    }
  }

  #pend(condition: WatchedCondition): Pending {
    const known = this.#pending.get(condition)
    if (known !== undefined) return known
    const pending: Pending = {
      state: condition.state,
      memory: condition.memory,
      heard: condition.heard,
      turnedAtMs: condition.turnedAtMs,
      gathered: undefined,
      openAlertId: condition.openAlertId,
      opened: undefined,
      timesActive: 0,
      stateSinceMs: undefined,
      events: undefined,
      lateFromMs: undefined,
    }
    this.#pending.set(condition, pending)
    return pending
  }

  #nextId(): AlertId {
    const id = this.#ids.pop()
    if (id !== undefined) return id
    this.#missingIds = Math.max(this.#missingIds * 2, IDS_AT_ONCE)
    throw new AlertIdsMissing()
  }

  /** The statement that fails the batch when it was evaluated by conditions that were changed meanwhile. */
  firstSteps(): Step[] {
    const version = this.#knownRules?.version
    return version === undefined ? [] : [expectedRulesStep(version)]
  }

  /** The statements that move what was evaluated since the last call of `remember` or `abandon`. */
  steps(): Step[] {
    this.#judgeGathered()
    const moves: AlertMove[] = []
    const marks: RefoldMark[] = []
    for (const [condition, pending] of this.#pending) {
      const { rule, deviceId, version } = condition
      if (pending.lateFromMs !== undefined) marks.push({ deviceId, conditionId: rule.id, fromMs: pending.lateFromMs })
      if (!isMoved(condition, pending)) continue
      moves.push({
        deviceId,
        rule,
        version: version + 1,
        state: pending.state,
        openAlertId: pending.openAlertId,
        opened: pending.opened,
        timesActive: pending.timesActive,
        stateSinceMs: pending.stateSinceMs,
        events: pending.events ?? [],
      })
    }
    const opening = moves.filter(({ opened }) => opened !== undefined).map(({ deviceId }) => deviceId)
    return [
      ...(opening.length > 0 ? [expectedDevicesStep(opening)] : []),
      ...(moves.length > 0 ? moveSteps(moves) : []),
      ...(marks.length > 0 ? [refoldMarkStep(marks)] : []),
    ]
  }

  /** After the commit. @returns devices whose alerts changed, and those with stretches to be folded */
  remember(): { readonly changed: ReadonlySet<DeviceId>; readonly late: ReadonlySet<DeviceId> } {
    const changed = new Set<DeviceId>()
    const late = new Set<DeviceId>()
    for (const [condition, pending] of this.#pending) {
      if (isMoved(condition, pending)) condition.version++
      condition.state = pending.state
      condition.memory = pending.memory
      condition.heard = pending.heard
      condition.turnedAtMs = pending.turnedAtMs
      condition.openAlertId = pending.openAlertId
      if (pending.events !== undefined) changed.add(condition.deviceId)
      if (pending.lateFromMs !== undefined) late.add(condition.deviceId)
    }
    this.#pending = new Map()
    return { changed, late }
  }

  /** After a failure: what was evaluated is evaluated again. */
  abandon(): void {
    this.#pending = new Map()
  }
}

const isOfOneComponent = ({ fields: [first, second] }: WatchedCondition['rule']): boolean =>
  second === undefined || (first?.layout === second.layout && first.number === second.number)

/** More alerts opened at once than there were numbers for them; they are there at the next try. */
export class AlertIdsMissing extends Error {}

/** Times of readings are in device_state anyway; only what cannot be known from there is written. */
function isMoved({ rule, state }: WatchedCondition, { state: next, events }: Pending): boolean {
  if (events !== undefined || next.isSuppressed !== state.isSuppressed) return true
  return rule.periodMs > 0 && next.trueSinceMs !== state.trueSinceMs
}
