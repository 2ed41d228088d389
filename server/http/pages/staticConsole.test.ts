import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CALLS } from '#contract/http/table.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { startApi } from '#server/testing/callers.ts'

const METRICS_TOKEN = 'a-token-for-those-who-watch'

const folder = mkdtempSync(join(tmpdir(), 'wayside-console-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__"><p>console</p>')
writeFileSync(join(folder, 'assets', 'app-1a2b3c.js'), 'run()')
writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
writeFileSync(join(folder, '.secret'), 'hush')
const api = await apiTest({
  consoleFolder: folder,
  config: {
    tileUrl: 'https://{s}.tiles.example/{z}/{x}/{y}.png',
    metricsToken: METRICS_TOKEN,
    apiDocs: 'public',
  },
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) => api.app.inject({ url, headers })
const nonceIn = (html: string) => /content="([^"]+)"/.exec(html)?.[1] ?? ''

test.each(['/', '/overview', '/devices/5b9deb5b-c4f4-4524-9af6-7451cacd59bd/status?filter=pending', '/index.html'])(
  '%s answers the page, never cached, with a nonce of its own in page and policy',
  async (url) => {
    const [one, other] = [await get(url), await get(url)]
    expect([one.statusCode, one.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(nonceIn(one.body)).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(one.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonceIn(one.body)}'`)
    expect(nonceIn(other.body)).not.toBe(nonceIn(one.body))
  },
)

test('the policy allows our own scripts, the configured map tiles and nothing inline', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("img-src 'self' data: blob: https://*.tiles.example")
  expect(policy).not.toContain('unsafe')
  // The page holds no script of ours, so no nonce is needed that could let a foreign one in.
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default;")
})

test.each([
  '/',
  '/overview',
  '/assets/app-1a2b3c.js',
  '/favicon.svg',
  '/gone.svg',
  '/assets/',
  '/healthz',
  '/metrics',
  '/%',
])('every answer carries a policy that lets nothing inline run: %s', async (url) => {
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'] as const) {
    const { headers } = await api.app.inject({ method, url })
    expect([method, headers['content-security-policy']]).toEqual([
      method,
      expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
    ])
    expect(headers['content-security-policy']).not.toContain('unsafe')
  }
})

test('what carries a hash in its name is kept for a year, other files are asked for again', async () => {
  expect((await get('/assets/app-1a2b3c.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache')
})

test.each([
  ...[
    '/assets/app-gone.js',
    '/gone.svg',
    '/../package.json',
    '/gone.properties',
    '/.env',
    '/.git/config',
    '/v1.2/.aws',
  ],
  ...['/health', '/health/live', '/ready', '/readiness', '/live', '/startupz', '/_health', '/ping', '/Actuator/Health'],
  ...['/up', '/status', '/.well-known/change-password'],
])('%s is not found, and nobody remembers that', async (url) => {
  const answer = await get(url)
  expect([answer.statusCode, answer.body]).toEqual([404, 'There is nothing here.\n'])
  expect(answer.headers['cache-control']).toBe('no-store')
})

test.each(['/.secret', '/..%2f..%2fetc%2fpasswd', '/assets/..%5c..%5cpackage.json', '/%2e%2e/%2e%2e/etc/passwd'])(
  '%s never answers a file that is not the console',
  async (url) => {
    expect((await get(url)).body).not.toMatch(/hush|root:|"name"/)
  },
)

test('an address below /api is never answered with the page', async () => {
  const answer = await get('/api/overview')
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'unknown_call'])
})

test('the documentation lists every call, and its page asks nobody else for anything', async () => {
  const document = (await get('/api/docs/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const list = document.paths['/Device/SetDeviceComponents'].post.requestBody.content['application/json'].schema
  expect([list.type, list.items.properties.number.type]).toEqual(['array', 'integer'])
  expect(Object.keys(document.paths).sort()).toEqual(
    [...CALLS.map(({ path }) => `/${path}`), '/device-api/releases/{sha256}'].sort(),
  )
  expect(Object.keys(document.paths['/Device/DownloadConfiguration'])).toEqual(['get', 'post'])
  const page = await get('/api/docs')
  expect(page.statusCode).toBe(200)
  expect(page.body).not.toMatch(/(src|href)="https?:/)
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  const scripts = [...page.body.matchAll(/src="([^"]+)"/g)].map(([, src]) => src ?? '')
  for (const script of scripts) expect((await get(script)).statusCode).toBe(200)
  expect(scripts.length).toBeGreaterThan(1)
  expect((await get('/api/docsets')).headers['content-security-policy']).toBe(
    "default-src 'none'; frame-ancestors 'none'",
  )
})

test('the documentation says which calls and fields are for staff only', async () => {
  const { paths } = (await get('/api/docs/openapi.json')).json()
  for (const call of CALLS) {
    const isForStaff = ['staffAdmin', 'sendStatements'].includes(call.permission)
    for (const described of Object.values<Record<string, unknown>>(paths[`/${call.path}`])) {
      expect([call.path, described['x-staff-only'] ?? false]).toEqual([call.path, isForStaff])
      expect(String(described.description).startsWith('Staff only')).toBe(isForStaff)
    }
  }
  for (const path of [
    'Country/GetHolidayList',
    'Country/SetHolidayList',
    'Customer/SetCustomer',
    'Release/DelRelease',
  ]) {
    expect(Object.values<Record<string, unknown>>(paths[`/${path}`])[0]?.['x-staff-only']).toBe(true)
  }
  const user = paths['/AppUser/SetAppUser'].post.requestBody.content['application/json'].schema.properties
  expect([user.customerId.description, user.isLab.description]).toEqual([
    expect.stringMatching(/^Staff only/),
    expect.stringMatching(/^Staff admins only/),
  ])
})

test('there is no documentation where nobody asked for it', async () => {
  const without = await startApi({ on: api, consoleFolder: folder })
  for (const url of ['/api/docs', '/api/docs/', '/api/docs/openapi.json', '/api/docs/static/index.html']) {
    const answer = await without.app.inject({ url, headers: { accept: 'text/html' } })
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'unknown_call'])
  }
  await without.stop()
})

test('health is open to everybody, numbers to whoever holds the token, from wherever', async () => {
  expect((await get('/livez')).json()).toEqual({ alive: true })
  expect((await get('/readyz')).json()).toEqual({ ready: true })
  expect((await get('/healthz')).json()).toEqual({ healthy: true, troubles: [] })
  const withToken = { authorization: `Bearer ${METRICS_TOKEN}` }
  expect((await get('/metrics', withToken)).body).toContain('wayside_up 1')
  const elsewhere = await api.app.inject({ url: '/metrics', remoteAddress: '10.0.0.9', headers: withToken })
  expect(elsewhere.statusCode).toBe(200)
  for (const authorization of ['', METRICS_TOKEN, `Basic ${METRICS_TOKEN}`, `Bearer ${METRICS_TOKEN}x`, 'Bearer ']) {
    // A balancer on this machine asks from a local address for everybody.
    const answer = await get('/metrics', { authorization })
    expect([authorization, answer.statusCode, answer.body]).toEqual([authorization, 401, ''])
  }
})

test.each([
  ...['/livez', '/readyz', '/healthz', '/metrics', '/', '/index.html', '/overview', '/devices/7', '/favicon.svg'],
  ...['/api/docs', '/api/docs/openapi.json'],
])('HEAD answers what GET answers, without a body: %s', async (url) => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}`, accept: 'text/html' }
  const [asked, head] = await Promise.all([get(url, headers), api.app.inject({ method: 'HEAD', url, headers })])
  expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
    asked.statusCode,
    asked.headers['content-type'],
    '',
  ])
  expect(asked.statusCode).toBe(200)
})

test('without a token nobody reads the numbers, not from this machine either', async () => {
  const without = await startApi({ on: api, consoleFolder: folder })
  for (const url of ['/metrics', '/metrics/devices']) {
    const answer = await without.app.inject({ url, headers: { authorization: 'Bearer undefined' } })
    expect([answer.statusCode, answer.body]).toEqual([404, 'There is nothing here.\n'])
  }
  await without.stop()
})
