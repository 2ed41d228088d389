import { type EventTypeTopic, eventTypeByTopic } from '../catalogue/eventTypes.ts'

/** One reporting part of a device: the topic of its event type, and its number. */
export interface Part {
  readonly topic: EventTypeTopic
  readonly number: number
}

/** Writes a part for configuration: `ups`, `display/2`. The number 1 is left out. */
export const partKey = ({ topic, number }: Part): string => (number === 1 ? topic : `${topic}/${number}`)

/** @returns undefined for a part that cannot exist; `display/1` is `display` */
export function readPartKey(key: string): Part | undefined {
  const [topic = '', numberText = '1', ...rest] = key.split('/')
  const type = eventTypeByTopic(topic)
  const number = /^[1-9]$/.test(numberText) ? Number(numberText) : 0
  if (!type || rest.length > 0 || number < 1 || number > type.prefixes.length) return undefined
  return { topic: type.topic, number }
}
