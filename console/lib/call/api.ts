import type { AnswerOf, BodyOf, Call, QueryOf } from '#contract/call/call.ts'
import { ERRORS, type ErrorBody } from '#contract/errors.ts'
import { QUEUED_HEADER } from '#contract/http/deviceSettings.ts'
import { CallFailed } from './CallFailed.ts'
import { fileNameOf } from './fileName.ts'
import { messages } from './messages.ts'
import { learnServerTime } from './serverClock.ts'
import { endSession, readSession } from './sessionStore.ts'

const BASE = '/api/'
/** A device has 10 s to answer a command; an answer later than this will not come. */
const ANSWER_WITHIN_MS = 30_000
const DOWNLOAD_WITHIN_MS = 300_000
/** Files go up slower than they come down. */
const UPLOAD_WITHIN_MS = 300_000
const UPLOAD_BYTES = 1024 * 1024

// biome-ignore lint/complexity/noBannedTypes: the empty object is what "nothing needed" looks like to the type system
type Part<Name extends string, Value> = {} extends Value
  ? { readonly [name in Name]?: Value | undefined }
  : { readonly [name in Name]: Value }

/** Query and body of a call; what the call does not take may be left out. */
export type Input<C extends Call> = Part<'query', QueryOf<C>> &
  Part<'body', BodyOf<C>> & { readonly signal?: AbortSignal | undefined }

type AnyInput = { readonly query?: unknown; readonly body?: unknown; readonly signal?: AbortSignal | undefined }

/** Calls the server by a contract entry. Every failure is a `CallFailed`, except an abort by `signal`. */
export async function send<C extends Call>(call: C, input: Input<C>): Promise<AnswerOf<C>> {
  return (await sendOrQueue(call, input)).answer
}

/** As `send`; `isQueued` when the server keeps the change until the device reconnects (decisions: Settings and commands). */
export async function sendOrQueue<C extends Call>(
  call: C,
  input: Input<C>,
): Promise<{ readonly answer: AnswerOf<C>; readonly isQueued: boolean }> {
  const isUpload = (call.largestBodyBytes ?? 0) > UPLOAD_BYTES
  const response = await request(call, input, isUpload ? UPLOAD_WITHIN_MS : ANSWER_WITHIN_MS)
  const text = await readBody(response.text(), input)
  const answer = (text === '' ? {} : parseAnswer(text, response.status)) as AnswerOf<C>
  return { answer, isQueued: response.headers.get(QUEUED_HEADER) === 'true' }
}

/** The answer of a call as a file, named as the server wishes, else `fallbackName`. */
export async function fetchFile<C extends Call>(
  call: C,
  input: Input<C>,
  fallbackName: string,
): Promise<{ readonly name: string; readonly blob: Blob }> {
  const response = await request(call, input, DOWNLOAD_WITHIN_MS)
  const blob = await readBody(response.blob(), input)
  return { name: fileNameOf(response.headers.get('content-disposition')) ?? fallbackName, blob }
}

/** The open answer of a streaming call; ends when `signal` aborts. */
export async function openStream<C extends Call>(
  call: C,
  input: Input<C> & { readonly signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await request(call, input, undefined)
  if (!response.body) throw new CallFailed('unexpected', response.status, messages.unexpectedAnswer(response.status))
  return response.body
}

async function request(call: Call, input: AnyInput, withinMs: number | undefined): Promise<Response> {
  const token = call.permission === 'public' ? undefined : readSession()?.accessToken
  let response: Response
  try {
    response = await fetch(...requestOf(call, input, token, withinMs))
  } catch (failure) {
    throw unreachable(failure, input)
  }
  learnServerTime(response.headers.get('date'), Date.now())
  if (response.ok) return response
  const failure = await failureOf(response)
  if (response.status === 401 && token !== undefined) endSession('expired', token)
  throw failure
}

function requestOf(
  call: Call,
  { query, body, signal }: AnyInput,
  token: string | undefined,
  withinMs: number | undefined,
): [string, RequestInit] {
  // A GET that changes something is sent as POST: addresses end up in logs, and browsers and proxies repeat GETs.
  const isPost = call.method === 'POST' || call.changes !== undefined
  const content = call.method === 'POST' ? body : { ...(query as object), ...(body as object) }
  const address = call.method === 'POST' || !isPost ? queryText(query) : ''
  const signals = [signal, withinMs === undefined ? undefined : AbortSignal.timeout(withinMs)]
  return [
    `${BASE}${call.path}${address}`,
    {
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept: call.answersWith === 'event-stream' ? 'text/event-stream' : 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isPost ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPost ? { body: JSON.stringify(content ?? {}) } : {}),
      signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
      // One cookie, for the limits of signing in: sessions are in the header alone.
      credentials: call.knowsBrowser ? 'same-origin' : 'omit',
      cache: 'no-store',
      redirect: 'error',
    },
  ]
}

/** Absent values are left out; lists become comma lists (P1 §7 `devices`, `measurements`). */
export function queryText(query: unknown): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

async function failureOf(response: Response): Promise<CallFailed> {
  const body = await response.json().catch(() => undefined)
  if (isErrorBody(body)) return new CallFailed(body.code, response.status, body.message || ERRORS[body.code].message)
  return new CallFailed('unexpected', response.status, messageIn(body) ?? messages.unexpectedAnswer(response.status))
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return typeof body.code === 'string' && Object.hasOwn(ERRORS, body.code) && typeof body.message === 'string'
}

function parseAnswer(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CallFailed('unexpected', status, messages.unexpectedAnswer(status))
  }
}

async function readBody<T>(reading: Promise<T>, input: AnyInput): Promise<T> {
  try {
    return await reading
  } catch (failure) {
    throw unreachable(failure, input)
  }
}

function unreachable(failure: unknown, { signal }: AnyInput): unknown {
  return signal?.aborted ? failure : new CallFailed('network', 0, messages.networkTrouble)
}
