import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { AuditedChange } from '#contract/call/call.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Audit } from '../call/audit.store.ts'
import type { CallError } from '../call/callError.ts'
import { refuseCrossSite } from '../call/navigationGuard.ts'
import { type OpenChange, openChange } from '../call/openChange.ts'
import { loggable, refusalOf } from '../call/refusal.ts'
import type { ChangeRecord } from '../call/route.ts'
import type { Admission } from '../limits/admission.ts'
import { askerRefusal, type LimitRefusals } from '../limits/LimitRefusals.store.ts'
import { RateLimited } from '../limits/rateLimits.ts'
import { sendRefusal } from '../perform/sendAnswer.ts'
import { readAll } from '../reading/readJsonBody.ts'

export interface OpenPageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface OpenPageRequest {
  /** The parameters of the path, not decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** It is empty where the page changes nothing. */
  readonly body: Buffer
  readonly change: ChangeRecord
}

/**
 * A page that people open without signing in, or an address for other systems. It is no call of the contract, because
 * its answer is a page or its body must be seen byte by byte. A change leaves one audit row, as calls do.
 */
export interface OpenPage {
  /** The path, with parameters as `:name`. They may be secrets, so no log has them. */
  readonly path: string
  /** The audit log and the limits name the page so. */
  readonly name: string
  /** Present exactly when the page changes something; it is then a POST, else a GET. */
  readonly changes?: AuditedChange
  /** The page sends a mail to an address that somebody typed. */
  readonly asksForMail?: true
  readonly largestBodyBytes?: number
  readonly run: (request: OpenPageRequest) => Promise<OpenPageAnswer>
  /** Makes the answer of a refusal; without it the answer is that of a call. */
  readonly refused?: (refusal: CallError) => OpenPageAnswer
}

export interface OpenPagesDeps {
  readonly audit: Audit
  readonly admission: Pick<Admission, 'publicRead' | 'publicChange' | 'mailRequested'>
  readonly limitRefusals?: Pick<LimitRefusals, 'note'>
  readonly log: Logger
}

/**
 * Shortens a path for logs: after the beginning of such a page everything may be a secret, even where nothing answers.
 * @param path the path without its query
 */
export const loggedPath = (path: string, pages: readonly OpenPage[]): string => {
  const begins = pages.map((page) => page.path.slice(0, page.path.indexOf(':'))).find((begin) => path.startsWith(begin))
  return begins === undefined ? path : `${begins}…`
}

const NO_BODY = Buffer.alloc(0)
const BODY_BYTES = 4 * 1024

export function registerOpenPages(app: FastifyInstance, pages: readonly OpenPage[], deps: OpenPagesDeps): void {
  for (const page of pages) {
    app.route({
      method: page.changes ? ['POST'] : ['GET', 'HEAD'],
      url: page.path,
      // The handler would be too late: Fastify would read and judge the body before.
      onRequest: async (request, reply) => open(page, request, reply, deps),
      handler: async () => {
        throw new Error('A page is answered before its handler.')
      },
    })
  }
}

async function open(page: OpenPage, request: FastifyRequest, reply: FastifyReply, deps: OpenPagesDeps) {
  const { changes, name: path, largestBodyBytes = BODY_BYTES } = page
  const address = request.clientAddress
  const change = openChange({ path, ...(changes && { changes }) }, { address }, deps.audit)
  try {
    const { publicChange, publicRead, mailRequested } = deps.admission
    const admit = changes ? publicChange : publicRead
    admit(limitKeyOf(address))
    if (changes) refuseCrossSite(request.headers)
    if (page.asksForMail) mailRequested(limitKeyOf(address))
    const body = changes ? await readAll(request.raw, largestBodyBytes) : NO_BODY
    const params = request.params as Readonly<Record<string, string>>
    const answer = await page.run({ params, headers: request.headers, body, change })
    if (!change.isWritten()) throw new Error(`${path} ended without its audit row.`)
    return send(reply, answer)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status === 500) deps.log.error({ requestId: request.id, fault: loggable(error) }, 'a request failed')
    if (error instanceof RateLimited) deps.limitRefusals?.note(askerRefusal({ address }, path))
    else
      await noteRefused(change, refusal).catch((fault: unknown) =>
        deps.log.error({ requestId: request.id, fault: loggable(fault) }, 'an audit row was not written'),
      )
    return page.refused ? send(reply, page.refused(refusal)) : sendRefusal(reply, refusal)
  }
}

/** A change that stands, or may stand, has its row already. */
async function noteRefused(change: OpenChange, { code, message }: CallError): Promise<void> {
  if (change.isWritten() && (await change.outcome()) !== 'aborted') return
  await change.refused(code, message)
}

const send = (reply: FastifyReply, { status, headers, body }: OpenPageAnswer) =>
  reply.code(status).headers(headers).send(body)
