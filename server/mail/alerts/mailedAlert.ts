import type { AlertOrigin } from '#domain/alerts/alertOrigin.ts'
import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { NewsMail } from '#domain/notifications/mailSchedule.ts'

export interface MailedAlert {
  readonly id: number
  readonly deviceId: number
  readonly fieldId: number
  readonly deviceModelId: number
  /** What it is called, with its value. */
  readonly title: string
  readonly conditionText: string
  readonly deviceName: string
  readonly deviceAddress: string
  readonly customerName: string
  /** The zone of the recipient, or of the device where they chose none. */
  readonly timeZone: string
  readonly createdAt: Date
  readonly metric: number | string | undefined
  readonly operatorCode: string
  readonly threshold: number | string | null
  /** The severity when it opened: 1 critical, 2 warning, 3 information. */
  readonly severityId: number
  readonly kind: ConditionKind
  /** Says for which devices the condition is defined; null when unknown. */
  readonly origin: AlertOrigin | null
  readonly isOver: boolean
  /** The condition is met, or not met, since this device time. */
  readonly stateSince: Date
  readonly activeCount: number
  readonly isClosed: boolean
  /** The reason of the maintenance window in which it was raised, which delayed this mail; null when there was none. */
  readonly maintenanceReason: string | null
}

/** Says what a mail is about: opened, resolved, met again, still active after a snooze, worse, or more alerts. */
export type AlertNews = NewsMail | 'over' | 'still'
