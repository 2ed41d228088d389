import { fieldIdOfKind, isClockField } from '../alerts/conditionKinds.ts'
import { eventTypeByTopic } from '../catalogue/eventTypes.ts'
import { numberedFieldById } from '../catalogue/fieldId.ts'
import type { AlertId, CustomerId, DeviceId, FieldId } from '../ids.ts'

/** Where a device stood when it raised an alert. */
export interface Place {
  /** Degrees; null: not known. */
  readonly latitude: number | null
  readonly longitude: number | null
  /** The address in plain letters (domain/devices/searchText.ts); null: none. */
  readonly address: string | null
}

/** One time that an alert was raised, until it was over: what incidents are made of. */
export interface Occurrence {
  readonly deviceId: DeviceId
  readonly alertId: AlertId
  /** Whose the device was. */
  readonly customerId: CustomerId
  readonly place: Place
  readonly fieldId: FieldId
  /** Device time. */
  readonly raisedMs: number
  /** When what it tells began: before it was raised by as long as its condition waits. */
  readonly onsetMs: number
  /** Undefined while it lasts. */
  readonly overMs: number | undefined
  /** Of those that people put together or kept apart; 0: nobody did. */
  readonly groupId: number
}

/** What feeds comes before what it feeds (domain/darkness/links.ts); who is silent may have lost any of it. */
const FED_BY: readonly (readonly (string | undefined)[])[] = [
  ['ups'],
  ['power-switch', 'relay', 'router-relay'],
  ['router'],
  // Silent.
  [undefined],
  ['device', 'ecu'],
  ['display'],
]
const DARK_RANK = FED_BY.length
const OTHER_RANK = DARK_RANK + 1
const SILENT_RANK = FED_BY.findIndex((topics) => topics.includes(undefined))

const RANK_OF_TYPE = new Map(
  FED_BY.flatMap((topics, rank) =>
    topics.flatMap((topic) => {
      const type = topic === undefined ? undefined : eventTypeByTopic(topic)
      return type ? [[type.id, rank] as const] : []
    }),
  ),
)

/** How near to the mains what it looks at is: of two alerts the lower one may explain the higher. */
export function feedRank(fieldId: FieldId): number {
  if (isClockField(fieldId)) return isSilence(fieldId) ? SILENT_RANK : DARK_RANK
  const type = numberedFieldById(fieldId)?.type
  return (type && RANK_OF_TYPE.get(type.id)) ?? OTHER_RANK
}

/** Without these nothing behind them can work, for as long as they are so. */
export const explainsWhatFollows = (fieldId: FieldId): boolean => feedRank(fieldId) <= SILENT_RANK

export const isSilence = (fieldId: FieldId): boolean => fieldId === fieldIdOfKind('silent')
