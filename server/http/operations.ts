import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface OperationsNeeds {
  readonly readiness: () => Promise<{ readonly ready: boolean; readonly reason?: string }>
  /** Text in the format of Prometheus. */
  readonly metrics?: () => Promise<string>
}

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/** Through a proxy on this machine everybody would look local. */
function isLocal({ ip, headers }: FastifyRequest): boolean {
  const wasForwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via
  return LOOPBACK.includes(ip) && wasForwarded === undefined
}

/** What watches the server asks these: `/healthz` from anywhere, `/metrics` from this machine only. */
export function registerOperations(app: FastifyInstance, { readiness, metrics }: OperationsNeeds): void {
  app.get('/healthz', async (_request, reply) => {
    const state = await readiness().catch(() => ({ ready: false, reason: 'The readiness check failed.' }))
    return reply
      .code(state.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(state.ready ? { ready: true } : { ready: false, reason: state.reason ?? 'Starting.' })
  })
  if (!metrics) return
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) return reply.code(404).send()
    return reply
      .header('content-type', 'text/plain; version=0.0.4')
      .header('cache-control', 'no-store')
      .send(await metrics())
  })
}
