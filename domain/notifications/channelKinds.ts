import { destinationOf } from '../secrets/movedSecrets.ts'
import { withoutEnd } from '../texts/withoutEnd.ts'
import { EMAIL_ADDRESS } from '../validation/emailAddress.ts'

/** Ways to tell somebody outside, in the order in which they are offered. */
export const CHANNEL_KINDS = [
  'mail',
  'webhook',
  'slack',
  'teams',
  'telegram',
  'ntfy',
  'pagerduty',
  'opsgenie',
  'jira',
  'servicenow',
] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Those whose other side can say that somebody has an incident, signed; `theirs`: by a secret that it gives out itself. */
export const INBOUND_SECRETS = {
  webhook: 'ours',
  pagerduty: 'theirs',
  opsgenie: 'ours',
  jira: 'theirs',
  servicenow: 'ours',
} as const satisfies Partial<Record<ChannelKind, 'ours' | 'theirs'>>
/** Of a secret that the other side gives out itself: whoever guesses it acknowledges incidents. Ours have 256 random bits. */
export const SHORTEST_INBOUND_SECRET = 32
export type InboundKind = keyof typeof INBOUND_SECRETS

export const isInboundKind = (kind: ChannelKind): kind is InboundKind => kind in INBOUND_SECRETS

/** What a channel is set to, beside its secret; empty: not set. */
export interface ChannelSettings {
  /** Where its server is. */
  readonly address: string
  /** Whom or where to: a mail address, a room, a chat, a topic, a project. */
  readonly recipient: string
  /** Who signs in there. */
  readonly user: string
  readonly issueType: string
  /** What closes an issue there. */
  readonly transitionId: string
}
export type ChannelField = keyof ChannelSettings
const CHANNEL_FIELDS: readonly ChannelField[] = ['address', 'recipient', 'user', 'issueType', 'transitionId']

interface FieldLabels {
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  /** What holds where it is empty. */
  readonly absent?: string
}

interface KindLabels {
  readonly label: string
  /** A message that was told can be told anew in its place, instead of beside it. */
  readonly updates: boolean
  /** What is told opens a ticket there, which somebody works on until it is closed. */
  readonly opensTicket?: true
  readonly fields: Partial<Readonly<Record<ChannelField, FieldLabels>>>
  /** What is kept and never shown. */
  readonly secret: (Omit<FieldLabels, 'absent'> & { readonly form: 'address' | 'token' | 'path' | 'any' }) | null
}

const token = (label: string, hint: string, isRequired = true) => ({ label, hint, isRequired, form: 'token' }) as const
const address = (hint: string, absent?: string): FieldLabels => ({
  label: 'Address',
  hint,
  isRequired: absent === undefined,
  ...(absent !== undefined && { absent }),
})

export const KINDS: Readonly<Record<ChannelKind, KindLabels>> = {
  mail: {
    label: 'E-mail',
    updates: false,
    fields: {
      recipient: {
        label: 'Recipient',
        hint: 'One e-mail address. It gets a link to confirm before anything is sent to it',
        isRequired: true,
      },
    },
    secret: null,
  },
  webhook: {
    label: 'Webhook',
    updates: true,
    fields: {},
    secret: {
      label: 'Address',
      hint: 'https://…, as the receiver gave it; it is kept as a secret',
      isRequired: true,
      form: 'address',
    },
  },
  slack: {
    label: 'Slack',
    updates: true,
    fields: {
      recipient: { label: 'Room', hint: 'Its ID, as in C0123456789', isRequired: true },
      address: address('Of the Web API', 'https://slack.com/api'),
    },
    secret: token('Bot token', 'xoxb-…, with the right chat:write'),
  },
  teams: {
    label: 'Microsoft Teams',
    updates: false,
    fields: {},
    secret: {
      label: 'Address of the workflow',
      hint: 'https://…, "When a Teams webhook request is received"',
      isRequired: true,
      form: 'address',
    },
  },
  telegram: {
    label: 'Telegram',
    updates: true,
    fields: {
      recipient: { label: 'Chat', hint: 'Its ID, as in -1001234567890, or @channel', isRequired: true },
      address: address('Of the Bot API', 'https://api.telegram.org'),
    },
    secret: { label: 'Bot token', hint: '123456:ABC…', isRequired: true, form: 'path' },
  },
  ntfy: {
    label: 'ntfy',
    updates: true,
    fields: {
      recipient: { label: 'Topic', hint: 'Anyone who knows it can read it', isRequired: true },
      address: address('Of the server', 'https://ntfy.sh'),
    },
    secret: token('Access token', 'tk_…, where the topic is protected', false),
  },
  pagerduty: {
    label: 'PagerDuty',
    updates: true,
    fields: { address: address('Of the Events API v2', 'https://events.pagerduty.com/v2/enqueue') },
    secret: token('Integration key', 'Of a service, for the Events API v2'),
  },
  opsgenie: {
    label: 'Opsgenie',
    updates: true,
    fields: { address: address('Of the API; https://api.eu.opsgenie.com in the EU', 'https://api.opsgenie.com') },
    secret: token('API key', 'Of an API integration'),
  },
  jira: {
    label: 'Jira',
    updates: true,
    opensTicket: true,
    fields: {
      address: address('https://….atlassian.net'),
      recipient: { label: 'Project', hint: 'Its key, as in OPS', isRequired: true },
      user: { label: 'User', hint: 'The e-mail address that the token belongs to', isRequired: true },
      issueType: { label: 'Issue type', hint: 'By its name', isRequired: false, absent: 'Task' },
      transitionId: {
        label: 'Transition that closes',
        hint: 'Its number; empty: an issue is commented on and stays open',
        isRequired: false,
      },
    },
    secret: token('API token', 'Of that user'),
  },
  servicenow: {
    label: 'ServiceNow',
    updates: true,
    opensTicket: true,
    fields: {
      address: address('https://….service-now.com'),
      user: { label: 'User', hint: 'With the right to write incidents', isRequired: true },
    },
    secret: { label: 'Password', hint: 'Of that user', isRequired: true, form: 'any' },
  },
}

/** What is wrong with one field; its name and the rest of a sentence. */
export interface ChannelFault {
  readonly field: ChannelField | 'secret'
  readonly says: string
}

const ADDRESS = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#@\\]*)?$/i
const SECRET_FORMS = {
  address: [/^https?:\/\/[^\s/?#@\\]+([/?][\x21-\x7e]*)?$/i, 'must be a whole address that begins with https://'],
  token: [/^[\x21-\x7e]+$/, 'must be letters, digits and signs without spaces'],
  path: [/^[\w:-]+$/, 'must be letters, digits, colons and dashes'],
  any: [/^[^\p{Cc}]+$/u, 'must hold no line ends'],
} as const

/**
 * What keeps a channel from being used, of what can be known without its server.
 *
 * @param secret undefined where the one that is kept stays
 */
export function channelFault(
  kind: ChannelKind,
  settings: ChannelSettings,
  secret: string | undefined,
): ChannelFault | undefined {
  const words = KINDS[kind]
  for (const field of CHANNEL_FIELDS) {
    const value = settings[field]
    const known = words.fields[field]
    if (known === undefined && value !== '') return { field, says: `does not belong to ${words.label}` }
    if (known?.isRequired && value === '') return { field, says: 'is required' }
  }
  if (settings.address !== '' && !ADDRESS.test(settings.address))
    return { field: 'address', says: 'must begin with https:// and hold neither a user, a question mark nor spaces' }
  if (kind === 'mail' && !EMAIL_ADDRESS.test(settings.recipient))
    return { field: 'recipient', says: 'must be one e-mail address' }
  if (settings.transitionId !== '' && !/^\d{1,10}$/.test(settings.transitionId))
    return { field: 'transitionId', says: 'must be a number' }
  return secret === undefined ? undefined : secretFault(words, secret)
}

function secretFault({ secret: known, label }: KindLabels, secret: string): ChannelFault | undefined {
  if (known === null) return secret === '' ? undefined : { field: 'secret', says: `does not belong to ${label}` }
  if (secret === '') return known.isRequired ? { field: 'secret', says: 'is required' } : undefined
  const [form, says] = SECRET_FORMS[known.form]
  return form.test(secret) ? undefined : { field: 'secret', says }
}

/** Where a channel sends its secret, and what it signs; empty for mails, which have none. */
export function channelDestination(kind: ChannelKind, settings: ChannelSettings, secret: string): string {
  const isAddress = KINDS[kind].secret?.form === 'address'
  return destinationOf(isAddress ? secret : settingOf(kind, settings, 'address'))
}

/** What is set, or holds where nothing is. Without a slash at its end. */
export function settingOf(kind: ChannelKind, settings: ChannelSettings, field: ChannelField): string {
  return withoutEnd(settings[field] || (KINDS[kind].fields[field]?.absent ?? ''), '/')
}
