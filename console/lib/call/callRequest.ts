import { BULK_HEADER, type Call } from '#contract/call/call.ts'
import { BIND_HEADER, IDEMPOTENCY_HEADER } from '#contract/call/headers.ts'

const BASE = '/api/'

export interface AnyInput {
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly bulkName?: string | undefined
  readonly creationKey?: string | undefined
}

/** A device has 10 s to answer a command, so an answer later than this will not come. */
const ACCEPTED: Readonly<Record<string, string>> = { pdf: 'application/pdf', 'event-stream': 'text/event-stream' }

export const ANSWER_WITHIN_MS = 30_000

export function requestOf(
  call: Call,
  { query, body, signal, bulkName, creationKey }: AnyInput,
  token: string | undefined,
  withinMs: number | undefined,
): [string, RequestInit] {
  // A GET that changes something is sent as POST, because addresses end up in logs, and browsers and proxies repeat
  // GETs.
  const isPost = call.method === 'POST' || call.changes !== undefined
  const content = call.method === 'POST' ? body : { ...(query as object), ...(body as object) }
  const address = call.method === 'POST' || !isPost ? queryText(query) : ''
  const signals = [signal, withinMs === undefined ? undefined : AbortSignal.timeout(withinMs)]
  return [
    `${BASE}${call.path}${address}`,
    {
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept: ACCEPTED[call.answersWith ?? 'file'] ?? 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(bulkName === undefined ? {} : { [BULK_HEADER]: bulkName }),
        ...(creationKey === undefined ? {} : { [IDEMPOTENCY_HEADER]: creationKey }),
        // A browser without cookies could not send the session cookie back.
        ...(call.beginsSession && navigator.cookieEnabled ? { [BIND_HEADER]: 'cookie' } : {}),
        ...(isPost ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPost ? { body: JSON.stringify(content ?? {}) } : {}),
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
      // Cookies serve the limits of signing in, and carry the session cookie, which no script can read and which alone
      // opens nothing.
      credentials: call.knowsBrowser || call.beginsSession || token !== undefined ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
    },
  ]
}

/** An absent value is left out; lists become comma lists (rules/calls 13). */
export function queryText(query: unknown): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
