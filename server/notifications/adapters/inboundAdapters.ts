import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { InboundKind } from '#domain/notifications/channelKinds.ts'
import { jsonOf, textAt } from './adapter.ts'

/** Another system's report about an incident that it was notified of. */
export interface InboundEvent {
  /** Every try of theirs has the same id. */
  readonly id: string
  /** `nothing` means that the event is about something else. */
  readonly action: 'acknowledged' | 'resolved' | 'nothing'
  /** The incident is found by the channel's name for it there, our key, or our number. */
  readonly about: { readonly foreignId?: string; readonly key?: string; readonly incidentId?: number }
  /** The person who did it there; empty when unknown. */
  readonly by: string
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Says whether a request is theirs, and what it reports; pure but for the clock of the signature. */
export interface InboundAdapter {
  /** True when a holder of the secret has signed exactly this. */
  readonly isSigned: (received: Received, secret: string) => boolean
  readonly read: (received: Received) => InboundEvent | undefined
}

const OUR_KEY = /^wayside-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/
const keyIn = (text: string | undefined): { readonly key?: string } => {
  const key = OUR_KEY.exec(text ?? '')?.[1]
  return key === undefined ? {} : { key }
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

const hmacOf = (body: Buffer, secret: string) => createHmac('sha256', secret).update(body).digest()

/** Compares hexadecimal digits in constant time, whatever length was sent. */
function isHmac(hex: string, body: Buffer, secret: string): boolean {
  const given = Buffer.from(hex, 'hex')
  const wanted = hmacOf(body, secret)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const LONGEST_BY = 100
const LONGEST_ID = 200

/** Standard Webhooks 1.0 by our key; the library refuses signatures older than five minutes. */
const signedWebhook: InboundAdapter = {
  isSigned: ({ headers, body }, secret) => {
    try {
      new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  },
  read: ({ headers, body }) => {
    const content = jsonOf(body.toString('utf8'))
    const type = textAt(content, 'type')
    const incidentId = Number(textAt(content, 'data', 'incidentId'))
    const foreignId = textAt(content, 'data', 'foreignId')
    return {
      id: headerOf(headers, 'webhook-id').slice(0, LONGEST_ID),
      action: type === 'incident.acknowledged' ? 'acknowledged' : type === 'incident.resolved' ? 'resolved' : 'nothing',
      about: {
        ...(Number.isSafeInteger(incidentId) && incidentId > 0 && { incidentId }),
        ...(foreignId !== undefined && { foreignId }),
        ...keyIn(textAt(content, 'data', 'alias')),
      },
      by: (textAt(content, 'data', 'by') ?? '').slice(0, LONGEST_BY),
    }
  },
}

const PAGERDUTY_ACTIONS: Readonly<Record<string, InboundEvent['action']>> = {
  'incident.acknowledged': 'acknowledged',
  'incident.resolved': 'resolved',
}

/** Webhooks V3: `v1=` and a signature for each valid secret; the id of an event is the same for every try. */
const pagerDuty: InboundAdapter = {
  isSigned: ({ headers, body }, secret) =>
    headerOf(headers, 'x-pagerduty-signature')
      .split(',')
      .some((one) => one.trim().startsWith('v1=') && isHmac(one.trim().slice(3), body, secret)),
  read: ({ body }) => {
    const event = jsonOf(body.toString('utf8')).event
    const id = textAt(event, 'id')
    if (id === undefined) return undefined
    return {
      id: id.slice(0, LONGEST_ID),
      action: PAGERDUTY_ACTIONS[textAt(event, 'event_type') ?? ''] ?? 'nothing',
      about: keyIn(textAt(event, 'data', 'incident_key')),
      by: (textAt(event, 'agent', 'summary') ?? '').slice(0, LONGEST_BY),
    }
  },
}

/** An issue is in progress, or done. */
const JIRA_ACTIONS: Readonly<Record<string, InboundEvent['action']>> = {
  indeterminate: 'acknowledged',
  done: 'resolved',
}

/** Webhooks of Jira Cloud with a secret: `X-Hub-Signature` as in WebSub, and an identifier that stays for every try. */
const jira: InboundAdapter = {
  isSigned: ({ headers, body }, secret) => {
    const [method, hex = ''] = headerOf(headers, 'x-hub-signature').split('=')
    return method === 'sha256' && isHmac(hex, body, secret)
  },
  read: ({ headers, body }) => {
    const content = jsonOf(body.toString('utf8'))
    const foreignId = textAt(content, 'issue', 'key')
    const id = headerOf(headers, 'x-atlassian-webhook-identifier')
    if (id === '' || foreignId === undefined) return undefined
    const category = textAt(content.issue, 'fields', 'status', 'statusCategory', 'key') ?? ''
    return {
      id: id.slice(0, LONGEST_ID),
      action:
        textAt(content, 'webhookEvent') === 'jira:issue_updated' ? (JIRA_ACTIONS[category] ?? 'nothing') : 'nothing',
      about: { foreignId },
      by: (textAt(content, 'user', 'displayName') ?? '').slice(0, LONGEST_BY),
    }
  },
}

export const INBOUND_ADAPTERS: Readonly<Record<InboundKind, InboundAdapter>> = {
  webhook: signedWebhook,
  opsgenie: signedWebhook,
  servicenow: signedWebhook,
  pagerduty: pagerDuty,
  jira,
}
