import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Call } from '#contract/call/call.ts'
import type { CallError } from '../call/callError.ts'
import { attachmentHeader } from '../call/fileName.ts'
import { loggable } from '../call/refusal.ts'
import type { MadeApart } from '../call/route.ts'
import type { FairShare } from '../limits/fairShare.ts'
import { checkAnswer, checkedAsWhole, checkedRows } from './answerCheck.ts'
import { encoded, mayBeCompressed, sayCoding } from './answerEncoding.ts'
import { freeOnceSent } from './freedOnceSent.ts'
import { chunkStream, rowStream } from './rowStream.ts'

/** What a handler has made, before any of it is sent. */
export type Made =
  | { readonly kind: 'answer' | 'file'; readonly answer: unknown }
  | ({ readonly kind: 'text'; readonly text: string | Buffer } & Placed)
  | (MadeApart & { readonly kind: 'parts' } & Placed)

interface Placed {
  /** Gives the place of the caller back, once the answer was sent: a reader that takes nothing keeps it in memory. */
  readonly leave: () => void
}

interface RowsToSend extends Placed {
  readonly call: Call
  readonly user: string
  readonly rows: AsyncIterable<unknown> | MadeApart
}

export interface AnswerSenderDeps {
  /** Refuse to send an answer that is not exactly what the contract says. */
  readonly checksAnswers: boolean
  readonly log: Logger
  readonly heavy: FairShare
}

export function createAnswerSender({ checksAnswers, log, heavy }: AnswerSenderDeps) {
  function made(reply: FastifyReply, call: Call, answer: Made) {
    if (answer.kind === 'parts') return parts(reply, call, answer)
    if (answer.kind === 'text') {
      if (reply.raw.closed) answer.leave()
      else reply.raw.once('close', answer.leave)
      if (checksAnswers) checkAnswer(call, JSON.parse(String(answer.text)), true)
      return sendAnswer(reply, call, answer.text)
    }
    if (answer.kind === 'file') {
      const { fileName, content } = answer.answer as { fileName: string; content: unknown }
      checkAnswer(call, content, checksAnswers)
      return sendJson(
        reply.header('content-disposition', attachmentHeader(fileName)),
        `${JSON.stringify(content, null, 2)}\n`,
      )
    }
    checkAnswer(call, answer.answer, checksAnswers)
    return sendAnswer(reply, call, JSON.stringify(answer.answer))
  }

  async function rows(reply: FastifyReply, { call, user, rows: all, leave }: RowsToSend) {
    if ('parts' in all) {
      const checked = checksAnswers ? checkedRows(call, all.parts) : all.parts
      return parts(reply, call, { ...all, parts: heavy.parts(user, checked), leave }, false)
    }
    const inPlaces = (chunks: AsyncGenerator<string, void>) => heavy.parts(user, chunks)
    const checkRows = checksAnswers ? (some: readonly unknown[]) => checkAnswer(call, some, true) : undefined
    return sendAnswer(
      reply,
      call,
      await rowStream({ rows: all, checkRows, inPlaces, onEnd: ended(reply, call, leave) }),
    )
  }

  async function parts(
    reply: FastifyReply,
    call: Call,
    { parts: all, coding, leave }: MadeApart & Placed,
    isWhole = true,
  ) {
    const checked = checksAnswers && isWhole ? checkedAsWhole(call, all) : all
    const sent = await chunkStream(checked, ended(reply, call, leave))
    freeOnceSent(reply.raw)
    if (coding === undefined) return sendAnswer(reply, call, sent)
    sayCoding(reply, coding)
    return sendJson(reply, sent)
  }

  const ended = (reply: FastifyReply, call: Call, leave: () => void) => (fault: unknown) => {
    leave()
    if (fault === undefined) return
    log.error({ requestId: reply.request.id, call: call.path, fault: loggable(fault) }, 'a stream was cut')
  }

  return { made, rows }
}

/** @param proof what a caller who is not known has to bring */
export function sendRefusal(reply: FastifyReply, refusal: CallError, proof = 'Bearer'): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  if (refusal.status === 401) reply.header('www-authenticate', proof)
  // The rest of a body that nobody will read must not be taken for the next request.
  if (refusal.status === 413 || refusal.status === 415) reply.header('connection', 'close')
  if (refusal.status === 500) reply.header('x-request-id', reply.request.id)
  return sendJson(reply.code(refusal.status), JSON.stringify(refusal.body))
}

async function sendAnswer(reply: FastifyReply, call: Call, json: string | Buffer | Readable): Promise<FastifyReply> {
  return sendJson(reply, mayBeCompressed(call) ? await encoded(reply, json) : json)
}

function sendJson(reply: FastifyReply, json: string | Buffer | Readable): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}
