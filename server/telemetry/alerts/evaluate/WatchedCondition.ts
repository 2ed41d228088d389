import type { ConditionState } from '#domain/alerts/fold/conditionFold.ts'
import type { JudgeMemory, PairRoom } from '#domain/alerts/fold/conditionJudge.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { AlertRule } from '../alertRules.ts'

/** One condition on one device, as this process knows it to be stored. */
export interface WatchedCondition {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  /** E-mails are sent for Paired devices only. */
  readonly isMailed: boolean
  /** Version 0 means that it is not stored yet. */
  version: number
  readonly state: { -readonly [Key in keyof ConditionState]: ConditionState[Key] }
  memory: JudgeMemory
  /** When "no value" last had one, or began to wait; undefined for a component that may not exist. */
  heard: Heard | undefined
  /** The device time of the sample that last moved it or began its run; undefined when that is not known. */
  turnedAtMs: number | undefined
  openAlertId: AlertId | undefined
  /** The object that the memory of a pair is written into, if nothing else uses it. */
  room: PairRoom | undefined
  /** The index of this condition in the current batch's results; -1 when it is not among them. */
  pendingAt: number
}

/** The device times of a field's newest value and of the one before it; undefined when that is not known. */
export interface Heard {
  readonly lastMs: number
  readonly beforeMs: number | undefined
  /** The time of the earliest report known to have come without the value after it had been missing too long. */
  readonly foundMs: number | undefined
}
