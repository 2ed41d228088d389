import type { AnswerOf, BodyOf, Call, QueryOf } from '#contract/call/call.ts'
import { QUEUED_HEADER, UNANSWERED_HEADER } from '#contract/call/headers.ts'
import { ERROR_CODES } from '#contract/errorCodes.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { type Heard, hear, takeBegun } from './begunCalls.ts'
import { CallFailed, mayPass } from './CallFailed.ts'
import { ANSWER_WITHIN_MS, type AnyInput, requestOf } from './callRequest.ts'
import { fileNameOf } from './fileName.ts'
import { reach } from './reach.ts'
import { learnServerTime } from './serverClock.ts'
import { endSession, readSession } from './sessionStore.ts'
import { startMessages } from './startMessages.ts'
import { proveOnceMore } from './stepUp.ts'

const DOWNLOAD_WITHIN_MS = 300_000
const UPLOAD_WITHIN_MS = 300_000
const UPLOAD_BYTES = 1024 * 1024

// biome-ignore lint/complexity/noBannedTypes: the empty object is what "nothing needed" looks like to the type system
type Part<Name extends string, Value> = {} extends Value
  ? { readonly [name in Name]?: Value | undefined }
  : { readonly [name in Name]: Value }

/** Query and body of a call; a part that the call does not take may be left out. */
export type Input<C extends Call> = Part<'query', QueryOf<C>> &
  Part<'body', BodyOf<C>> & {
    readonly signal?: AbortSignal | undefined
    /** All calls of one bulk action carry the same UUID, by which the audit log groups them. */
    readonly bulkName?: string | undefined
    /** A call with `takesIdempotencyKey` creates its record once for each UUID, however often it is made. */
    readonly creationKey?: string | undefined
  }

/** It calls the server by a contract entry. Every failure is a `CallFailed`, except an abort by `signal`. */
export async function send<C extends Call>(call: C, input: Input<C>): Promise<AnswerOf<C>> {
  return (await sendOrQueue(call, input)).answer
}

/**
 * It sends like `send`; `isQueued` means that the server keeps the change until the device reconnects
 * (rules/commands 3), `isUnanswered` that it was sent and the device may still answer.
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

/** It returns the answer as a file with the server's name, otherwise `fallbackName`. */
export async function fetchFile<C extends Call>(
  call: C,
  input: Input<C>,
  fallbackName: string,
): Promise<{ readonly name: string; readonly blob: Blob }> {
  const response = await request(call, input, DOWNLOAD_WITHIN_MS)
  const blob = await readBody(response.blob(), input)
  return { name: fileNameOf(response.headers.get('content-disposition')) ?? fallbackName, blob }
}

/** It returns the open answer of a streaming call, which ends when `signal` aborts. */
export async function openStream<C extends Call>(
  call: C,
  input: Input<C> & { readonly signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await request(call, input, undefined)
  if (!response.body)
    throw new CallFailed('unexpected', response.status, startMessages.unexpectedAnswer(response.status))
  return response.body
}

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
  const message = messageIn(body) ?? startMessages.unexpectedAnswer(response.status)
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
    throw new CallFailed('unexpected', status, startMessages.unexpectedAnswer(status))
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
  return new CallFailed('network', 0, startMessages.networkTrouble)
}
