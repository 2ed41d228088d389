import { fieldIdOfKind, isClockField } from '../alerts/conditionKinds.ts'
import { eventTypeByTopic } from '../catalogue/eventTypes.ts'
import { numberedFieldById } from '../catalogue/fieldId.ts'
import type { AlertId, CustomerId, DeviceId, FieldId } from '../ids.ts'

export interface Place {
  /** Degrees; null when unknown. */
  readonly latitude: number | null
  readonly longitude: number | null
  /** The address in plain letters (domain/devices/searchText.ts); null for none. */
  readonly address: string | null
}

/** One time that an alert was raised, until it was resolved: incidents consist of these. */
export interface Occurrence {
  readonly deviceId: DeviceId
  readonly alertId: AlertId
  /** The owner of the device at that time. */
  readonly customerId: CustomerId
  readonly place: Place
  readonly fieldId: FieldId
  readonly raisedMs: number
  /** The beginning of the problem: earlier than the alert by the condition's waiting time. */
  readonly onsetMs: number
  readonly overMs: number | undefined
  /** The group that people merged or split; 0 for none. */
  readonly groupId: number
}

/** A feeder comes before what it feeds (domain/darkness/links.ts); a silent device may have lost any of it. */
const FED_BY: readonly (readonly (string | undefined)[])[] = [
  ['ups'],
  ['power-switch', 'relay', 'router-relay'],
  ['router'],
  // This is the place of silence.
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

/** Returns how near to the mains an alert's field is: of two alerts the lower one may explain the higher. */
export function feedRank(fieldId: FieldId): number {
  if (isClockField(fieldId)) return isSilence(fieldId) ? SILENT_RANK : DARK_RANK
  const type = numberedFieldById(fieldId)?.type
  return (type && RANK_OF_TYPE.get(type.id)) ?? OTHER_RANK
}

/** Nothing behind these can work while they have a problem. */
export const explainsWhatFollows = (fieldId: FieldId): boolean => feedRank(fieldId) <= SILENT_RANK

export const isSilence = (fieldId: FieldId): boolean => fieldId === fieldIdOfKind('silent')
