import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Call } from '#contract/call/call.ts'
import { checkAnswer, checkedAsWhole, checkedRows } from '../answers/answerCheck.ts'
import { encoded, mayBeCompressed, sayCoding } from '../answers/answerEncoding.ts'
import { freeOnceSent } from '../answers/freedOnceSent.ts'
import { chunkStream, rowStream } from '../answers/rowStream.ts'
import type { CallError } from '../call/callError.ts'
import { attachmentHeader } from '../call/fileName.ts'
import { loggable } from '../call/refusal.ts'
import type { FairShare } from '../limits/fairShare.ts'
import type { Made } from './runCall.ts'

type MadeOf<Kind extends Made['kind']> = Extract<Made, { kind: Kind }>

export interface SendDeps {
  readonly checksAnswers: boolean
  readonly log: Logger
  readonly heavyReads: FairShare
}

/** Sends the result of a handler, and gives the caller's place back when it was read. */
export async function sendAnswer(reply: FastifyReply, call: Call, made: Made, deps: SendDeps): Promise<FastifyReply> {
  const { checksAnswers } = deps
  if (made.kind === 'rows') return sendRows(reply, call, made, deps)
  if (made.kind === 'parts') {
    return sendParts(reply, call, checksAnswers ? { ...made, parts: checkedAsWhole(call, made.parts) } : made, deps)
  }
  if (made.kind === 'text') {
    if (reply.raw.closed) made.leave()
    else reply.raw.once('close', made.leave)
    if (checksAnswers) checkAnswer(call, JSON.parse(made.text), true)
    return sendEncoded(reply, call, made.text)
  }
  if (made.kind === 'file') {
    const { fileName, content } = made.answer as { fileName: string; content: unknown }
    checkAnswer(call, content, checksAnswers)
    reply.header('content-disposition', attachmentHeader(fileName))
    return sendJson(reply, `${JSON.stringify(content, null, 2)}\n`)
  }
  if (made.kind === 'pdf') {
    reply.header('content-disposition', attachmentHeader(made.answer.fileName))
    return reply.header('content-type', 'application/pdf').send(made.answer.pdf)
  }
  checkAnswer(call, made.answer, checksAnswers)
  return sendEncoded(reply, call, JSON.stringify(made.answer))
}

async function sendRows(reply: FastifyReply, call: Call, { rows, user, leave }: MadeOf<'rows'>, deps: SendDeps) {
  const { checksAnswers, heavyReads } = deps
  if ('parts' in rows) {
    const checked = checksAnswers ? checkedRows(call, rows.parts) : rows.parts
    return sendParts(reply, call, { ...rows, parts: heavyReads.parts(user, checked), leave }, deps)
  }
  const inPlaces = (chunks: AsyncGenerator<string, void>) => heavyReads.parts(user, chunks)
  const checkRows = checksAnswers ? (some: readonly unknown[]) => checkAnswer(call, some, true) : undefined
  const onEnd = (fault: unknown) => endStream(reply, call, fault, leave, deps)
  return sendEncoded(reply, call, await rowStream({ rows, checkRows, inPlaces, onEnd }))
}

async function sendParts(
  reply: FastifyReply,
  call: Call,
  { parts, coding, leave }: Omit<MadeOf<'parts'>, 'kind'>,
  deps: SendDeps,
) {
  const sent = await chunkStream(parts, (fault) => endStream(reply, call, fault, leave, deps))
  freeOnceSent(reply.raw)
  if (coding === undefined) return sendEncoded(reply, call, sent)
  sayCoding(reply, coding)
  return sendJson(reply, sent)
}

function endStream(reply: FastifyReply, call: Call, fault: unknown, leave: () => void, { log }: SendDeps): void {
  leave()
  if (fault === undefined) return
  log.error({ requestId: reply.request.id, call: call.path, fault: loggable(fault) }, 'a stream was cut')
}

/** @param proof names what an unauthenticated caller has to bring */
export function sendRefusal(reply: FastifyReply, refusal: CallError, proof = 'Bearer'): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  if (refusal.status === 401) reply.header('www-authenticate', proof)
  // The unread rest of a body must not be taken for the next request on the connection.
  if (refusal.status === 413 || refusal.status === 415) reply.header('connection', 'close')
  if (refusal.status === 500) reply.header('x-request-id', reply.request.id)
  return sendJson(reply.code(refusal.status), JSON.stringify(refusal.body))
}

async function sendEncoded(reply: FastifyReply, call: Call, json: string | Readable): Promise<FastifyReply> {
  return sendJson(reply, mayBeCompressed(call) ? await encoded(reply, json) : json)
}

function sendJson(reply: FastifyReply, json: string | Buffer | Readable): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}
