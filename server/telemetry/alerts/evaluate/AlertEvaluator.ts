import { clockSamples, foldSample, shownValue } from '#domain/alerts/fold/alertFold.ts'
import { type ConditionChange, foldReading } from '#domain/alerts/fold/conditionFold.ts'
import { judge } from '#domain/alerts/fold/conditionJudge.ts'
import { takenLate } from '#domain/alerts/fold/outOfOrder.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Step } from '#server/db/copying/pipelinedTransaction.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { SeenReports } from '#server/telemetry/ingress/seenReports.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { type AlertRules, type ConditionCache, slotBit } from '../alertRules.ts'
import {
  type AlertMove,
  expectedDevicesStep,
  expectedRulesStep,
  LATE_AFTER_MS,
  moveSteps,
  type RefoldMark,
  refoldMarkStep,
} from './alertRows.ts'
import { type ComponentConditions, isOfOneComponent } from './ComponentConditions.ts'
import { type Gathered, lookForMissing, mergedSamples, Told } from './gatheredSamples.ts'
import { type Pending, PendingConditions } from './PendingConditions.ts'
import { type DeviceConditions, readWatchedConditions } from './readWatchedConditions.ts'
import type { WatchedCondition } from './WatchedCondition.ts'

const IDS_AT_ONCE = 64

/**
 * Evaluates conditions for the devices of one shard, in the batch that stores their readings. Its memory changes only
 * after the commit. When two processes know the same state, the database lets only one of them change it.
 */
export class AlertEvaluator {
  readonly #rules: ConditionCache
  readonly #isContested: (deviceId: DeviceId) => boolean
  readonly #known = new Map<DeviceId, DeviceConditions>()
  readonly #ids: AlertId[] = []
  #knownRules: AlertRules | undefined
  readonly #pending = new PendingConditions()
  /** The components of the current batch whose conditions could be at rest. */
  readonly #inHand: ComponentConditions[] = []
  readonly #guessed = new Told()
  readonly #told = new Told()
  #missingIds = IDS_AT_ONCE

  /** @param isContested says whether two machines report as this device */
  constructor(rules: ConditionCache, isContested: (deviceId: DeviceId) => boolean = () => false) {
    this.#rules = rules
    this.#isContested = isContested
  }

  forget(deviceId: DeviceId): void {
    this.#known.delete(deviceId)
  }

  /** Forgets the devices of this batch, because another process changed what it was about to change. */
  forgetPending(): void {
    for (const { condition } of this.#pending) this.#known.delete(condition.deviceId)
  }

  async prepare(queryable: Queryable, reports: readonly CheckedReport[]): Promise<void> {
    const rules = this.#rules.current()
    if (rules !== this.#knownRules) {
      this.#known.clear()
      this.#knownRules = rules
    }
    const unknown = new Map<DeviceId, number>()
    let raisable = 0
    for (const report of reports) {
      const { deviceId } = report
      const known = this.#known.get(deviceId)
      const slot = slotBit(report)
      if (known === undefined ? rules.mayApplyTo(deviceId) : (known.reportedSlots & slot) === 0) {
        unknown.set(deviceId, (unknown.get(deviceId) ?? 0) | slot)
      } else if (known?.hasAny) raisable++
    }
    if (unknown.size > 0) {
      for (const [deviceId, conditions] of await readWatchedConditions(queryable, rules, unknown)) {
        this.#known.set(deviceId, conditions)
        if (conditions.hasAny) raisable++
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
  look(track: SeenReports, oldestFirst: readonly CheckedReport[]): void {
    const known = this.#known.get(track.deviceId)
    if (known === undefined) return
    const component = known.components[track.layout.firstSlot + track.number - 1]
    if (component !== undefined) this.#lookAt(component, oldestFirst)
    for (const condition of known.ofAny) {
      for (const report of oldestFirst) {
        this.#told.by(report, condition.rule)
        this.#gather(condition, this.#told)
      }
    }
  }

  #lookAt(component: ComponentConditions, oldestFirst: readonly CheckedReport[]): void {
    if (component.mayRest && !component.isInHand) {
      component.isInHand = true
      this.#inHand.push(component)
    }
    for (const report of oldestFirst) {
      if (!component.rest(report)) {
        const { woken, reports } = component.wake()
        for (const passed of reports) for (const condition of woken) this.#judge(condition, passed)
      }
      for (const condition of component.judged) this.#judge(condition, report)
    }
  }

  #judge(condition: WatchedCondition, report: CheckedReport): void {
    const told = this.#told
    if (!told.by(report, condition.rule)) return
    if (isOfOneComponent(condition.rule)) this.#evaluate(condition, told)
    else this.#gather(condition, told)
  }

  #gather(condition: WatchedCondition, { atMs, values: [first, second], receivedAtMs }: Told): void {
    const pending = this.#pending.of(condition)
    pending.gathered ??= []
    pending.gathered.push({ atMs, values: [first, second], receivedAtMs })
  }

  /** Guesses from what is known whether this reading would change an alert. It only decides the order of work. */
  seemsToChange(report: CheckedReport): boolean {
    const { layout, number, deviceId } = report
    const component = this.#known.get(deviceId)?.components[layout.firstSlot + number - 1]
    if (component === undefined) return false
    if (component.judged.some((condition) => this.#wouldChange(condition, report))) return true
    return !component.holds(report) && component.resting().some((condition) => this.#wouldChange(condition, report))
  }

  #wouldChange({ rule, state, memory }: WatchedCondition, report: CheckedReport): boolean {
    if (!this.#guessed.by(report, rule)) return false
    const wasTrue = state.trueSinceMs !== undefined
    const { isTrue } = judge(rule.judged, memory, wasTrue, this.#guessed)
    // Most readings change nothing.
    if (isTrue === undefined || (isTrue === wasTrue && rule.periodMs === 0)) return false
    return foldReading(state, rule.periodMs, report.atMs, isTrue).change !== undefined
  }

  #evaluate(condition: WatchedCondition, told: Gathered): void {
    const { rule } = condition
    const before = this.#pending.known(condition) ?? condition
    const { lastAtMs } = before.state
    const sample = this.#isContested(condition.deviceId) ? besideOther(told, lastAtMs) : told
    const { atMs } = sample
    if (lastAtMs !== undefined && atMs <= lastAtMs) {
      // A device that got no acknowledgement repeats its last reading, which must change nothing.
      const wasTrue = before.state.trueSinceMs !== undefined
      const isAgain = rule.fields.length === 1 && atMs === lastAtMs
      if (isAgain && judge(rule.judged, before.memory, wasTrue, sample).isTrue === wasTrue) return
      const taken = takenLate(rule, before.memory, before, sample)
      const pending = this.#pending.of(condition)
      if (taken) pending.memory = taken
      else this.#late(pending, atMs)
      return
    }
    const pending = this.#pending.of(condition)
    for (const moment of clockSamples(rule, pending, atMs))
      this.#fold(condition, pending, { ...moment, receivedAtMs: sample.receivedAtMs })
    this.#fold(condition, pending, sample)
  }

  #fold(condition: WatchedCondition, pending: Pending, sample: Gathered): void {
    const { rule } = condition
    const { atMs } = sample
    const { trueSinceMs } = pending.state
    const change = foldSample(rule, pending, sample, this.#isContested(condition.deviceId))
    const isMoved = change !== undefined || trueSinceMs !== pending.state.trueSinceMs
    pending.turnedAtMs = isMoved ? atMs : (pending.turnedAtMs ?? Number.NEGATIVE_INFINITY)
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

  #judgeGathered(): void {
    for (const pending of this.#pending) {
      if (pending.gathered === undefined) continue
      const { condition } = pending
      const samples = mergedSamples(pending.gathered)
      pending.gathered = undefined
      if (condition.rule.kind === 'absent') this.#judgeMissing(condition, pending, samples)
      else for (const sample of samples) this.#evaluate(condition, sample)
    }
  }

  #judgeMissing(condition: WatchedCondition, pending: Pending, samples: readonly Gathered[]): void {
    const { rule } = condition
    for (const sample of samples) {
      if (pending.heard === undefined) {
        if (sample.values[0] !== undefined)
          pending.heard = { lastMs: sample.atMs, beforeMs: undefined, foundMs: undefined }
        continue
      }
      const { foundMs = Number.POSITIVE_INFINITY } = pending.heard
      // No report before `foundMs` found the value missing, so a value up to then shows that the finding was wrong.
      const isInTime = sample.values[0] !== undefined && sample.atMs <= foundMs
      if (isInTime && pending.state.trueSinceMs !== undefined) this.#late(pending, sample.atMs)
      const looked = lookForMissing(rule.waitMs, pending.heard, sample)
      if (looked.lateFromMs !== undefined) this.#late(pending, looked.lateFromMs)
      pending.heard = looked.heard
      for (const found of looked.samples) {
        const { lastAtMs } = pending.state
        if (lastAtMs !== undefined && found.atMs <= lastAtMs) {
          // A value that arrived after it was found missing is late. A missing value that is found again is no news.
          if (found.values[0] !== undefined) this.#late(pending, found.atMs)
          continue
        }
        const change = foldSample(rule, pending, found)
        if (change !== undefined) {
          this.#move(condition, pending, change, { ...found, receivedAtMs: sample.receivedAtMs })
        }
      }
    }
  }

  #nextId(): AlertId {
    const id = this.#ids.pop()
    if (id !== undefined) return id
    this.#missingIds = Math.max(this.#missingIds * 2, IDS_AT_ONCE)
    throw new AlertIdsMissing()
  }

  /** The first step fails the batch when the conditions it was evaluated by have changed meanwhile. */
  firstSteps(): Step[] {
    const version = this.#knownRules?.version
    return version === undefined ? [] : [expectedRulesStep(version)]
  }

  steps(): Step[] {
    this.#judgeGathered()
    const moves: AlertMove[] = []
    const marks: RefoldMark[] = []
    for (const pending of this.#pending) {
      const { rule, deviceId, version } = pending.condition
      if (pending.lateFromMs !== undefined) marks.push({ deviceId, conditionId: rule.id, fromMs: pending.lateFromMs })
      if (!isMoved(pending)) continue
      moves.push({
        deviceId,
        rule,
        version: version + 1,
        state: { ...pending.state },
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

  /** The caller calls this after the commit. @returns devices with changed alerts, and with late readings to fold */
  remember(): { readonly changed: ReadonlySet<DeviceId>; readonly late: ReadonlySet<DeviceId> } {
    const changed = new Set<DeviceId>()
    const late = new Set<DeviceId>()
    for (const pending of this.#pending) {
      const { condition, events, lateFromMs } = pending
      if (isMoved(pending)) condition.version++
      if (events !== undefined) changed.add(condition.deviceId)
      if (lateFromMs !== undefined) late.add(condition.deviceId)
    }
    this.#pending.keep()
    for (const component of this.#inHand) component.keep()
    this.#inHand.length = 0
    return { changed, late }
  }

  /** The caller calls this after a failure. The batch is evaluated again from what was known before it. */
  abandon(): void {
    this.#pending.drop()
    for (const component of this.#inHand) component.drop()
    this.#inHand.length = 0
  }
}

/** The clocks of two machines differ, so a reading from the slower one is not late. It counts as the newest. */
function besideOther(told: Gathered, lastAtMs: number | undefined): Gathered {
  const behindMs = (lastAtMs ?? Number.NEGATIVE_INFINITY) - told.atMs
  return behindMs >= 0 && behindMs < MINUTE_MS ? { ...told, atMs: told.atMs + behindMs + 1 } : told
}

/** More alerts opened at once than ids were reserved. The next attempt reserves more. */
export class AlertIdsMissing extends Error {}

/** Times of readings are in `device_state` anyway, so only what cannot be derived from there is written. */
function isMoved({ condition, state: next, events }: Pending): boolean {
  const { rule, state } = condition
  if (events !== undefined || next.isSuppressed !== state.isSuppressed) return true
  return rule.periodMs > 0 && next.trueSinceMs !== state.trueSinceMs
}
