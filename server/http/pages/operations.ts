import { createHash, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** @returns what is wrong now, in a sentence; undefined when nothing is */
export type HealthCheck = () => string | undefined | Promise<string | undefined>

export interface OperationsDeps {
  /** Why this process cannot serve reads; of no interest to it is what only others have to know. */
  readonly readiness: HealthCheck
  /** Everything that a person should be told of. */
  readonly healthChecks: readonly HealthCheck[]
  /** What a person should know, and nobody is to be woken for. */
  readonly notices?: readonly HealthCheck[]
  /** What this process does, where it does not do everything. */
  readonly roles?: readonly string[]
  readonly metrics?: Metrics
  /** Of whoever may read them; absent: nobody, but on a port of their own. */
  readonly metricsToken?: string | undefined
  /** Whether this is that port. */
  readonly isOwnPort?: boolean
}

/** In the text format of Prometheus. */
export interface Metrics {
  readonly text: () => Promise<string>
  /** Of every device, in pieces. */
  readonly deviceText: () => AsyncIterable<string>
}

/** Whoever watches is answered within 3 s, whatever hangs. */
const LOOKED_WITHIN_MS = 2_500
const LOOKED_TOO_LONG = 'Something hangs: a check of the server has not ended in time.'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function holdsToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(sha256(sent), sha256(token))
}

/**
 * What watches the server asks these: `/livez` whether the process is to be started anew, `/readyz` whether it is to be
 * sent requests, `/healthz` whether a person is to be woken; `/metrics` with its token, or on a port of its own. From
 * where somebody asks says nothing: behind a balancer on this machine everybody looks local.
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
      // Otherwise the console would answer the address with its page, which a scraper takes for metrics that are broken.
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
  // Names of devices and customers are for nobody without a token.
  serveMetrics('/metrics/devices', metrics !== undefined && metricsToken !== undefined, () =>
    Readable.from(metrics?.deviceText() ?? []),
  )
}

/** Everything that is wrong now, each in a sentence. */
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
