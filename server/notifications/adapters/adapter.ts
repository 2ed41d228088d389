import type { ChannelSettings } from '#domain/notifications/channelKinds.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { OutboundAnswer, OutboundRequest } from '#server/outbound/outbound.ts'
import type { IncidentMessage } from './messageTexts.ts'

/** A channel's settings and secrets, as sending needs them. */
export interface ChannelWays {
  readonly settings: ChannelSettings
  readonly secret: string
  /** The keys that sign a webhook, newest first; both are used while one replaces the other. */
  readonly signing: readonly string[]
}

/** What is sent. `key` names it for every try; for one incident it stays, and `revision` counts what it says. */
export type Delivery =
  | {
      readonly what: 'opened' | 'changed' | 'over'
      readonly message: IncidentMessage
      readonly key: string
      readonly revision: number
      /** The other side's name for the earlier message; undefined for the first. */
      readonly foreignId: string | undefined
    }
  | {
      readonly what: 'digest'
      readonly messages: readonly IncidentMessage[]
      readonly key: string
      readonly listLink: string
    }
  | { readonly what: 'test'; readonly key: string; readonly channelName: string }

/**
 * `done` has the other side's name for it. `later` means not now, neither this nor anything else; `refused` not this;
 * `gone` that the message to update no longer exists there.
 */
export type Outcome =
  | { readonly is: 'done'; readonly foreignId?: string }
  | { readonly is: 'later'; readonly reason: string; readonly retryAfterMs?: number | undefined }
  | { readonly is: 'refused' | 'gone'; readonly reason: string }

/** One kind of channel as pure functions: the requests to send one after the other, and the meaning of an answer. */
export interface Adapter {
  readonly requests: (ways: ChannelWays, delivery: Delivery, now: Date) => readonly OutboundRequest[]
  readonly read: (answer: OutboundAnswer, delivery: Delivery) => Outcome
}

export const postJson = (
  url: string,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(content),
})

export const basicAuth = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

/** An operator may mend a refused token within the day; what comes too often or too soon is sent later. */
const NOT_NOW = [401, 403, 407, 408, 425, 429]

/** Every kind reads a status in this way: a server in trouble may take the message later, one that refuses will not. */
export function outcomeOfStatus({ status, headers, text }: OutboundAnswer): Outcome {
  if (status >= 200 && status < 300) return { is: 'done' }
  const reason = `HTTP ${status}${text === '' ? '' : `: ${excerptOf(text)}`}`
  if (status >= 500 || NOT_NOW.includes(status))
    return { is: 'later', reason, retryAfterMs: retryAfterOf(headers['retry-after'], headers.date) }
  return { is: status === 404 || status === 410 ? 'gone' : 'refused', reason }
}

/** Nothing is looked up by its name there, so what is not found is the address itself. */
export const notGone = (outcome: Outcome): Outcome =>
  outcome.is === 'gone' ? { is: 'refused', reason: outcome.reason } : outcome

/** It holds seconds, or a date that is compared with the other side's own clock. */
function retryAfterOf(text: string | undefined, date: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const ms = Date.parse(text) - Date.parse(date ?? '')
  return ms > 0 ? ms : undefined
}

const LONGEST_EXCERPT = 300

/** Shortens a foreign text to one line. */
export const excerptOf = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_EXCERPT)

/** Returns the answer as an object; an empty one when it is none. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Returns a text or a number within an object as text; undefined for anything else. */
export function textAt(within: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined,
    within,
  )
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

export function doneAs(foreignId: string | undefined): Outcome {
  return foreignId === undefined || foreignId === '' ? { is: 'done' } : { is: 'done', foreignId }
}
