import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_RATE_LIMITS } from '#server/http/rateLimits.ts'
import { addUser, PASSWORD, type StartedApi, startApi } from '#server/testing/callers.ts'

const PROXY = '10.1.0.1'
const OFFICE = '203.0.113.40'
const ATTACKER = '198.51.100.66'

let api: StartedApi
let users = 0
beforeAll(async () => {
  // With the limits of the product.
  api = await startApi({ trustedProxies: ['10.1.0.0/16'], rateLimits: DEFAULT_RATE_LIMITS })
})
afterAll(() => api.stop())

async function newUser() {
  const username = `person${++users}@office.example`
  await addUser(api.pool, { username, functions: [2] })
  return username
}

interface SignIn {
  readonly username: string
  readonly password: string
  readonly from: string
  readonly through?: string
  readonly headers?: Readonly<Record<string, string>>
}

const signIn = ({ username, password, from, through = PROXY, headers }: SignIn) =>
  api.app.inject({
    method: 'POST',
    url: '/api/App/Login',
    payload: { username, password },
    remoteAddress: through,
    headers: { 'x-forwarded-for': from, ...headers },
  })

/** As if it all had happened so much earlier. */
const letPass = (seconds: number) =>
  api.pool.query(
    `with failures as (update sign_in_failure set last_failed_at = last_failed_at - make_interval(secs => $1))
     update allowance set whole_at = whole_at - make_interval(secs => $1)`,
    [seconds],
  )

test('forty wrong names from one client stop nobody else behind the same proxy, nor behind the same address', async () => {
  for (let n = 0; n < 45; n += 1) {
    const { statusCode } = await signIn({ username: `wrong${n}@a.example`, password: 'wrong', from: ATTACKER })
    expect(statusCode).toBe(401)
  }
  const [colleague, neighbour] = [await newUser(), await newUser()]
  expect((await signIn({ username: colleague, password: PASSWORD, from: OFFICE })).statusCode).toBe(200)
  expect((await signIn({ username: neighbour, password: PASSWORD, from: ATTACKER })).statusCode).toBe(200)
})

test.each([
  ['many names', (second: number) => `guess${second}@a.example`],
  ['one name', () => 'always-the-same@a.example'],
])('while one client guesses %s every second, everybody else signs in at the first try', async (_, nameOf) => {
  const statuses = new Set<number>()
  for (let second = 0; second < 120; second += 1) {
    statuses.add((await signIn({ username: nameOf(second), password: 'wrong', from: ATTACKER })).statusCode)
    await letPass(1)
    if (second % 20 !== 19) continue
    for (const from of [OFFICE, ATTACKER, '2001:db8::1']) {
      expect((await signIn({ username: await newUser(), password: PASSWORD, from })).statusCode).toBe(200)
    }
  }
  expect(statuses).toContain(401)
})

test('a spoofed header changes nothing when its sender is no trusted proxy', async () => {
  const victim = await newUser()
  const guess = (n: number) =>
    signIn({ username: victim, password: 'wrong', from: `192.0.2.${n}`, through: '198.51.100.77' })
  const statuses: number[] = []
  for (let n = 0; n < 20; n += 1) statuses.push((await guess(n)).statusCode)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(7)
  expect((await signIn({ username: victim, password: PASSWORD, from: '192.0.2.1' })).statusCode).toBe(200)
})

test('one IPv6 client has one budget, however many addresses it takes from its network', async () => {
  const victim = await newUser()
  const statuses: number[] = []
  for (let n = 1; n <= 20; n += 1) {
    const from = `2001:db8:5:5:${n.toString(16)}::${n}`
    statuses.push((await signIn({ username: victim, password: 'wrong', from })).statusCode)
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(7)
  expect((await signIn({ username: victim, password: PASSWORD, from: '2001:db8:5:6::1' })).statusCode).toBe(200)
})

test('wrong and missing tokens never count against signing in', async () => {
  const username = await newUser()
  const headers = { authorization: `Bearer ${'x'.repeat(43)}`, 'x-forwarded-for': OFFICE }
  for (let n = 0; n < 700; n += 1) {
    await api.app.inject({ url: '/api/App/GetClientAuthData', headers, remoteAddress: PROXY })
  }
  expect((await signIn({ username, password: PASSWORD, from: OFFICE })).statusCode).toBe(200)
})
