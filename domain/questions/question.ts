import type { AlertStatusId, ConditionStateId } from '../alerts/alertLabels.ts'
import type { WrongKind } from '../darkness/wrongKinds.ts'
import type { CustomerId, DeviceModelId } from '../ids.ts'
import type { Clock } from './times.ts'

/** What the list of devices can be asked, by the names of its address. */
export interface DeviceFilter {
  readonly filter?: WrongKind | 'wrong'
  readonly connStatusId?: 0 | 1
  readonly statusId?: number
  /** What is wrong has been so for this long. */
  readonly forMinutes?: number
  /** It began then or later. */
  readonly since?: string
  readonly place?: string
  readonly customerId?: CustomerId
  readonly modelId?: DeviceModelId
  readonly attrSerial?: string
  readonly tags?: readonly string[]
  /** As `releases/versionFilter.ts` writes it. */
  readonly clientVersion?: string
  readonly deviceName?: string
  readonly search?: string
}

/** What the list of alerts can be asked. */
export interface AlertFilter {
  readonly filter?: 'last24h'
  readonly statusId?: AlertStatusId | 'any'
  readonly conditionStateId?: ConditionStateId
  readonly customerId?: CustomerId
  readonly alertText?: string
}

/** Some words of a question: understood, not understood, or of no weight. Together they are all of its words. */
export type QuestionPart =
  | { readonly kind: 'read'; readonly typed: string; readonly says: string }
  | { readonly kind: 'unread'; readonly typed: string; readonly why?: string }
  | { readonly kind: 'filler'; readonly typed: string }

interface Parts {
  readonly parts: readonly QuestionPart[]
}
export type Question =
  | (Parts & { readonly list: 'devices'; readonly filter: DeviceFilter })
  | (Parts & { readonly list: 'alerts'; readonly filter: AlertFilter })

export interface Known extends Clock {
  /** Those that can be named; undefined for whoever sees only one. */
  readonly customers: readonly { readonly id: number; readonly name: string }[] | undefined
}
