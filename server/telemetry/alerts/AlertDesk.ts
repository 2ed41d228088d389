import type { ConditionState } from '#domain/alerts/conditionFold.ts'
import { foldReading } from '#domain/alerts/conditionFold.ts'
import { meets } from '#domain/alerts/operators.ts'
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
  moveStep,
  type Opening,
  type RefoldMark,
  refoldMarkStep,
} from './alertRows.ts'
import type { AlertRules, RuleBook } from './alertRules.ts'
import { type DeviceConditions, readWatchedConditions, type WatchedCondition } from './watchedConditions.ts'

const IDS_AT_ONCE = 64

interface Pending {
  state: ConditionState
  openAlertId: AlertId | undefined
  opened: Opening | undefined
  timesActive: number
  stateSinceMs: number | undefined
  readonly events: { kind: string; at: string }[]
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
    const conditions = this.#known.get(track.deviceId)?.[track.layout.firstSlot + track.number - 1]
    if (conditions === undefined) return
    for (const condition of conditions) {
      for (const report of oldestFirst) this.#evaluate(condition, report)
    }
  }

  /** A guess by what is known so far, for the order of work only: whether this reading would change an alert. */
  seemsToChange({ deviceId, layout, number, numbers, texts, atMs }: CheckedReport): boolean {
    const conditions = this.#known.get(deviceId)?.[layout.firstSlot + number - 1] ?? []
    return conditions.some(({ rule, state }) => {
      const value = valueFor(rule, numbers, texts)
      if (value === undefined) return false
      const isTrue = meets(rule.operator, value, rule.threshold)
      // Of most readings nothing follows, and this is asked of every one.
      if (isTrue === (state.trueSinceMs !== undefined) && rule.periodMs === 0) return false
      return foldReading(state, rule.periodMs, atMs, isTrue).change !== undefined
    })
  }

  #evaluate(condition: WatchedCondition, { numbers, texts, atMs, receivedAtMs }: CheckedReport): void {
    const { rule } = condition
    const value = valueFor(rule, numbers, texts)
    if (value === undefined) return
    const isTrue = meets(rule.operator, value, rule.threshold)
    let pending = this.#pending.get(condition)
    const before = pending?.state ?? condition.state
    if (before.lastAtMs !== undefined && atMs <= before.lastAtMs) {
      // The last one once more, as a device sends it that was not answered.
      if (atMs === before.lastAtMs && isTrue === (before.trueSinceMs !== undefined)) return
      pending ??= this.#pend(condition)
      pending.lateFromMs = Math.min(pending.lateFromMs ?? atMs, atMs)
      return
    }
    const { state, change } = foldReading(before, rule.periodMs, atMs, isTrue)
    pending ??= this.#pend(condition)
    pending.state = state
    if (change === undefined) return
    if (change === 'opened') {
      pending.openAlertId = this.#nextId()
      pending.opened = {
        atMs,
        foundAtMs: receivedAtMs,
        value,
        isLate: receivedAtMs - atMs > LATE_AFTER_MS,
        isMailed: condition.isMailed && rule.isNotified,
      }
    }
    if (change !== 'notActive') pending.timesActive++
    pending.stateSinceMs = atMs
    pending.events.push({ kind: change, at: new Date(atMs).toISOString() })
  }

  #pend(condition: WatchedCondition): Pending {
    const pending: Pending = {
      state: condition.state,
      openAlertId: condition.openAlertId,
      opened: undefined,
      timesActive: 0,
      stateSinceMs: undefined,
      events: [],
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
        events: pending.events,
      })
    }
    const opening = moves.filter(({ opened }) => opened !== undefined).map(({ deviceId }) => deviceId)
    return [
      ...(opening.length > 0 ? [expectedDevicesStep(opening)] : []),
      ...(moves.length > 0 ? [moveStep(moves)] : []),
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
      condition.openAlertId = pending.openAlertId
      if (pending.events.length > 0) changed.add(condition.deviceId)
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

function valueFor(
  { fieldIndex }: WatchedCondition['rule'],
  numbers: CheckedReport['numbers'],
  texts: CheckedReport['texts'],
): number | string | undefined {
  const number = numbers[fieldIndex] ?? Number.NaN
  return Number.isNaN(number) ? texts?.[fieldIndex] : number
}

/** More alerts opened at once than there were numbers for them; they are there at the next try. */
export class AlertIdsMissing extends Error {}

/** Times of readings are in device_state anyway; only what cannot be known from there is written. */
function isMoved({ rule, state }: WatchedCondition, { state: next, events }: Pending): boolean {
  if (events.length > 0 || next.isSuppressed !== state.isSuppressed) return true
  return rule.periodMs > 0 && next.trueSinceMs !== state.trueSinceMs
}
