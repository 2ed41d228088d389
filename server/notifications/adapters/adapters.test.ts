import { expect, test } from 'vitest'
import type { IncidentId } from '#domain/ids.ts'
import type { ChannelKind } from '#domain/notifications/channelKinds.ts'
import { createOutbound } from '#server/outbound/outbound.ts'
import { outsideServer, type SeenRequest } from '#server/testing/outsideServer.ts'
import type { ChannelRow } from '../channelRows.ts'
import { createNotifier } from '../notifyOutside.ts'
import type { Delivery } from './adapter.ts'
import type { IncidentMessage } from './messageTexts.ts'

const notifyOutside = createNotifier({
  callOutside: createOutbound({ allowed: ['127.0.0.1'], longestMs: 2000 }),
  mailWay: () => expect.fail('nothing here is a mail'),
})

const KEY = '6f1c1de4-51fb-4f1c-9bb5-0f3f6f6d0f11'
const ALIAS = `wayside-${KEY}`
/** Each system would read a part of it as markup. */
const HOSTILE = 'Pier *1* <b>&amp;</b> {code}x{code} [code]<i>y</i>[/code] @channel _z_ [a](b)'
const MESSAGE: IncidentMessage = {
  incidentId: 7 as IncidentId,
  title: `${HOSTILE}: Dark`,
  state: 'active',
  severityId: 1,
  causeText: 'Dark against plan',
  deviceName: HOSTILE,
  deviceAddress: 'Quay 3',
  customerName: 'Harbour',
  deviceCount: 1,
  placeCount: 1,
  alertCount: 2,
  alerts: [{ device: 'Totem 12', text: 'Router off', isActive: true }],
  activeCount: 1,
  beganAt: new Date('2026-11-25T10:00:00Z'),
  overAt: undefined,
  acknowledgedBy: undefined,
  timeZone: 'UTC',
  link: 'https://signs.example/incidents/incident?data=7',
}
const TAKEN = { ...MESSAGE, acknowledgedBy: 'Ada Lovelace' }
const OVER: IncidentMessage = { ...TAKEN, state: 'over', activeCount: 0, overAt: new Date('2026-11-25T11:00:00Z') }

const opened = (message = MESSAGE): Delivery => ({
  what: 'opened',
  message,
  key: KEY,
  revision: 0,
  foreignId: undefined,
})
const changed = (foreignId?: string): Delivery => ({
  what: 'changed',
  message: TAKEN,
  key: KEY,
  revision: 1,
  foreignId,
})
const over = (foreignId?: string): Delivery => ({ what: 'over', message: OVER, key: KEY, revision: 2, foreignId })

interface Case {
  readonly kind: Exclude<ChannelKind, 'mail'>
  readonly settings?: object
  readonly delivery: Delivery
  readonly says?: { readonly status?: number; readonly body?: object }
  readonly asks: readonly (readonly [request: string, content: object])[]
  readonly foreignId?: string
}

const JIRA = { recipient: 'OPS', user: 'ada@a.example', issueType: 'Bug', transitionId: '31' }
const paragraphs = (...lines: unknown[]) => ({
  type: 'doc',
  version: 1,
  content: expect.arrayContaining(lines.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))),
})

const CASES: readonly (readonly [title: string, of: Case])[] = [
  [
    'PagerDuty triggers an event by a key of ours',
    {
      kind: 'pagerduty',
      delivery: opened(),
      asks: [
        [
          'POST /',
          {
            routing_key: 's3cret',
            event_action: 'trigger',
            dedup_key: ALIAS,
            links: [{ href: MESSAGE.link, text: 'Open in Wayside' }],
            payload: { severity: 'critical', source: HOSTILE, summary: `Critical: ${HOSTILE}: Dark` },
          },
        ],
      ],
    },
  ],
  [
    'PagerDuty acknowledges what somebody has',
    {
      kind: 'pagerduty',
      delivery: changed(),
      asks: [
        ['POST /', { event_action: 'trigger', dedup_key: ALIAS }],
        ['POST /', { event_action: 'acknowledge', dedup_key: ALIAS }],
      ],
    },
  ],
  [
    'PagerDuty resolves',
    { kind: 'pagerduty', delivery: over(), asks: [['POST /', { event_action: 'resolve', dedup_key: ALIAS }]] },
  ],
  [
    'Opsgenie creates an alert',
    {
      kind: 'opsgenie',
      delivery: opened(),
      asks: [['POST /v2/alerts', { alias: ALIAS, priority: 'P1', source: 'Wayside', entity: HOSTILE }]],
    },
  ],
  [
    'Opsgenie notes and acknowledges what somebody has',
    {
      kind: 'opsgenie',
      delivery: changed(),
      asks: [
        [
          `POST /v2/alerts/${ALIAS}/acknowledge?identifierType=alias`,
          { note: expect.stringContaining('Acknowledged by: Ada Lovelace') },
        ],
      ],
    },
  ],
  [
    'Opsgenie closes',
    {
      kind: 'opsgenie',
      delivery: over(),
      asks: [
        [
          `POST /v2/alerts/${ALIAS}/close?identifierType=alias`,
          { source: 'Wayside', note: `Resolved: Critical: ${HOSTILE}: Dark` },
        ],
      ],
    },
  ],
  [
    'Jira gets an issue, whose key is kept',
    {
      kind: 'jira',
      settings: JIRA,
      delivery: opened(),
      says: { status: 201, body: { id: '10', key: 'OPS-7' } },
      asks: [
        [
          'POST /rest/api/3/issue',
          {
            fields: {
              project: { key: 'OPS' },
              issuetype: { name: 'Bug' },
              summary: `Critical: ${HOSTILE}: Dark`,
              description: paragraphs(`Root cause: ${HOSTILE}: Dark against plan`),
            },
          },
        ],
      ],
      foreignId: 'OPS-7',
    },
  ],
  [
    'Jira gets a comment',
    {
      kind: 'jira',
      settings: JIRA,
      delivery: changed('OPS-7'),
      says: { status: 201, body: { id: '99' } },
      asks: [['POST /rest/api/3/issue/OPS-7/comment', { body: paragraphs('Acknowledged by: Ada Lovelace') }]],
    },
  ],
  [
    'Jira gets a comment and a transition',
    {
      kind: 'jira',
      settings: JIRA,
      delivery: over('OPS-7'),
      says: { status: 204 },
      asks: [
        ['POST /rest/api/3/issue/OPS-7/comment', { body: paragraphs('Resolved: 25.11.26 11:00:00 (UTC)') }],
        ['POST /rest/api/3/issue/OPS-7/transitions', { transition: { id: '31' } }],
      ],
    },
  ],
  [
    'Jira without a transition gets a comment alone',
    {
      kind: 'jira',
      settings: { ...JIRA, transitionId: '' },
      delivery: over('OPS-7'),
      asks: [['POST /rest/api/3/issue/OPS-7/comment', {}]],
    },
  ],
  [
    'ServiceNow gets an incident, whose sys_id is kept',
    {
      kind: 'servicenow',
      settings: { user: 'ada' },
      delivery: opened(),
      says: { status: 201, body: { result: { sys_id: 'a1', number: 'INC1' } } },
      asks: [
        [
          'POST /api/now/table/incident',
          {
            urgency: '1',
            impact: '1',
            correlation_id: ALIAS,
            description: expect.not.stringContaining('[code]'),
          },
        ],
      ],
      foreignId: 'a1',
    },
  ],
  [
    'ServiceNow gets work notes',
    {
      kind: 'servicenow',
      settings: { user: 'ada' },
      delivery: changed('a1'),
      asks: [['PATCH /api/now/table/incident/a1', { work_notes: expect.stringContaining('Ada Lovelace') }]],
    },
  ],
  [
    'ServiceNow resolves',
    {
      kind: 'servicenow',
      settings: { user: 'ada' },
      delivery: over('a1'),
      asks: [
        [
          'PATCH /api/now/table/incident/a1',
          { state: '6', close_code: expect.any(String), close_notes: expect.not.stringMatching(/\[\/?code\]/i) },
        ],
      ],
    },
  ],
  [
    'Telegram gets a message without markup, whose number is kept',
    {
      kind: 'telegram',
      settings: { recipient: '-100' },
      delivery: opened(),
      says: { body: { ok: true, result: { message_id: 41 } } },
      asks: [['POST /bots3cret/sendMessage', { chat_id: '-100', text: expect.stringContaining(HOSTILE) }]],
      foreignId: '41',
    },
  ],
  [
    'Telegram has its message changed',
    {
      kind: 'telegram',
      settings: { recipient: '-100' },
      delivery: over('41'),
      says: { body: { ok: true, result: { message_id: 41 } } },
      asks: [
        [
          'POST /bots3cret/editMessageText',
          { chat_id: '-100', message_id: 41, text: expect.stringMatching(/^Resolved: /) },
        ],
      ],
      foreignId: '41',
    },
  ],
  [
    'Teams gets a card of text runs',
    {
      kind: 'teams',
      delivery: opened(),
      asks: [
        [
          'POST /hook',
          {
            type: 'message',
            attachments: [
              {
                content: {
                  type: 'AdaptiveCard',
                  body: expect.arrayContaining([
                    expect.objectContaining({
                      inlines: [expect.objectContaining({ type: 'TextRun', text: `Critical: ${HOSTILE}: Dark` })],
                    }),
                  ]),
                  actions: [{ type: 'Action.OpenUrl', url: MESSAGE.link }],
                },
              },
            ],
          },
        ],
      ],
    },
  ],
  ['Teams is told that it is over', { kind: 'teams', delivery: over(), asks: [['POST /hook', { type: 'message' }]] }],
]

const channelOf = (kind: Case['kind'], url: string, settings: object = {}): ChannelRow => ({
  id: 1,
  customer_id: null,
  user_id: null,
  name: 'Ops',
  recipient_confirmed_at: null,
  kind,
  settings: { address: url, recipient: '', user: '', issueType: '', transitionId: '', ...settings },
  secret: kind === 'teams' || kind === 'webhook' ? `${url}/hook` : 's3cret',
  signing: [],
})

const AUTHORIZED: Partial<Record<ChannelKind, string>> = {
  opsgenie: 'GenieKey s3cret',
  jira: `Basic ${Buffer.from('ada@a.example:s3cret').toString('base64')}`,
  servicenow: `Basic ${Buffer.from('ada:s3cret').toString('base64')}`,
}

test.each(CASES)('%s', async (_title, { kind, settings, delivery, says = {}, asks, foreignId }) => {
  const other = await outsideServer(() => ({ status: says.status ?? 202, ...(says.body && { body: says.body }) }))
  const told = await notifyOutside(channelOf(kind, other.url, settings), delivery, new Date())
  expect(told.outcome).toEqual({ is: 'done', ...(foreignId !== undefined && { foreignId }) })
  expect(other.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(asks.map(([request]) => request))
  for (const [index, [, content]] of asks.entries()) expect(other.requests[index]?.json).toMatchObject(content)
  for (const { headers } of other.requests) expect(headers.authorization).toBe(AUTHORIZED[kind])
})

/** Each kind has its own meaning of answers. */
test.each<[Case['kind'], Delivery, Partial<SeenRequest> & { status: number; body?: object }, object]>([
  ['pagerduty', opened(), { status: 429 }, { is: 'later' }],
  ['pagerduty', opened(), { status: 400, body: { status: 'invalid event' } }, { is: 'refused' }],
  ['opsgenie', over(), { status: 404 }, { is: 'refused' }],
  ['jira', changed('OPS-7'), { status: 404 }, { is: 'gone' }],
  ['jira', opened(), { status: 404 }, { is: 'refused' }],
  ['jira', opened(), { status: 401 }, { is: 'later' }],
  ['servicenow', over('a1'), { status: 404 }, { is: 'gone' }],
  [
    'telegram',
    changed('41'),
    { status: 400, body: { ok: false, description: 'Bad Request: message to edit not found' } },
    { is: 'gone' },
  ],
  [
    'telegram',
    changed('41'),
    { status: 400, body: { ok: false, description: 'Bad Request: message is not modified' } },
    { is: 'done' },
  ],
  [
    'telegram',
    opened(),
    { status: 429, body: { ok: false, parameters: { retry_after: 7 } } },
    { is: 'later', retryAfterMs: 7000 },
  ],
  ['telegram', opened(), { status: 404, body: { ok: false, description: 'Not Found' } }, { is: 'refused' }],
  ['teams', opened(), { status: 410 }, { is: 'refused' }],
  ['webhook', opened(), { status: 404 }, { is: 'refused' }],
])('%s: what it answers to %j', async (kind, delivery, { status, body }, outcome) => {
  const other = await outsideServer(() => ({ status, ...(body && { body }) }))
  const told = await notifyOutside(channelOf(kind, other.url, { recipient: 'x', user: 'ada' }), delivery, new Date())
  expect(told).toMatchObject({ outcome, status })
  expect(JSON.stringify(told)).not.toContain('s3cret')
})
