import type { Standing } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import { type JudgeMemory, NO_MEMORY, type PairRoom } from '#domain/alerts/fold/conditionJudge.ts'
import type { AlertId } from '#domain/ids.ts'
import type { Opening } from './alertRows.ts'
import type { Gathered } from './gatheredSamples.ts'
import type { Heard, WatchedCondition } from './WatchedCondition.ts'

/** This many objects of past batches are kept for reuse. The garbage collector takes the rest. */
const MOST_KEPT = 8192

/**
 * What a batch changes in one condition. Objects are reused, so that judging leaves nothing for the garbage collector.
 */
export class Pending implements Standing {
  condition: WatchedCondition
  readonly #ownState: Standing['state'] = { ...UNTOUCHED }
  state = this.#ownState
  memory: JudgeMemory = NO_MEMORY
  room: PairRoom = [undefined, undefined]
  heard: Heard | undefined
  turnedAtMs: number | undefined
  /** Readings of several components are judged together, in the order of their times. */
  gathered: Gathered[] | undefined
  openAlertId: AlertId | undefined
  opened: Opening | undefined
  timesActive = 0
  stateSinceMs: number | undefined
  events: { kind: string; at: string }[] | undefined
  lateFromMs: number | undefined

  constructor(condition: WatchedCondition) {
    this.condition = condition
    this.begin(condition)
  }

  begin(condition: WatchedCondition): void {
    this.condition = condition
    copyState(condition.state, this.#ownState)
    this.state = this.#ownState
    this.memory = condition.memory
    this.heard = condition.heard
    this.turnedAtMs = condition.turnedAtMs
    this.gathered = undefined
    this.openAlertId = condition.openAlertId
    this.opened = undefined
    this.timesActive = 0
    this.stateSinceMs = undefined
    this.events = undefined
    this.lateFromMs = undefined
  }

  keep(): void {
    const { condition } = this
    copyState(this.state, condition.state)
    condition.heard = this.heard
    condition.turnedAtMs = this.turnedAtMs
    condition.openAlertId = this.openAlertId
    if (this.memory === condition.memory) return
    condition.memory = this.memory
    // A memory that was not written into the room may share readings with it.
    const isInRoom = this.memory === this.room
    const free: PairRoom = (isInRoom && condition.room) || [undefined, undefined]
    condition.room = isInRoom ? this.room : undefined
    this.room = free
  }
}

function copyState(from: Standing['state'], to: Standing['state']): void {
  to.lastAtMs = from.lastAtMs
  to.trueSinceMs = from.trueSinceMs
  to.alert = from.alert
  to.isSuppressed = from.isSuppressed
}

export class PendingConditions {
  readonly #all: Pending[] = []
  #used = 0

  /** The result so far, if the batch has looked at the condition. */
  known({ pendingAt }: WatchedCondition): Pending | undefined {
    return pendingAt < 0 ? undefined : this.#all[pendingAt]
  }

  of(condition: WatchedCondition): Pending {
    const known = this.known(condition)
    if (known !== undefined) return known
    const at = this.#used++
    condition.pendingAt = at
    const free = this.#all[at]
    if (free === undefined) this.#all.push(new Pending(condition))
    else free.begin(condition)
    return this.#all[at] as Pending
  }

  *[Symbol.iterator](): Generator<Pending> {
    for (let at = 0; at < this.#used; at++) yield this.#all[at] as Pending
  }

  /** The caller calls this after the commit. */
  keep(): void {
    for (let at = 0; at < this.#used; at++) this.#all[at]?.keep()
    this.drop()
  }

  /** The caller calls this after a failure. */
  drop(): void {
    for (let at = 0; at < this.#used; at++) {
      const pending = this.#all[at] as Pending
      pending.condition.pendingAt = -1
    }
    this.#used = 0
    if (this.#all.length > MOST_KEPT) this.#all.length = MOST_KEPT
  }
}
