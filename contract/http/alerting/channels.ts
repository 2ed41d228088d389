import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
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
/** Of one channel, newest first. */
export const MOST_DELIVERIES = 100

export const channelIdValue = z.int32().positive()

const settingValue = trimmedValue(500).default('')
const channelSettings = z.strictObject({
  /** Of its server, where that is no secret and not the usual one. */
  address: settingValue,
  /** Whom or where to: a mail address, a room, a chat, a topic, a project. */
  recipient: settingValue,
  user: settingValue,
  issueType: settingValue,
  transitionId: settingValue,
})

const quietHours = z.strictObject({
  from: localTimeValue,
  /** Not later than `from`: on the next day; the same: all day. */
  to: localTimeValue,
  timeZone: timeZoneValue,
  /** What is critical is told all the same. */
  tellsCritical: z.boolean(),
})

export const channel = z.object({
  id: channelIdValue,
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  /** Null: of staff, who see every customer's incidents. */
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  settings: z.object({
    address: z.string(),
    recipient: z.string(),
    user: z.string(),
    issueType: z.string(),
    transitionId: z.string(),
  }),
  /** Whether a secret is kept; it is never shown. */
  hasSecret: z.boolean(),
  /** Of a secret that is an address its host alone; else empty. */
  secretHost: z.string(),
  /** The address of a mail channel has not confirmed yet that it wants mails: it gets none. */
  awaitsRecipient: z.boolean(),
  /** Until when the key of a webhook that was replaced still signs; null: there is one alone, or none. */
  oldKeyUntil: momentValue.nullable(),
  mostPerHour: z.number().int(),
  quiet: quietHours.nullable(),
  isOn: z.boolean(),
  /** Where its other side says that somebody has an incident; null: it is not heard. */
  inbound: z
    .object({
      address: z.string(),
      /** When something was heard last, and what became of it. */
      at: momentValue.nullable(),
      text: z.string(),
    })
    .nullable(),
  /** What it was told last, or tried to. */
  lastAt: momentValue.nullable(),
  lastOutcome: z.enum(['done', 'later', 'refused', 'gone']).nullable(),
  /** Why it takes nothing now; empty: nothing is wrong. */
  failure: z.string(),
  /** It is left alone until then. */
  restsUntil: momentValue.nullable(),
  /** Messages that have not been told yet. */
  waiting: z.number().int(),
})
export type Channel = z.output<typeof channel>

export const listChannels = call({
  method: 'GET',
  path: 'Channel/GetChannelList',
  summary: 'Channels by name, without their secrets. Staff see all, a customer their own.',
  permission: 'admin',
  shows: ['Channel', 'Customer'],
  query: nothing,
  body: nothing,
  answer: z.array(channel),
  errors: [],
})

export const setChannel = call({
  method: 'POST',
  path: 'Channel/SetChannel',
  summary:
    'Set up a channel (id absent, 0 or negative), or change one; answers its id, and of a webhook that is new or has another address the key by which it signs, which is shown this once. An absent secret stays, but not where it would go to another address.',
  permission: 'admin',
  query: nothing,
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_CHANNEL_NAME),
    /** Of one that is there it stays. */
    kind: z.enum(CHANNEL_KINDS),
    /** Whose incidents it tells; null: every customer's, of staff alone. Of one that is there it stays. */
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
  query: nothing,
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
  query: nothing,
  body: z.strictObject({ id: channelIdValue }),
  answer: z.object({
    isTaken: z.boolean(),
    /** Of HTTP; null: nobody answered, or it is no HTTP. */
    status: z.number().int().nullable(),
    /** The first kilobyte. */
    answer: z.string(),
    /** Why it was not taken; empty: it was. */
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
  query: nothing,
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
  query: nothing,
  body: z.strictObject({
    id: channelIdValue,
    isOn: z.boolean(),
    /** By which the other side signs, where it gives one out itself (PagerDuty, Jira). */
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
  /** Of one that tells of one. */
  incidentId: incidentIdValue.nullable(),
  toldCount: z.number().int(),
  /** Null: it is on its way, or broke off. */
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
  body: nothing,
  answer: z.array(delivery),
  errors: ['not_found'],
})

export const replayDelivery = call({
  method: 'POST',
  path: 'Channel/ReplayDelivery',
  summary: 'Tell anew by a channel how an incident is now, also where that was given up.',
  permission: 'admin',
  query: nothing,
  body: z.strictObject({ id: channelIdValue, incidentId: incidentIdValue }),
  answer: z.object({}),
  errors: ['not_found'],
  changes: { action: 'Send', entity: 'Channel' },
})
