import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { openDatabase } from '#server/db/database.ts'
import { DEFAULT_RATE_LIMITS } from '#server/http/limits/rateLimits.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, PASSWORD, startApi } from '#server/testing/callers.ts'
import { BrowserKeys } from './browserKeys.store.ts'
import { recogniseBrowser } from './knownBrowsers.ts'
import { hashPassword } from './passwords/passwords.ts'

const PROXY = '10.1.0.1'
const OFFICE = '203.0.113.40'
const ATTACKER = '198.51.100.66'

let users = 0
const api = await apiTest({ config: { trustedProxies: ['10.1.0.0/16'] }, rateLimits: DEFAULT_RATE_LIMITS })

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

test('200 people of one office sign in at the same moment', async () => {
  const names: string[] = []
  for (let n = 0; n < 200; n += 1) names.push(await newUser())
  const answers = await Promise.all(
    names.map((username) => signIn({ username, password: PASSWORD, from: '203.0.113.200' })),
  )
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
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

let offices = 0
/** Each test has an address of its own, so that no test uses up another's limits. */
const newOffice = () => `203.0.113.${100 + ++offices}`

const cookieOf = (answer: Awaited<ReturnType<typeof signIn>>) => String(answer.headers['set-cookie'] ?? '')
const shown = (cookie: string) => ({ cookie: cookie.split(';', 1)[0] ?? '' })

/** Uses up what strangers behind the office's address, and guessers of this name from everywhere, may use. */
const exhaust = (username: string, office: string) =>
  api.pool.query(
    `insert into allowance (subject, whole_at)
     select unnest(array['sign-in-address:' || $1::text, 'account-from-unknown:' || $2::text,
       'account-from-address:' || $2::text]), now() + interval '2 days'
     on conflict (subject) do update set whole_at = excluded.whole_at`,
    [office, createHash('sha256').update(username).digest('base64url')],
  )

test('a browser in which its owner has signed in before gets in, whatever strangers have used up', async () => {
  const office = newOffice()
  const username = await newUser()
  const first = await signIn({ username, password: PASSWORD, from: office })
  expect(cookieOf(first)).toMatch(
    /^wayside_browser=\d+\.[\w-]{22}\.\d+\.[\w-]{16}\.[\w-]{43}; Path=\/api\/App; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  )
  await exhaust(username, office)
  const again = (headers?: Readonly<Record<string, string>>, name = username) =>
    signIn({ username: name, password: PASSWORD, from: office, ...(headers && { headers }) })
  expect((await again()).statusCode).toBe(429)
  const second = await again(shown(cookieOf(first)), ` ${username.toUpperCase()} `)
  expect(second.statusCode).toBe(200)
  // The browser keeps its id and is known for ninety more days.
  const browserIn = (cookie: string) => cookie.split('.')[1]
  expect(browserIn(cookieOf(second))).toBe(browserIn(cookieOf(first)))
})

test('the cookie lifts limits for one name only, and only as it was given', async () => {
  const office = newOffice()
  const [username, other] = [await newUser(), await newUser()]
  const cookie = cookieOf(await signIn({ username, password: PASSWORD, from: office }))
  await exhaust(username, office)
  await exhaust(other, office)
  const statusWith = async (name: string, shownCookie: string) =>
    (await signIn({ username: name, password: PASSWORD, from: office, headers: shown(shownCookie) })).statusCode
  expect(await statusWith(other, cookie)).toBe(429)
  for (const part of [0, 1, 2, 3, 4]) {
    const parts = cookie.slice('wayside_browser='.length).split(';', 1)[0]?.split('.') ?? []
    const changed = parts.map((text, at) =>
      at === part ? text.replace(/.$/, (end) => (end === '1' ? '2' : '1')) : text,
    )
    expect([part, await statusWith(username, `wayside_browser=${changed.join('.')}`)]).toEqual([part, 429])
  }
  expect(await statusWith(username, cookie)).toBe(200)
})

test('a cookie by itself does nothing: it signs nobody in, and wrong passwords stay wrong and few', async () => {
  const office = newOffice()
  const username = await newUser()
  const headers = shown(cookieOf(await signIn({ username, password: PASSWORD, from: office })))
  const asked = await api.app.inject({ url: '/api/App/GetClientAuthData', headers, remoteAddress: PROXY })
  expect([asked.statusCode, asked.headers['set-cookie']]).toEqual([401, undefined])
  const statuses: number[] = []
  for (let n = 0; n < 20; n += 1) {
    statuses.push((await signIn({ username, password: 'wrong', from: `192.0.2.${n}`, headers })).statusCode)
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(7)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})

test('many browsers of one name have fewer than thirty guesses an hour together', async () => {
  const office = newOffice()
  const username = await newUser()
  const cookies: string[] = []
  for (let n = 0; n < 12; n += 1) cookies.push(cookieOf(await signIn({ username, password: PASSWORD, from: office })))
  let judged = 0
  for (let n = 0; n < 60; n += 1) {
    const headers = shown(cookies[n % cookies.length] ?? '')
    if ((await signIn({ username, password: 'wrong', from: office, headers })).statusCode === 401) judged += 1
  }
  expect(judged).toBeLessThan(30)
})

test('another password, and ninety days, end what a browser was known for', async () => {
  const office = newOffice()
  const [changed, old] = [await newUser(), await newUser()]
  const cookies = new Map<string, string>()
  for (const username of [changed, old]) {
    cookies.set(username, cookieOf(await signIn({ username, password: PASSWORD, from: office })))
  }
  await exhaust(changed, office)
  await api.pool.query(`update app_user set password_hash = $2 where username = $1`, [
    changed,
    await hashPassword(`${PASSWORD} again`),
  ])
  const headers = shown(cookies.get(changed) ?? '')
  const password = `${PASSWORD} again`
  expect((await signIn({ username: changed, password, from: office, headers })).statusCode).toBe(429)
  const browserOf = (nowMs: number) =>
    recogniseBrowser({ db, keys: new BrowserKeys(db), isSecure: true, now: () => nowMs }, cookies.get(old), old)
  const db = openDatabase(api.pool)
  expect(await browserOf(Date.now() + 89 * DAY_MS)).toHaveLength(22)
  expect(await browserOf(Date.now() + 91 * DAY_MS)).toBeUndefined()
})

test('keys that sign cookies change by the month, and what an older one signed stays good', async () => {
  const office = newOffice()
  const username = await newUser()
  const cookie = cookieOf(await signIn({ username, password: PASSWORD, from: office }))
  const owner = openPool(api.ownerUrl, { maximumConnections: 1, name: 'test owner' })
  await owner.query(`update browser_key set made_at = now() - interval '31 days'`)
  await owner.end()
  await exhaust(username, office)
  const later = await startApi({
    on: api,
    config: { trustedProxies: ['10.1.0.0/16'], publicUrl: 'https://signs.example' },
  })
  const answer = await later.app.inject({
    method: 'POST',
    url: '/api/App/Login',
    payload: { username, password: PASSWORD },
    remoteAddress: PROXY,
    headers: { 'x-forwarded-for': office, ...shown(cookie) },
  })
  const keyIn = (text: string) => Number(/=(\d+)\./.exec(text)?.[1])
  const renewed = String(answer.headers['set-cookie'])
  expect([answer.statusCode, keyIn(renewed)]).toEqual([200, keyIn(cookie) + 1])
  expect(renewed).toMatch(/; Secure$/)
  await later.stop()
})

test('asking for a new password is counted by client too, and a known browser asks all the same', async () => {
  const office = newOffice()
  const username = await newUser()
  const cookie = cookieOf(await signIn({ username, password: PASSWORD, from: office }))
  const askReset = async (headers: Readonly<Record<string, string>> = {}) =>
    (
      await api.app.inject({
        method: 'POST',
        url: '/api/App/RequestPasswordReset',
        payload: { username },
        remoteAddress: PROXY,
        headers: { 'x-forwarded-for': office, ...headers },
      })
    ).statusCode
  expect(await askReset()).toBe(200)
  await api.pool.query(`update allowance set whole_at = now() + interval '1 day' where subject like 'reset-request:%'`)
  expect([await askReset(), await askReset(shown(cookie))]).toEqual([429, 200])
})
