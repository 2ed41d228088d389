import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface ConsoleDeps {
  readonly config: { readonly tileUrl?: string | undefined }
  readonly consoleFolder?: string
}

export type SendConsole = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** The build puts a content hash into every file name here, so these files can be cached for ever. */
const HASHED_FOLDER = 'assets'

/** Serves the built console. Every address answers the same page, whose script finds the route. */
export async function createConsole(app: FastifyInstance, deps: ConsoleDeps): Promise<SendConsole> {
  const folder = deps.consoleFolder === undefined ? undefined : resolve(deps.consoleFolder)
  const page = folder === undefined ? undefined : join(folder, 'index.html')
  if (folder === undefined || page === undefined || !existsSync(page)) return sendNothing
  const hashed = join(folder, HASHED_FOLDER) + sep
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const sendPage: SendConsole = async (request, reply) => {
    const nonce = randomBytes(16).toString('base64')
    const html = (await readFile(page, 'utf8')).replaceAll(NONCE_PLACEHOLDER, nonce)
    return reply
      .code(200)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', consolePolicy(deps.config.tileUrl, nonce))
      .header('permissions-policy', SCANNING_PAGES.includes(pathOf(request)) ? 'camera=(self)' : 'camera=()')
      .send(html)
  }
  // The file of the page must not be served as it is, because it still holds the placeholder of the nonce.
  for (const url of ['/', '/index.html']) app.route({ method: ['GET', 'HEAD'], url, handler: sendPage })
  return async (request, reply) =>
    ['GET', 'HEAD'].includes(request.method) && wantsPage(request)
      ? sendPage(request, reply)
      : sendNothing(request, reply)
}

const sendNothing: SendConsole = async (_request, reply) =>
  reply
    .code(404)
    .header('content-type', 'text/plain; charset=utf-8')
    // A missing script may be back after the next upgrade, so this answer must not be cached.
    .header('cache-control', 'no-store')
    .send('There is nothing here.\n')

/** Only these pages scan QR codes. They are loaded whole, because a page keeps the policy that it was loaded with. */
const SCANNING_PAGES: readonly string[] = ['/claim', '/visits']

const pathOf = (request: FastifyRequest) => (request.raw.url ?? '').split('?', 1)[0] ?? ''

const wantsPage = (request: FastifyRequest) => {
  const path = pathOf(request)
  const takesPages = /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*')
  return takesPages && !isOfFile(path) && !isOfMonitor(path)
}

/** A missing picture or script must not be answered with a page, nor must the files that scanners look for. */
const isOfFile = (path: string) => path.split('/').some((segment) => segment.startsWith('.')) || /\.[^/]*$/.test(path)

/** An orchestrator that asks at a wrong address would take the page for a sign of health. */
const isOfMonitor = (path: string) =>
  MONITORED.has(
    path
      .split('/')[1]
      ?.toLowerCase()
      .replace(/^_+|z?$/g, '') ?? '',
  )

const MONITORED = new Set([
  ...['health', 'healthcheck', 'health-check', 'health_check', 'heartbeat', 'ready', 'readiness', 'live', 'liveness'],
  ...['alive', 'startup', 'started', 'ping', 'up', 'status', 'server-status', 'actuator', 'metrics', 'stat', 'probe'],
])

/**
 * Allows scripts of our own only; styles of our own and, by the page's nonce, those that Mantine writes.
 * `console/app/trustedTypes.ts` is the only way from text to markup, and none leads to a script.
 */
export function consolePolicy(tileUrl: string | undefined, nonce?: string): string {
  const tiles = tileUrl === undefined ? '' : ` ${tileSource(tileUrl)}`
  const writtenStyles = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${writtenStyles}`,
    `img-src 'self' data: blob:${tiles}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `{s}` in an address pattern stands for one of several hosts. */
function tileSource(tileUrl: string): string {
  const [, protocol = 'https', host = ''] = /^(https?):\/\/([^/]+)/.exec(tileUrl) ?? []
  return `${protocol}://${host.replace(/^[^.]*\{[^}]*\}[^.]*/, '*').replace(/^.*@/, '')}`
}
