import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerIdValue,
  incidentIdValue,
  momentValue,
  nameValue,
  SECRETS,
  trimmedValue,
} from '#contract/call/values.ts'
import { CHANNEL_KINDS } from '#domain/notifications/channelKinds.ts'
import { localTimeValue, timeZoneValue } from './weekHours.ts'

export const LONGEST_CHANNEL_NAME = 100
export const MOST_PER_HOUR = 600
export const USUAL_PER_HOUR = 30
export const MOST_DELIVERIES = 100

export const channelIdValue = z.int32().positive()

const settingValue = trimmedValue(500).default('')
const channelSettings = z.strictObject({
  /** The address of its server, where that is neither secret nor the usual one. */
  address: settingValue,
  /** The recipient: an e-mail address, a room, a chat, a topic or a project. */
  recipient: settingValue,
  user: settingValue,
  issueType: settingValue,
  transitionId: settingValue,
})

const quietHours = z.strictObject({
  from: localTimeValue,
  /** A time that is before `from` is on the next day; the same time means all day. */
  to: localTimeValue,
  timeZone: timeZoneValue,
  /** Critical incidents are notified even in quiet hours. */
  tellsCritical: z.boolean(),
})

export const channel = z.object({
  id: channelIdValue,
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  /** Null for a channel of staff, who see every customer's incidents. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  settings: z.object({
    address: z.string(),
    recipient: z.string(),
    user: z.string(),
    issueType: z.string(),
    transitionId: z.string(),
  }),
  /** Says whether a secret is kept; the secret itself is never shown. */
  hasSecret: z.boolean(),
  /** The host of a secret that is an address; else empty. */
  secretHost: z.string(),
  /** The address of a mail channel receives nothing until it has confirmed that it wants mails. */
  awaitsRecipient: z.boolean(),
  /** A webhook's replaced key still signs until then; null when no key was replaced, or there is none. */
  oldKeyUntil: momentValue.nullable(),
  mostPerHour: z.number().int(),
  quiet: quietHours.nullable(),
  isOn: z.boolean(),
  /** The other system reports here that somebody took an incident; null when such reports are not accepted. */
  inbound: z
    .object({
      address: z.string(),
      /** The last report of the other system, and its result. */
      at: momentValue.nullable(),
      text: z.string(),
    })
    .nullable(),
  lastAt: momentValue.nullable(),
  lastOutcome: z.enum(['done', 'later', 'refused', 'gone']).nullable(),
  /** The reason why it accepts nothing now; empty when nothing is wrong. */
  failure: z.string(),
  /** No delivery is tried before this moment. */
  restsUntil: momentValue.nullable(),
  waiting: z.number().int(),
})
export type Channel = z.output<typeof channel>

export const listChannels = call({
  method: 'GET',
  path: 'Channel/GetChannelList',
  summary: 'Channels by name, without their secrets. Staff see all, a customer their own.',
  permission: 'admin',
  shows: ['Channel', 'Customer'],
  answer: z.array(channel),
})

export const setChannel = call({
  method: 'POST',
  path: 'Channel/SetChannel',
  summary:
    'Set up a channel (id absent, 0 or negative), or change one; answers its id, and of a webhook that is new or has another address the key by which it signs, which is shown this once. An absent secret stays, but not where it would go to another address.',
  permission: 'admin',
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_CHANNEL_NAME),
    /** The kind of an existing channel cannot change. */
    kind: z.enum(CHANNEL_KINDS),
    /** It notifies about this customer's incidents; null means every customer's, for staff alone. It cannot change. */
    customerId: customerIdValue.nullable().default(null),
    settings: channelSettings,
    secret: trimmedValue(2000).register(SECRETS).optional(),
    mostPerHour: z.int32().min(1).max(MOST_PER_HOUR).default(USUAL_PER_HOUR),
    quiet: quietHours.nullable().default(null),
    isOn: z.boolean().default(true),
  }),
  answer: z.object({ id: channelIdValue, signingKey: z.string().nullable() }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Channel' },
  stepUpToMoveSecret: true,
})

export const deleteChannel = call({
  method: 'POST',
  path: 'Channel/DelChannel',
  summary: 'Delete a channel, with its secrets. What waits to be told by it is told by nobody.',
  permission: 'admin',
  body: z.strictObject({ id: channelIdValue }),
  answer: z.object({}),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Channel' },
})

export const testChannel = call({
  method: 'POST',
  path: 'Channel/TestChannel',
  summary:
    'Send a test by a channel, as it is kept; answers what the other side said. An address that has not confirmed yet is sent a link to do so, once a day.',
  permission: 'admin',
  body: z.strictObject({ id: channelIdValue }),
  answer: z.object({
    isTaken: z.boolean(),
    /** The HTTP status; null when nobody answered, or the channel does not use HTTP. */
    status: z.number().int().nullable(),
    /** The first kilobyte of the answer. */
    answer: z.string(),
    /** The reason for a refusal; empty when the message was accepted. */
    reason: z.string(),
    tookMs: z.number().int(),
  }),
  errors: ['not_found', 'too_many_requests'],
  changes: { action: 'Send', entity: 'Channel' },
})

export const rotateSigningKey = call({
  method: 'POST',
  path: 'Channel/RotateSigningKey',
  summary:
    'Give a webhook a new key to sign by, which is shown this once; for a day it signs by the one before as well.',
  permission: 'admin',
  body: z.strictObject({ id: channelIdValue }),
  answer: z.object({ signingKey: z.string(), oldKeyUntil: momentValue }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Channel' },
  stepUp: 'always',
})

export const setInbound = call({
  method: 'POST',
  path: 'Channel/SetInbound',
  summary:
    'Let the other side of a channel acknowledge incidents, or hear it no longer. Answers the address to which it sends, and the key by which it signs where that is ours, which is shown this once.',
  permission: 'admin',
  body: z.strictObject({
    id: channelIdValue,
    isOn: z.boolean(),
    /** The other system signs with this, where it issues the secret itself (PagerDuty, Jira). */
    secret: trimmedValue(500).register(SECRETS).optional(),
  }),
  answer: z.object({ address: z.string(), signingKey: z.string().nullable() }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Channel' },
})

export const delivery = z.object({
  id: z.number().int(),
  kind: z.enum(['message', 'digest', 'test']),
  at: momentValue,
  incidentId: incidentIdValue.nullable(),
  toldCount: z.number().int(),
  /** Null while the delivery is under way, or when it was interrupted. */
  outcome: z.enum(['done', 'later', 'refused', 'gone']).nullable(),
  status: z.number().int().nullable(),
  tookMs: z.number().int().nullable(),
  answer: z.string(),
  reason: z.string(),
})
export type Delivery = z.output<typeof delivery>

export const listDeliveries = call({
  method: 'GET',
  path: 'Channel/GetDeliveryList',
  summary: `The last ${MOST_DELIVERIES} times that a channel told something, or tried; newest first.`,
  permission: 'admin',
  shows: ['Channel', 'Incident'],
  query: z.strictObject({ id: channelIdValue }),
  answer: z.array(delivery),
  errors: ['not_found'],
})

export const replayDelivery = call({
  method: 'POST',
  path: 'Channel/ReplayDelivery',
  summary: 'Tell anew by a channel how an incident is now, also where that was given up.',
  permission: 'admin',
  body: z.strictObject({ id: channelIdValue, incidentId: incidentIdValue }),
  answer: z.object({}),
  errors: ['not_found'],
  changes: { action: 'Send', entity: 'Channel' },
})
