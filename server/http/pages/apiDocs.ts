import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { CALLS } from '#contract/http/table.ts'
import { openApiDocument } from './openApi.ts'

const DOCS = '/api/docs'

/** The page writes its styles inline; it may run and request only its own files. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const isOfDocs = (path: string) => path === DOCS || path.startsWith(`${DOCS}/`)

/**
 * Serves `/api/docs` for people and `/api/docs/openapi.json` for programs, open to everybody and without other hosts.
 */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument(CALLS)
  app.addHook('onRequest', async (request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    if (isOfDocs(path)) reply.header('content-security-policy', DOCS_POLICY)
  })
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && isOfDocs(route.url)) route.method = ['GET', 'HEAD']
  })
  app.get(`${DOCS}/openapi.json`, async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: DOCS,
    uiConfig: { layout: 'BaseLayout', validatorUrl: null, docExpansion: 'list', persistAuthorization: false },
    theme: { title: 'Wayside: the calls' },
  })
}
