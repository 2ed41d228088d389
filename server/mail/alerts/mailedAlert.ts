import type { AlertOrigin } from '#domain/alerts/alertOrigin.ts'
import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { NewsMail } from '#domain/notifications/mailSchedule.ts'

export interface MailedAlert {
  readonly id: number
  readonly deviceId: number
  readonly fieldId: number
  readonly deviceModelId: number
  readonly conditionText: string
  readonly deviceName: string
  readonly deviceAddress: string
  readonly customerName: string
  /** Of the recipient; of the device where they chose none. */
  readonly timeZone: string
  /** Device time of the reading that opened it. */
  readonly createdAt: Date
  /** Of that reading. */
  readonly metric: number | string | undefined
  readonly operatorCode: string
  readonly threshold: number | string | null
  /** 1 critical, 2 warning, 3 information; as it was when it opened. */
  readonly severityId: number
  /** What the condition asked when it opened. */
  readonly kind: ConditionKind
  /** For which devices the condition is meant; null: not known. */
  readonly origin: AlertOrigin | null
  /** The condition is not met now. */
  readonly isOver: boolean
  /** Device time since when it is met, or not. */
  readonly stateSince: Date
  readonly activeCount: number
  readonly isClosed: boolean
  /** Of the window in which it was raised, so that it is told only now; null: it was raised in none. */
  readonly maintenanceReason: string | null
}

/**
 * What a mail is to say: that it was opened, is over, met again, still so after a snooze, worse than was told, or that
 * more alerts belong to it.
 */
export type AlertNews = NewsMail | 'over' | 'still'
