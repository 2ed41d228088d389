import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { login } from '#contract/http/people/signIn.ts'
import { CALLS } from '#contract/http/table.ts'
import { buildHttpServer } from './buildHttpServer.ts'
import { publicRoute, type Route, route } from './call/route.ts'

const build = (routes: readonly Route[], more: { requestTimeoutMs?: number } = {}) =>
  buildHttpServer({
    ...more,
    routes,
    config: {},
    log: pino({ level: 'silent' }),
    authenticate: async () => undefined,
    countUnproved: async () => true,
    audit: { write: async () => '1', outcomeOf: async () => 'aborted' },
    downloads: { authenticateDevice: async () => undefined, release: async () => undefined },
    readiness: async () => 'The database does not answer.',
    healthChecks: [
      () => undefined,
      async () => 'The disk of the database is full.',
      () => new Promise(() => undefined),
      () => Promise.reject(new Error('broken')),
    ],
  })

const refuse = () => {
  throw new Error('a secret of the server')
}
const everyRoute = CALLS.map((call) => (call.permission === 'public' ? publicRoute(call, refuse) : route(call, refuse)))

test('the server does not start while a call has no route, or a route is no call', async () => {
  await expect(build(everyRoute.filter(({ call }) => call !== login))).rejects.toThrow('without a route: App/Login.')
  const unknown = route({ ...login, path: 'App/Backdoor' }, refuse)
  await expect(build([...everyRoute, unknown])).rejects.toThrow('not in the table of calls: App/Backdoor.')
})

test('a fault of the server is told without its words', async () => {
  const app = await build(everyRoute)
  const payload = { username: 'somebody', password: 'something' }
  const answer = await app.inject({ method: 'POST', url: '/api/App/Login', payload })
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({ code: 'internal_error', message: 'Something went wrong on the server.' })
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  await app.close()
})

test('what watches the server is told whether it lives, whether it serves reads, and all that is wrong', async () => {
  const app = await build(everyRoute)
  const get = async (url: string) => {
    const answer = await app.inject({ url })
    return [answer.statusCode, answer.json()]
  }
  expect(await get('/livez')).toEqual([200, { alive: true }])
  expect(await get('/readyz')).toEqual([503, { ready: false, reason: 'The database does not answer.' }])
  const troubles = [
    'The disk of the database is full.',
    'Something hangs: a check of the server has not ended in time.',
    'A check of the server has failed.',
  ]
  expect(await get('/healthz')).toEqual([503, { healthy: false, troubles }])
  expect((await app.inject({ url: '/overview' })).body).toBe('There is nothing here.\n')
  await app.close()
})

async function conversation(send: (socket: Socket) => void): Promise<string> {
  const app = await build(everyRoute, { requestTimeoutMs: 500 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  // Sending after the server has closed is an error, but what it answered before still counts.
  socket.on('error', () => undefined)
  let said = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  send(socket)
  await new Promise((resolve) => socket.once('close', resolve))
  await app.close()
  return said
}

const POST_LOGIN =
  'POST /api/App/Login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n'

test.each([
  ['a body', `${POST_LOGIN}\r\n{`, ' '],
  ['headers', `${POST_LOGIN}X-Slow: `, 'y'],
])('whoever sends %s letter by letter is not waited for', async (_, first, each) => {
  let timer: NodeJS.Timeout | undefined
  const said = await conversation((socket) => {
    socket.write(first)
    timer = setInterval(() => socket.write(each), 50)
    socket.once('data', () => clearInterval(timer))
  })
  clearInterval(timer)
  expect(said).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(said).toContain("Content-Security-Policy: default-src 'none'")
})

test.each([
  ['no HTTP at all', 'HELLO\r\n\r\n', '400 Bad Request'],
  ['too much of it', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('%s is refused, with a policy', async (_, sent, status) => {
  const said = await conversation((socket) => socket.write(sent))
  expect(said).toContain(`HTTP/1.1 ${status}`)
  expect(said).toContain("Content-Security-Policy: default-src 'none'")
})

const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nUpgrade: h2c\r\n'

test('whoever offers to speak HTTP/2 is answered by HTTP/1.1, also where WebSockets are spoken', async () => {
  const app = await build(everyRoute)
  app.server.on('upgrade', (_request, socket) => socket.destroy())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET /livez HTTP/1.1\r\nHost: a\r\n${UPGRADE}\r\n`)
  // Node.js reads what comes after an upgrade request, but drops what came in the same packet.
  socket.once('readable', () => socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))
  const said = await text(socket)
  expect(said.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
  await app.close()
})

test('a request with two hosts is refused', async () => {
  const said = await conversation((socket) => {
    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n')
  })
  expect(said).toContain('HTTP/1.1 400 Bad Request')
  expect(said).toContain('The request names its host more than once.')
})
