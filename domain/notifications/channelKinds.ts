import { destinationOf } from '../secrets/movedSecrets.ts'
import { withoutEnd } from '../texts/withoutEnd.ts'
import { EMAIL_ADDRESS } from '../validation/emailAddress.ts'

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

/** These channels accept signed acknowledgements; `theirs` means that the other side issues the secret. */
export const INBOUND_SECRETS = {
  webhook: 'ours',
  pagerduty: 'theirs',
  opsgenie: 'ours',
  jira: 'theirs',
  servicenow: 'ours',
} as const satisfies Partial<Record<ChannelKind, 'ours' | 'theirs'>>
/** Whoever guesses a secret that the other side issues can acknowledge incidents. Ours have 256 random bits. */
export const SHORTEST_INBOUND_SECRET = 32
export type InboundKind = keyof typeof INBOUND_SECRETS

export const isInboundKind = (kind: ChannelKind): kind is InboundKind => kind in INBOUND_SECRETS

/** The settings of a channel beside its secret; empty when not set. */
export interface ChannelSettings {
  readonly address: string
  /** The recipient: an e-mail address, a room, a chat, a topic or a project. */
  readonly recipient: string
  readonly user: string
  readonly issueType: string
  /** The action that closes an issue there. */
  readonly transitionId: string
}
export type ChannelField = keyof ChannelSettings
const CHANNEL_FIELDS: readonly ChannelField[] = ['address', 'recipient', 'user', 'issueType', 'transitionId']

interface FieldLabels {
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  /** The default for an empty value. */
  readonly absent?: string
}

interface KindLabels {
  readonly label: string
  /** A sent message can be replaced, instead of followed by another. */
  readonly updates: boolean
  /** A message opens a ticket there, which somebody works on until it is closed. */
  readonly opensTicket?: true
  readonly fields: Partial<Readonly<Record<ChannelField, FieldLabels>>>
  /** The secret is kept and never shown. */
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
      address: address('The Web API of Slack', 'https://slack.com/api'),
    },
    secret: token('Bot token', 'xoxb-…, with the scope chat:write'),
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
      address: address('The Bot API of Telegram', 'https://api.telegram.org'),
    },
    secret: { label: 'Bot token', hint: '123456:ABC…', isRequired: true, form: 'path' },
  },
  ntfy: {
    label: 'ntfy',
    updates: true,
    fields: {
      recipient: { label: 'Topic', hint: 'Anyone who knows it can read it', isRequired: true },
      address: address('Your ntfy server', 'https://ntfy.sh'),
    },
    secret: token('Access token', 'tk_…, where the topic is protected', false),
  },
  pagerduty: {
    label: 'PagerDuty',
    updates: true,
    fields: { address: address('The Events API v2 of PagerDuty', 'https://events.pagerduty.com/v2/enqueue') },
    secret: token('Integration key', 'The key of a service for the Events API v2'),
  },
  opsgenie: {
    label: 'Opsgenie',
    updates: true,
    fields: {
      address: address('The API of Opsgenie; in the EU https://api.eu.opsgenie.com', 'https://api.opsgenie.com'),
    },
    secret: token('API key', 'The key of an API integration'),
  },
  jira: {
    label: 'Jira',
    updates: true,
    opensTicket: true,
    fields: {
      address: address('https://….atlassian.net'),
      recipient: { label: 'Project', hint: 'Its key, as in OPS', isRequired: true },
      user: { label: 'User', hint: 'The e-mail address that the token belongs to', isRequired: true },
      issueType: { label: 'Issue type', hint: 'Its name', isRequired: false, absent: 'Task' },
      transitionId: {
        label: 'Transition that closes',
        hint: 'Its number. Leave empty to comment on the issue and keep it open',
        isRequired: false,
      },
    },
    secret: token('API token', 'Belongs to the user above'),
  },
  servicenow: {
    label: 'ServiceNow',
    updates: true,
    opensTicket: true,
    fields: {
      address: address('https://….service-now.com'),
      user: { label: 'User', hint: 'Must have the right to write incidents', isRequired: true },
    },
    secret: { label: 'Password', hint: 'Belongs to the user above', isRequired: true, form: 'any' },
  },
}

/** The name of a field with a fault, and the rest of a sentence about it. */
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
 * Returns what keeps a channel from being used, as far as that is known without its server.
 *
 * @param secret undefined if the stored one stays
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

/** Returns where a channel sends its secret and its signed messages; empty for mail, which has none. */
export function channelDestination(kind: ChannelKind, settings: ChannelSettings, secret: string): string {
  const isAddress = KINDS[kind].secret?.form === 'address'
  return destinationOf(isAddress ? secret : settingOf(kind, settings, 'address'))
}

/** Returns the setting or its default, without a slash at its end. */
export function settingOf(kind: ChannelKind, settings: ChannelSettings, field: ChannelField): string {
  return withoutEnd(settings[field] || (KINDS[kind].fields[field]?.absent ?? ''), '/')
}
