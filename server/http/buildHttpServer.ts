import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Call } from '#contract/call/call.ts'
import { CALLS } from '#contract/http/table.ts'
import { type Clients, createClients } from '#server/network/clients.ts'
import { hasOneHost } from '#server/network/hostHeader.ts'
import { cameByTls, type isReachedByTls } from '#server/network/publicAddress.ts'
import type { MapFile } from '../settings/mapFile.ts'
import { CallError } from './call/callError.ts'
import { loggable, refusalOf } from './call/refusal.ts'
import type { Route } from './call/route.ts'
import { type Admission, createAdmission } from './limits/admission.ts'
import { nameClients, proxiedServer } from './limits/clientAddress.ts'
import { KeptRefusals } from './limits/KeptRefusals.ts'
import type { LimitRefusals } from './limits/LimitRefusals.store.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './limits/rateLimits.ts'
import { type AssistantDeps, registerMcp } from './mcp/mcpRoute.ts'
import { watchConnections } from './openConnections.ts'
import { registerApiDocs } from './pages/apiDocs.ts'
import { registerInstallDownloads } from './pages/installDownloads.ts'
import { registerMapTiles } from './pages/mapTiles.ts'
import { NO_SCHEMAS } from './pages/noSchemas.ts'
import { loggedPath, type OpenPage, registerOpenPages } from './pages/openPages.ts'
import { type OperationsDeps, registerOperations } from './pages/operations.ts'
import { type ReleaseDownloadDeps, registerReleaseDownloads } from './pages/releaseDownloads.ts'
import { registerSecurityText } from './pages/securityText.ts'
import { consolePolicy, createConsole } from './pages/staticConsole.ts'
import { HttpMeasures } from './perform/httpMeasures.ts'
import { type CallDeps, createCallPerformer } from './perform/performCall.ts'
import { sendRefusal } from './perform/sendAnswer.ts'

export interface HttpServerDeps extends Omit<CallDeps, 'checksAnswers' | 'admission' | 'measures'>, OperationsDeps {
  readonly routes: readonly Route[]
  readonly openPages?: readonly OpenPage[]
  readonly config: Parameters<typeof isReachedByTls>[0] & {
    readonly tileUrl?: string | undefined
    readonly mapTiles?: MapFile | undefined
    readonly securityContact?: string | undefined
    readonly hstsSubdomains?: string | undefined
    readonly dataFolder?: string
  }
  /** False leaves only what monitors and devices ask for; calls and the console do not answer. */
  readonly servesCalls?: boolean
  readonly consoleFolder?: string
  readonly downloads: ReleaseDownloadDeps
  readonly assistants?: AssistantDeps
  readonly rateLimits?: RateLimits
  readonly checksAnswers?: boolean
  readonly measures?: HttpMeasures
  readonly limitRefusals?: LimitRefusals
  /** Left out when there is no proxy: the connection's address is the client's then. */
  readonly clients?: Clients
  readonly expectsProxyHeader?: boolean
  readonly hasApiDocs?: boolean
  /** A request must have arrived with its whole body after so long; only tests set another value. */
  readonly requestTimeoutMs?: number
  /** A reader that takes nothing for so long is dropped; only tests set another value. */
  readonly stalledAfterMs?: number
}

const API = '/api/'
const REQUEST_TIMEOUT_MS = 30_000
const SLOW_LOOK_MS = 1000
const KEEP_ALIVE_MS = 65_000
const STALLED_AFTER_MS = 120_000
const LONGEST_ADDRESS = 16_384

/**
 * Builds the HTTP server, not yet listening.
 * @throws Error when a call of the table has no route, or a route is not in the table
 */
export async function buildHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  requireEveryRoute(deps.routes)
  const { clients = createClients() } = deps
  const app = openServer(deps, clients)
  app.addHook('onClose', async () => deps.limitRefusals?.stop())
  app.addHook('onRequest', async (request, reply) => {
    if (hasOneHost(request.raw)) return
    reply.header('content-security-policy', NOTHING_POLICY)
    await sendRefusal(reply, new CallError('invalid_request', TWO_HOSTS))
  })
  nameClients(app, clients)
  await setHeaders(app, deps.config)
  const measures = deps.measures ?? new HttpMeasures()
  app.addHook('onResponse', async (_request, reply) => measures.noteAnswer(reply))
  logRequests(app, deps)
  registerOperations(app, deps)
  registerSecurityText(app, deps.config)
  registerReleaseDownloads(app, deps.downloads, deps.limitRefusals)
  if (deps.servesCalls === false) {
    app.setNotFoundHandler((_request, reply) => sendRefusal(reply, new CallError('unknown_call')))
  } else await serveCalls(app, { ...deps, measures })
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOfFramework(error)
    if (refusal.status === 500) deps.log.error({ requestId: request.id, fault: loggable(error) }, 'a request failed')
    return sendRefusal(reply, refusal)
  })
  return app
}

function openServer(
  { requestTimeoutMs: requestTimeout = REQUEST_TIMEOUT_MS, stalledAfterMs, expectsProxyHeader }: HttpServerDeps,
  clients: Clients,
): FastifyInstance {
  let endWaiting: () => void = () => undefined
  const app: FastifyInstance = fastify({
    logger: false,
    schemaController: NO_SCHEMAS,
    // Fastify would believe forwarded hosts and protocols too; `Clients` alone decides which proxies to trust.
    trustProxy: false,
    genReqId: () => randomUUID(),
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: {
      maxHeaderSize: LONGEST_ADDRESS,
      requestTimeout,
      // Node.js applies the longer of the two limits to whole requests, and by default checks only every 30 s.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(requestTimeout, SLOW_LOOK_MS),
      // A server may ignore every other protocol that a client offers, such as h2c (RFC 9110, 7.8).
      shouldUpgradeCallback: ({ headers }) =>
        headers.upgrade?.toLowerCase() === 'websocket' && app.server.listenerCount('upgrade') > 0,
    },
    ...(expectsProxyHeader && {
      serverFactory: proxiedServer(clients, (end) => {
        endWaiting = end
      }),
    }),
    clientErrorHandler: refuseBadRequest,
    frameworkErrors: (error, _request, reply) =>
      void sendRefusal(reply.header('content-security-policy', NOTHING_POLICY), refusalOfFramework(error)),
  })
  app.server.setTimeout(stalledAfterMs ?? STALLED_AFTER_MS)
  const endConnections = watchConnections(app.server, clients)
  app.addHook('preClose', async () => {
    endWaiting()
    endConnections()
  })
  return app
}

async function setHeaders(app: FastifyInstance, config: HttpServerDeps['config']): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    // Map tiles come from other hosts, which do not send the header that this policy asks for.
    crossOriginEmbedderPolicy: false,
    // Browsers heed these headers only over TLS and warn about them at any other address.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    if (cameByTls(config, request.raw.socket)) {
      const subdomains = config.hstsSubdomains === 'yes' ? '; includeSubDomains' : ''
      reply.headers(ONLY_BY_TLS).header('strict-transport-security', `max-age=31536000${subdomains}`)
    }
    reply.header('content-security-policy', isApi(request) ? NOTHING_POLICY : consolePolicy(config.tileUrl))
    if (isApi(request)) reply.header('cache-control', 'no-store')
  })
}

async function serveCalls(
  app: FastifyInstance,
  deps: HttpServerDeps & { readonly measures: HttpMeasures },
): Promise<void> {
  const audit = new KeptRefusals(deps.audit, deps)
  app.addHook('onClose', () => audit.stop())
  const { assistants, rateLimits = DEFAULT_RATE_LIMITS } = deps
  const admission = createAdmission(rateLimits, deps.sharedCounts)
  registerCalls(app, { ...deps, audit, admission })
  registerOpenPages(app, deps.openPages ?? [], { ...deps, audit, admission })
  if (assistants) registerMcp(app, { ...deps, ...assistants, rateLimits, sendRefusal })
  if (deps.hasApiDocs) await registerApiDocs(app)
  if (deps.config.dataFolder !== undefined) await registerInstallDownloads(app, deps.config.dataFolder)
  if (deps.config.mapTiles) await registerMapTiles(app, deps.config.mapTiles)
  const sendConsole = await createConsole(app, deps)
  app.setNotFoundHandler((request, reply) =>
    isApi(request) ? refuseUnknown(request, reply) : sendConsole(request, reply),
  )
}

const ONLY_BY_TLS = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
}
const NOTHING_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Malformed and late requests are answered here, because Fastify never sees them. */
function refuseBadRequest({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = REFUSED_EARLY[code ?? ''] ?? '400 Bad Request'
  const lines = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Length: 0',
    `Content-Security-Policy: ${NOTHING_POLICY}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy())
}

const REFUSED_EARLY: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

const TWO_HOSTS = 'The request names its host more than once.'

const pathOf = (request: FastifyRequest) => (request.raw.url ?? '/').split('?', 1)[0] ?? '/'
const isApi = (request: FastifyRequest) => pathOf(request) === '/api' || pathOf(request).startsWith(API)

function requireEveryRoute(routes: readonly Route[]): void {
  const withRoute = new Set<Call>(routes.map(({ call }) => call))
  const missing = CALLS.filter((call) => !withRoute.has(call))
  if (missing.length > 0) throw new Error(`Calls without a route: ${missing.map(({ path }) => path).join(', ')}.`)
  const unknown = routes.filter(({ call }) => !CALLS.includes(call))
  if (unknown.length > 0) {
    throw new Error(`Routes that are not in the table of calls: ${unknown.map(({ call }) => call.path).join(', ')}.`)
  }
}

function methodsOf(call: Call): readonly ('GET' | 'POST')[] {
  return call.method === 'GET' && call.changes ? ['GET', 'POST'] : [call.method]
}

function registerCalls(
  app: FastifyInstance,
  deps: HttpServerDeps & { readonly measures: HttpMeasures; readonly admission: Admission },
): void {
  const perform = createCallPerformer({ ...deps, checksAnswers: deps.checksAnswers ?? false })
  for (const route of deps.routes) {
    app.route({
      method: [...methodsOf(route.call)],
      url: `${API}${route.call.path}`,
      config: { measure: deps.measures.of(route.call.path) },
      // The handler would be too late: Fastify would read and judge the body before a permission was checked.
      onRequest: async (request, reply) => {
        await perform(route, request, reply)
        // The client has gone; without this Fastify would go on to the handler.
        if (!reply.sent) reply.hijack()
      },
      handler: async () => {
        throw new Error('A call is answered before its handler.')
      },
    })
  }
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const call = CALLS.find(({ path }) => `${API}${path}` === pathOf(request))
  if (!call) return sendRefusal(reply, new CallError('unknown_call'))
  return sendRefusal(reply.header('allow', methodsOf(call).join(', ')), new CallError('method_not_allowed'))
}

/** Faults that Fastify finds itself carry a status; they become refusals of the contract, as all others are. */
function refusalOfFramework(error: unknown): CallError {
  const { statusCode } = (error ?? {}) as { statusCode?: number }
  if (statusCode === 413) return new CallError('request_too_large')
  if (statusCode === 415) return new CallError('unsupported_media_type')
  if (statusCode === 404) return new CallError('unknown_call')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new CallError('invalid_request')
  return refusalOf(error)
}

/** Only the path is logged, because an address can hold a password (rules/calls 5) and a header a token. */
function logRequests(app: FastifyInstance, { log, openPages = [] }: HttpServerDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    const about = {
      requestId: request.id,
      client: request.clientAddress,
      method: request.method,
      path: loggedPath(pathOf(request), openPages).slice(0, 200),
    }
    log.debug({ ...about, status: reply.statusCode, tookMs: Math.round(reply.elapsedTime) }, 'request')
  })
}
