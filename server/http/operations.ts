import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface OperationsNeeds {
  readonly readiness: () => Promise<{ readonly ready: boolean; readonly reason?: string }>
  /** Text in the format of Prometheus. */
  readonly metrics?: () => Promise<string>
  /** Of whoever may read them; absent: nobody. */
  readonly metricsToken?: string | undefined
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function holdsToken({ headers }: FastifyRequest, token: string): boolean {
  const sent = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(sha256(sent), sha256(token))
}

/**
 * What watches the server asks these: `/healthz` from anywhere, `/metrics` with its token. From where somebody asks says
 * nothing: behind a balancer on this machine everybody looks local.
 */
export function registerOperations(app: FastifyInstance, { readiness, metrics, metricsToken }: OperationsNeeds): void {
  app.get('/healthz', async (_request, reply) => {
    const state = await readiness().catch(() => ({ ready: false, reason: 'The readiness check failed.' }))
    return reply
      .code(state.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(state.ready ? { ready: true } : { ready: false, reason: state.reason ?? 'Starting.' })
  })
  if (!metrics || metricsToken === undefined) return
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!holdsToken(request, metricsToken)) return reply.code(401).header('www-authenticate', 'Bearer').send()
    return reply.header('content-type', 'text/plain; version=0.0.4').send(await metrics())
  })
}
