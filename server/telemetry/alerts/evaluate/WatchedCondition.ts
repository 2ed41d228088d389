import type { ConditionState } from '#domain/alerts/fold/conditionFold.ts'
import type { JudgeMemory, PairRoom } from '#domain/alerts/fold/conditionJudge.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { AlertRule } from '../alertRules.ts'

/** One condition on one device, as this process knows it to be stored. */
export interface WatchedCondition {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  /** Mails go out for Paired devices only. */
  readonly isMailed: boolean
  /** 0: not stored yet. */
  version: number
  readonly state: { -readonly [Key in keyof ConditionState]: ConditionState[Key] }
  /** Of the readings before. */
  memory: JudgeMemory
  /** Of "no value": when the field was reported, or the waiting began; undefined: a component that is perhaps not there. */
  heard: Heard | undefined
  /** Device time of the sample that moved it last, or began its run; undefined where that is not known. */
  turnedAtMs: number | undefined
  openAlertId: AlertId | undefined
  /** Where the memory of a pair is written, if it is nobody else's. */
  room: PairRoom | undefined
  /** Where the batch in hand has what it makes of it; -1: nowhere. */
  pendingAt: number
}

/** Device times of the newest value of a field and of the one before it; undefined where that is not known. */
export interface Heard {
  readonly lastMs: number
  readonly beforeMs: number | undefined
  /** Of the earliest report that is known to have come without it when it had been missing for too long. */
  readonly foundMs: number | undefined
}
