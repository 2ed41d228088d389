import type { AlertStatusId, ConditionStateId } from '../alerts/alertLabels.ts'
import type { WrongKind } from '../darkness/wrongKinds.ts'
import type { CustomerId, DeviceModelId } from '../ids.ts'
import type { Clock } from './times.ts'

export interface DeviceFilter {
  readonly filter?: WrongKind | 'wrong'
  readonly connStatusId?: 0 | 1
  readonly statusId?: number
  /** The problem has lasted this long. */
  readonly forMinutes?: number
  /** The problem began then or later. */
  readonly since?: string
  readonly place?: string
  readonly customerId?: CustomerId
  readonly modelId?: DeviceModelId
  readonly attrSerial?: string
  readonly tags?: readonly string[]
  /** The text that `releases/versionFilter.ts` writes. */
  readonly clientVersion?: string
  readonly deviceName?: string
  readonly search?: string
}

export interface AlertFilter {
  readonly filter?: 'last24h'
  readonly statusId?: AlertStatusId | 'any'
  readonly conditionStateId?: ConditionStateId
  readonly customerId?: CustomerId
  readonly alertText?: string
}

/** Some words of a question: understood, not understood, or irrelevant. Together the parts contain all of its words. */
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
  /** The customers that can be named; undefined for users who see only one. */
  readonly customers: readonly { readonly id: number; readonly name: string }[] | undefined
}
