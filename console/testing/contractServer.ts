import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AnswerOf, BULK_HEADER, type Call } from '#contract/call/call.ts'
import { QUEUED_HEADER, UNANSWERED_HEADER } from '#contract/call/headers.ts'
import type { ErrorCode, SecondFactorRequest } from '#contract/errors.ts'
import { ERRORS } from '#contract/errors.ts'
import { LIVE_EVENTS, watch } from '#contract/http/live.ts'

const LEFT_WITHIN_MS = 2_000

export interface SentRequest {
  readonly path: string
  readonly method: string
  /** It joins the parameters of the address, as text, and those of the body, as they are. */
  readonly values: Readonly<Record<string, unknown>>
  readonly bulkName: string | undefined
}

type Said<C extends Call> = AnswerOf<C> | Refusal | Queued | Unanswered
type Answer<C extends Call> = Said<C> | ((request: SentRequest) => Said<C> | Promise<Said<C>>)

export class Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly secondFactor: SecondFactorRequest | undefined
  /**
   * @param message the device's words, where the code alone does not say them
   * @param secondFactor belongs to `second_factor_required`
   */
  constructor(code: ErrorCode, message: string = ERRORS[code].message, secondFactor?: SecondFactorRequest) {
    this.code = code
    this.message = message
    this.secondFactor = secondFactor
  }
}

/** The empty list is the answer when the change waits for the device. */
export class Queued {
  readonly isQueued = true
}

/** The device was sent the change and has not answered: the change is kept, and may still be applied. */
export class Unanswered {
  readonly errors: readonly string[]
  constructor(...errors: readonly string[]) {
    this.errors = errors
  }
}

/**
 * It starts a real HTTP server on this machine that answers calls of the contract as a test says, so that a screen is
 * tested with everything between it and the wire. Answers are checked against the contract before they are sent.
 */
export async function startContractServer() {
  const answers = new Map<string, { readonly call: Call; readonly answer: unknown }>()
  const files = new Map<string, unknown>()
  const requests: SentRequest[] = []
  const streams = new Map<ServerResponse, SentRequest>()

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming)
    requests.push(request)
    if (files.has(incoming.url ?? '')) return response.end(JSON.stringify(files.get(incoming.url ?? '')))
    if (request.path === watch.path) return openStream(response, request, streams)
    const known = answers.get(request.path)
    const value = typeof known?.answer === 'function' ? await known.answer(request) : known?.answer
    if (!known) return refuse(response, new Refusal('unknown_call'))
    if (value instanceof Refusal) return refuse(response, value)
    response.setHeader('content-type', 'application/json')
    if (value instanceof Queued) {
      response.setHeader(QUEUED_HEADER, 'true')
      return response.end('[]')
    }
    if (value instanceof Unanswered) response.setHeader(UNANSWERED_HEADER, 'true')
    response.end(JSON.stringify(known.call.answer.parse(value instanceof Unanswered ? value.errors : value)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    requestsTo: (call: Call) => requests.filter(({ path }) => path === call.path),
    answer<C extends Call>(call: C, answer: Answer<C>) {
      answers.set(call.path, { call, answer })
    },
    serve(address: string, content: unknown) {
      files.set(address, content)
    },
    /** It returns what the newest open stream watches, or undefined while there is none. */
    watched: () => [...streams.values()].at(-1)?.values,
    emit(name: keyof typeof LIVE_EVENTS, data: unknown) {
      const text = `event: ${name}\ndata: ${JSON.stringify(LIVE_EVENTS[name].parse(data))}\n\n`
      for (const stream of streams.keys()) stream.write(text)
    },
    watcherCount: () => streams.size,
    /** Each stream is given the reason, for example that more are open than the server has places for. */
    endStreams(ended: unknown) {
      const text = `event: ended\ndata: ${JSON.stringify(LIVE_EVENTS.ended.parse(ended))}\n\n`
      for (const stream of streams.keys()) stream.end(text)
    },
    dropStreams() {
      for (const stream of streams.keys()) stream.destroy()
    },
    /** An open stream is left to the console, which would answer its loss by reading everything again. */
    stop() {
      server.close()
      server.closeIdleConnections()
      setTimeout(() => server.closeAllConnections(), LEFT_WITHIN_MS).unref()
    },
  }
}
export type ContractServer = Awaited<ReturnType<typeof startContractServer>>

function openStream(response: ServerResponse, request: SentRequest, streams: Map<ServerResponse, SentRequest>) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: ready\ndata: {}\n\n')
  streams.set(response, request)
  response.on('close', () => streams.delete(response))
}

function refuse(response: ServerResponse, { code, message, secondFactor }: Refusal) {
  response.writeHead(ERRORS[code].status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code, message, secondFactor }))
}

async function readRequest(incoming: IncomingMessage): Promise<SentRequest> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  let text = ''
  for await (const chunk of incoming) text += chunk
  const body = text === '' ? {} : (JSON.parse(text) as object)
  return {
    path: url.pathname.replace(/^\/api\//, ''),
    method: incoming.method ?? '',
    values: { ...Object.fromEntries(url.searchParams), ...body },
    bulkName: incoming.headers[BULK_HEADER.toLowerCase()]?.toString(),
  }
}
