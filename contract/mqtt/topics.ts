import { type EventTypeTopic, eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { DeviceGuid } from '#domain/ids.ts'

/** Every topic of a device starts with this; the guid is its own. */
export const topicRoot = (guid: DeviceGuid) => `v1/devices/${guid}/`

/** Reports to the server. QoS 1, never retained. The number is left out for component 1. */
export const eventsTopic = (guid: DeviceGuid, topic: EventTypeTopic, number = 1) =>
  `${topicRoot(guid)}events/${topic}${number === 1 ? '' : `/${number}`}`

/** Messages to the server (log lines of the device). QoS 1, never retained. */
export const messagesTopic = (guid: DeviceGuid) => `${topicRoot(guid)}messages`

/** The reply to the command of this id. QoS 1, never retained. */
export const replyTopic = (guid: DeviceGuid, commandId: string) => `${topicRoot(guid)}replies/${commandId}`

/** Commands to the device. QoS 1, never retained, never queued by the broker. */
export const commandTopic = (guid: DeviceGuid, commandId: string) => `${topicRoot(guid)}commands/${commandId}`
export const commandsFilter = (guid: DeviceGuid) => `${topicRoot(guid)}commands/+`

/** Settings to the device: sent on subscribe with the retain flag set, from the database. QoS 1. */
export const settingsTopic = (guid: DeviceGuid) => `${topicRoot(guid)}settings`

/** Server time to the device, in answer to each subscribe, even to a topic that is subscribed already. QoS 0. */
export const timeTopic = (guid: DeviceGuid) => `${topicRoot(guid)}time`

export type InboundTopic =
  | { readonly kind: 'events'; readonly topic: EventTypeTopic; readonly eventTypeId: number; readonly number: number }
  | { readonly kind: 'messages' }
  | { readonly kind: 'reply'; readonly commandId: string }
  | { readonly kind: 'unknown' }

const COMMAND_ID = /^[A-Za-z0-9-]{1,64}$/

/** Reads a topic below the device's own root. `unknown` may be in its own subtree, but nobody reads it. */
export function readInboundTopic(belowRoot: string): InboundTopic {
  const [head, second, third, ...rest] = belowRoot.split('/')
  if (rest.length > 0) return { kind: 'unknown' }
  if (head === 'messages' && second === undefined) return { kind: 'messages' }
  if (head === 'replies' && second !== undefined && third === undefined && COMMAND_ID.test(second)) {
    return { kind: 'reply', commandId: second }
  }
  if (head !== 'events' || second === undefined) return { kind: 'unknown' }
  const type = eventTypeByTopic(second)
  const number = third === undefined ? 1 : /^[1-9]$/.test(third) ? Number(third) : 0
  if (!type || number < 1 || number > type.prefixes.length) return { kind: 'unknown' }
  return { kind: 'events', topic: type.topic, eventTypeId: type.id, number }
}
