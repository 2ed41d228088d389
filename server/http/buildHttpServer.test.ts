import { pino } from 'pino'
import { expect, test } from 'vitest'
import { login } from '#contract/http/app.ts'
import { CALLS } from '#contract/http/table.ts'
import { buildHttpServer } from './buildHttpServer.ts'
import { publicRoute, type Route, route } from './route.ts'

const build = (routes: readonly Route[]) =>
  buildHttpServer({
    routes,
    config: {},
    log: pino({ level: 'silent' }),
    authenticate: async () => undefined,
    audit: { write: async () => undefined },
    downloads: { authenticateDevice: async () => undefined, release: async () => undefined },
    readiness: async () => ({ ready: false, reason: 'The database does not answer.' }),
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

test('health says why the server is not ready', async () => {
  const app = await build(everyRoute)
  const answer = await app.inject({ url: '/healthz' })
  expect([answer.statusCode, answer.json()]).toEqual([503, { ready: false, reason: 'The database does not answer.' }])
  expect((await app.inject({ url: '/overview' })).body).toBe('There is nothing here.\n')
  await app.close()
})
