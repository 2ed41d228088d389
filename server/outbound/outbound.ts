import { lookup } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import {
  chooseOutboundAddress,
  faultOfOutboundAddress,
  type OutboundAllowance,
  readAllowance,
} from '#domain/network/outboundTarget.ts'
import { SECOND_MS } from '#domain/units/time.ts'

/** The limit runs from the lookup of the address to the last byte of the answer. */
const LONGEST_MS = 10 * SECOND_MS
const LONGEST_ANSWER_BYTES = 64 * 1024
const LONGEST_HEADERS_BYTES = 16 * 1024

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** The address is absolute. It may hold a secret, so it is in no message and no log. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Exceptions for addresses beyond the internet do not apply to whoever entered this address. */
  readonly onlyInternet?: boolean
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The first 64 kB; less when it did not end in time. */
  readonly text: string
}

/**
 * `refused` means that we do not call there, or do not follow its redirect; `unreachable` that nobody answered, so
 * nothing is known to have arrived; `unanswered` that the request went out with an unknown result.
 */
export type OutboundFailureKind = 'refused' | 'unreachable' | 'unanswered'

/** Its message names the host and the reason, never the whole address nor what was sent. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly kind: OutboundFailureKind

  constructor(kind: OutboundFailureKind, reason: string) {
    super(reason)
    this.kind = kind
  }
}

export interface OutboundDeps {
  readonly allowed: readonly string[]
  /** Returns every address that a name has now. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  readonly longestMs?: number
}

/**
 * @throws OutboundFailure
 * @param signal ends the call early
 */
export type CallOutside = (asked: OutboundRequest, signal?: AbortSignal) => Promise<OutboundAnswer>

const resolveName = async (hostname: string) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)

/**
 * The server calls others by HTTP only through this (docs/decisions/0219). A name is resolved once and the connection
 * goes to exactly that address, under the requested name. Redirects are refused, and addresses outside the internet are
 * called only when a setting names them.
 */
export function createOutbound({ allowed, resolve = resolveName, longestMs = LONGEST_MS }: OutboundDeps): CallOutside {
  const allowances = allowed.map(readAllowance).filter((one): one is OutboundAllowance => one !== undefined)

  async function addressOf(url: URL, hostname: string, onlyInternet: boolean): Promise<string> {
    const fault = faultOfOutboundAddress(url)
    if (fault !== undefined) throw new OutboundFailure('refused', `The address ${fault}.`)
    const resolved = isIP(hostname)
      ? [hostname]
      : await resolve(hostname).catch((error: NodeJS.ErrnoException) => {
          throw new OutboundFailure('unreachable', `${hostname} could not be found (${error.code ?? 'no answer'}).`)
        })
    const choice = chooseOutboundAddress(url, resolved, onlyInternet ? [] : allowances)
    if ('refused' in choice) throw new OutboundFailure('refused', choice.refused)
    return choice.connectTo
  }

  return async (asked, signal) => {
    if (!URL.canParse(asked.url)) throw new OutboundFailure('refused', 'The address is none.')
    const url = new URL(asked.url)
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const ends = AbortSignal.any([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])])
    const found = addressOf(url, hostname, asked.onlyInternet === true)
    const connectTo = await Promise.race([found, whenOver(ends, hostname)])
    return exchange({ url, hostname, connectTo, asked, ends })
  }
}

const whenOver = (ends: AbortSignal, hostname: string) =>
  new Promise<never>((_, reject) => {
    ends.addEventListener('abort', () =>
      reject(new OutboundFailure('unreachable', `${hostname} was not found in time.`)),
    )
  })

interface Exchange {
  readonly url: URL
  readonly hostname: string
  readonly connectTo: string
  readonly asked: OutboundRequest
  readonly ends: AbortSignal
}

function exchange({ url, hostname, connectTo, asked, ends }: Exchange): Promise<OutboundAnswer> {
  const isTls = url.protocol === 'https:'
  const body = asked.body === undefined ? undefined : Buffer.from(asked.body)
  const options: RequestOptions = {
    method: asked.method,
    host: connectTo,
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: {
      'User-Agent': 'Wayside',
      Accept: 'application/json, text/plain;q=0.5',
      ...asked.headers,
      Host: url.host,
      Connection: 'close',
      ...(body && { 'Content-Length': String(body.length) }),
    },
    // Certificates need a name; numbers have none.
    ...(isTls && !isIP(hostname) && { servername: hostname }),
    agent: false,
    maxHeaderSize: LONGEST_HEADERS_BYTES,
    signal: ends,
  }
  return new Promise((resolve, reject) => {
    let wasSent = false
    let wasAnswered = false
    const { request } = process.getBuiltinModule(isTls ? 'node:https' : 'node:http')
    const sent = request(options, (answer) => {
      wasAnswered = true
      readAnswer(answer, hostname).then(resolve, reject)
    })
    sent.on('finish', () => {
      wasSent = sent.socket?.connecting === false
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The end of the answer decides the result.
      if (wasAnswered) return
      const reason = ends.aborted ? 'no answer in time' : reasonOf(error)
      reject(new OutboundFailure(wasSent ? 'unanswered' : 'unreachable', `${hostname}: ${reason}.`))
    })
    sent.end(body)
  })
}

/** The code is used, because messages of the system hold addresses. */
const reasonOf = ({ code, message }: NodeJS.ErrnoException) =>
  code === 'HPE_HEADER_OVERFLOW' ? 'answered with headers beyond all measure' : (code ?? message)

/** What arrived so far counts: the other side has the request. */
function readAnswer(answer: IncomingMessage, hostname: string): Promise<OutboundAnswer> {
  const status = answer.statusCode ?? 0
  if (status >= 300 && status < 400) {
    answer.destroy()
    const refusal = `${hostname} answered ${status}, which leads elsewhere: that is not followed.`
    return Promise.reject(new OutboundFailure('refused', refusal))
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const end = () =>
      resolve({
        status,
        headers: answer.headers,
        text: Buffer.concat(chunks).subarray(0, LONGEST_ANSWER_BYTES).toString(),
      })
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length >= LONGEST_ANSWER_BYTES) answer.destroy()
    })
    answer.on('error', end)
    answer.on('close', end)
  })
}
