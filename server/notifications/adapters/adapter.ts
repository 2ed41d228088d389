import type { ChannelSettings } from '#domain/notifications/channelKinds.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { OutboundAnswer, OutboundRequest } from '#server/outbound/outbound.ts'
import type { IncidentMessage } from './messageTexts.ts'

/** What a channel needs to know of itself to tell something. */
export interface ChannelWays {
  readonly settings: ChannelSettings
  readonly secret: string
  /** By which a webhook signs, the newest first; both while one takes the place of the other. */
  readonly signing: readonly string[]
}

/** What is to be told. `key` names it, the same for every try; of one incident it stays, `revision` counts what it says. */
export type Telling =
  | {
      readonly what: 'opened' | 'changed' | 'over'
      readonly message: IncidentMessage
      readonly key: string
      readonly revision: number
      /** By which the other side knows what it was told before; undefined: nothing yet. */
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
 * `done` with what the other side calls it. `later`: not now, this or anything. `refused`: not this. `gone`: what was to be
 * told anew is not there any more.
 */
export type Outcome =
  | { readonly is: 'done'; readonly foreignId?: string }
  | { readonly is: 'later'; readonly reason: string; readonly retryAfterMs?: number | undefined }
  | { readonly is: 'refused' | 'gone'; readonly reason: string }

/** One kind of channel, as pure functions: what is sent, one request after the other, and what an answer means. */
export interface Adapter {
  readonly requests: (ways: ChannelWays, telling: Telling, now: Date) => readonly OutboundRequest[]
  readonly read: (answer: OutboundAnswer, telling: Telling) => Outcome
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

/** A token that is refused may be mended within the day; what comes too often or too soon goes later. */
const NOT_NOW = [401, 403, 407, 408, 425, 429]

/** What every kind reads of a status alike: a server in trouble may take it later, one that refuses will not. */
export function outcomeOfStatus({ status, headers, text }: OutboundAnswer): Outcome {
  if (status >= 200 && status < 300) return { is: 'done' }
  const reason = `HTTP ${status}${text === '' ? '' : `: ${excerptOf(text)}`}`
  if (status >= 500 || NOT_NOW.includes(status))
    return { is: 'later', reason, retryAfterMs: retryAfterOf(headers['retry-after'], headers.date) }
  return { is: status === 404 || status === 410 ? 'gone' : 'refused', reason }
}

/** Where nothing is looked for by its name, what is not found is the address itself. */
export const notGone = (outcome: Outcome): Outcome =>
  outcome.is === 'gone' ? { is: 'refused', reason: outcome.reason } : outcome

/** Seconds or a date, which is compared with the other side's own clock. */
function retryAfterOf(text: string | undefined, date: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const ms = Date.parse(text) - Date.parse(date ?? '')
  return ms > 0 ? ms : undefined
}

const LONGEST_EXCERPT = 300

/** In one line, of what somebody else wrote. */
export const excerptOf = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_EXCERPT)

/** The answer as an object; an empty one where it is none. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A text or a number within an object, as text; undefined for anything else. */
export function textAt(within: unknown, ...path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (found, name) =>
      typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined,
    within,
  )
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** With the name by which an answer calls it. */
export function doneAs(foreignId: string | undefined): Outcome {
  return foreignId === undefined || foreignId === '' ? { is: 'done' } : { is: 'done', foreignId }
}
