import type { AnswerOf, BodyOf, Call, QueryOf } from '#contract/call/call.ts'
import { QUEUED_HEADER, UNANSWERED_HEADER } from '#contract/call/headers.ts'
import { ERROR_CODES } from '#contract/errorCodes.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { type Heard, hear, takeBegun } from './begunCalls.ts'
import { CallFailed, mayPass } from './CallFailed.ts'
import { ANSWER_WITHIN_MS, type AnyInput, requestOf } from './callRequest.ts'
import { fileNameOf } from './fileName.ts'
import { messages } from './messages.ts'
import { reach } from './reach.ts'
import { learnServerTime } from './serverClock.ts'
import { endSession, readSession } from './sessionStore.ts'
import { proveOnceMore } from './stepUp.ts'

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
  Part<'body', BodyOf<C>> & {
    readonly signal?: AbortSignal | undefined
    /** A UUID that all calls of one bulk action say: the audit log tells them together. */
    readonly bulkName?: string | undefined
    /** A UUID for what a call with `takesIdempotencyKey` creates once, however often it is asked. */
    readonly creationKey?: string | undefined
  }

/** Calls the server by a contract entry. Every failure is a `CallFailed`, except an abort by `signal`. */
export async function send<C extends Call>(call: C, input: Input<C>): Promise<AnswerOf<C>> {
  return (await sendOrQueue(call, input)).answer
}

/**
 * Sends like `send`; `isQueued` when the server keeps the change until the device reconnects (rules/commands 3),
 * `isUnanswered` when it was sent and the device may still answer.
 */
export async function sendOrQueue<C extends Call>(
  call: C,
  input: Input<C>,
): Promise<{ readonly answer: AnswerOf<C>; readonly isQueued: boolean; readonly isUnanswered: boolean }> {
  const isUpload = (call.largestBodyBytes ?? 0) > UPLOAD_BYTES
  const response = await request(call, input, isUpload ? UPLOAD_WITHIN_MS : ANSWER_WITHIN_MS)
  const text = await readBody(response.text(), input)
  const answer = (text === '' ? {} : parseAnswer(text, response.status)) as AnswerOf<C>
  const says = (header: string) => response.headers.get(header) === 'true'
  return { answer, isQueued: says(QUEUED_HEADER), isUnanswered: says(UNANSWERED_HEADER) }
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

/** As `requestOnce`; where the server wants to know first who it is, they are asked and the call is made once more. */
async function request(call: Call, input: AnyInput, withinMs: number | undefined): Promise<Response> {
  try {
    return await requestOnce(call, input, withinMs)
  } catch (failure) {
    if (!(failure instanceof CallFailed) || failure.code !== 'step_up_required') throw failure
    if (!(await proveOnceMore())) throw failure
    return requestOnce(call, input, withinMs)
  }
}

async function requestOnce(call: Call, input: AnyInput, withinMs: number | undefined): Promise<Response> {
  const token = call.permission === 'public' ? undefined : readSession()?.accessToken
  let heard: Heard
  try {
    const [address, init] = requestOf(call, input, token, withinMs)
    heard = await (begunFor(address, init, token) ?? hear(address, init))
  } catch (failure) {
    throw unreachable(failure, input)
  }
  const { response, atMs } = heard
  learnServerTime(response.headers.get('date'), atMs)
  if (response.ok) {
    reach.answered()
    return response
  }
  const failure = await failureOf(response)
  if (mayPass(failure)) reach.failed()
  else reach.answered()
  if (response.status === 401 && token !== undefined) endSession('expired', token)
  throw failure
}

const begunFor = (address: string, { method }: RequestInit, token: string | undefined) =>
  method === 'GET' ? takeBegun(address, token) : undefined

async function failureOf(response: Response): Promise<CallFailed> {
  const body = await response.json().catch(() => undefined)
  const code = isErrorBody(body) ? body.code : 'unexpected'
  const message = messageIn(body) ?? messages.unexpectedAnswer(response.status)
  return new CallFailed(code, response.status, message, isErrorBody(body) ? body.secondFactor : undefined)
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' && body.message !== '' ? body.message : undefined
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return ERROR_CODES.some((code) => code === body.code) && typeof body.message === 'string'
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
  if (signal?.aborted) return failure
  reach.failed()
  return new CallFailed('network', 0, messages.networkTrouble)
}
