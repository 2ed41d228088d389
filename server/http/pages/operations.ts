import { createHash, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** @returns what is wrong now as a sentence, undefined when nothing is */
export type HealthCheck = () => string | undefined | Promise<string | undefined>

export interface OperationsDeps {
  /** Faults of other parts do not belong here, or this process would get no requests that it can serve. */
  readonly readiness: HealthCheck
  /** These find everything that a person should be alerted to. */
  readonly healthChecks: readonly HealthCheck[]
  /** These find what a person should know, but not be woken for. */
  readonly notices?: readonly HealthCheck[]
  /** The roles of this process, undefined when it has all of them. */
  readonly roles?: readonly string[]
  readonly metrics?: Metrics
  /** Requests need this token. Without it metrics answer only on a port of their own. */
  readonly metricsToken?: string | undefined
  readonly isOwnPort?: boolean
}

export interface Metrics {
  readonly text: () => Promise<string>
  readonly deviceText: () => AsyncIterable<string>
}

/** A monitor is answered within 3 s, even when a check hangs. */
const LOOKED_WITHIN_MS = 2_500
const LOOKED_TOO_LONG = 'Something hangs: a check of the server has not ended in time.'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function holdsToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(sha256(sent), sha256(token))
}

/**
 * Registers what monitors ask: `/livez` whether to restart the process, `/readyz` whether to send it requests,
 * `/healthz` whether to wake a person, and `/metrics` with its token or on a port of its own. The client's address
 * proves nothing: behind a balancer on this machine everybody looks local.
 */
export function registerOperations(
  app: FastifyInstance,
  { readiness, healthChecks, notices: known = [], roles, metrics, metricsToken, isOwnPort = false }: OperationsDeps,
): void {
  const serve = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    app.route({ method: ['GET', 'HEAD'], url, handler })
  serve('/livez', async (_request, reply) => answer(reply, 200, { alive: true }))
  serve('/readyz', async (_request, reply) => {
    const reason = await look(readiness)
    return reason === undefined ? answer(reply, 200, { ready: true }) : answer(reply, 503, { ready: false, reason })
  })
  serve('/healthz', async (_request, reply) => {
    const [troubles, notices] = await Promise.all([troublesOf(healthChecks), troublesOf(known)])
    const healthy = troubles.length === 0
    const more = notices.length > 0 && { notices }
    return answer(reply, healthy ? 200 : 503, { healthy, ...(roles && { roles }), troubles, ...more })
  })
  const serveMetrics = (url: string, isServed: boolean, write: () => string | Readable | Promise<string>) =>
    serve(url, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      // The console would otherwise answer with its page, which a scraper takes for broken metrics.
      if (!isServed) return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing here.\n')
      if (metricsToken !== undefined && !holdsToken(request, metricsToken)) {
        return reply.code(401).header('www-authenticate', 'Bearer').send()
      }
      reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      return reply.send(request.method === 'HEAD' ? '' : await write())
    })
  serveMetrics(
    '/metrics',
    metrics !== undefined && (isOwnPort || metricsToken !== undefined),
    () => metrics?.text() ?? '',
  )
  // These metrics name devices and customers, so they always need the token.
  serveMetrics('/metrics/devices', metrics !== undefined && metricsToken !== undefined, () =>
    Readable.from(metrics?.deviceText() ?? []),
  )
}

export async function troublesOf(healthChecks: readonly HealthCheck[]): Promise<readonly string[]> {
  const found = await Promise.all(healthChecks.map(look))
  return [...new Set(found.filter((trouble) => trouble !== undefined))]
}

async function look(check: HealthCheck): Promise<string | undefined> {
  const tooLong = sleep(LOOKED_WITHIN_MS, LOOKED_TOO_LONG, { ref: false })
  const looking = Promise.resolve()
    .then(check)
    .catch(() => 'A check of the server has failed.')
  return Promise.race([looking, tooLong])
}

const answer = (reply: FastifyReply, status: number, state: object) =>
  reply.code(status).header('cache-control', 'no-store').send(state)
