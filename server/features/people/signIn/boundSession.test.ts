import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession, PASSWORD, type StartedApi, startApi } from '#server/testing/callers.ts'

const api = await apiTest()
let people = 0

async function somebody(functions: readonly (1 | 2)[] = [2]) {
  const username = `bound${people++}@a.example`
  return { username, userId: await addUser(api.pool, { username, functions }) }
}

interface Signing {
  readonly cookie?: string
  readonly origin?: string
  readonly asks?: boolean
  readonly on?: Pick<StartedApi, 'app'>
}
const signIn = (username: string, { cookie, origin, asks = true, on = api }: Signing = {}) =>
  on.app.inject({
    method: 'POST',
    url: '/api/App/Login',
    payload: { username, password: PASSWORD },
    headers: {
      ...(asks && { 'x-wayside-bind': 'cookie' }),
      ...(cookie !== undefined && { cookie }),
      ...(origin !== undefined && { origin }),
    },
  })
type Answer = Awaited<ReturnType<typeof signIn>>
const halfOf = (answer: Answer) => [answer.headers['set-cookie'] ?? []].flat().find((one) => /^wayside_half_/.test(one))
const cookieOf = (answer: Answer) => halfOf(answer)?.split(';')[0] ?? ''
const me = (token: string | undefined, cookie?: string, path = 'App/GetClientAuthData') =>
  api.app.inject({
    url: `/api/${path}`,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(cookie !== undefined && { cookie }) },
  })
const statusOf = async (token: string | undefined, cookie?: string) => (await me(token, cookie)).statusCode

test('a bound session needs its token and its cookie: either alone, or the half of another, opens nothing', async () => {
  const { username } = await somebody()
  const [answer, another] = [await signIn(username), await signIn(username)]
  const { accessToken } = answer.json()
  expect(await statusOf(accessToken, cookieOf(answer))).toBe(200)
  const nameOnly = cookieOf(answer).split('=')[0]
  const refused: [string | undefined, string | undefined][] = [
    [accessToken, undefined],
    [undefined, cookieOf(answer)],
    [accessToken, cookieOf(another)],
    [accessToken, `${nameOnly}=${cookieOf(another).split('=')[1]}`],
    [accessToken, `${nameOnly}=`],
    [another.json().accessToken, cookieOf(answer)],
  ]
  for (const [token, cookie] of refused) expect([cookie, await statusOf(token, cookie)]).toEqual([cookie, 401])
  // A copied token ends nothing for its owner, who may have more cookies than this one.
  expect(await statusOf(accessToken, `a=b; ${cookieOf(another)}; ${cookieOf(answer)}`)).toBe(200)
  const kept = await api.pool.query('select s::text from app_session s')
  expect(JSON.stringify(kept.rows)).not.toContain(cookieOf(answer).split('=')[1])
})

test('a sign-in that does not ask for it is the token alone', async () => {
  const { username } = await somebody()
  const answer = await signIn(username, { asks: false })
  expect(halfOf(answer)).toBeUndefined()
  expect(await statusOf(answer.json().accessToken)).toBe(200)
  const bound = await signIn(username)
  const { accessToken } = bound.json()
  const sessions = (await me(accessToken, cookieOf(bound), 'App/GetSessionList')).json()
  expect(sessions.map(({ isBound }: { isBound: boolean }) => isBound)).toEqual([true, false])
})

test.each([
  [undefined, false],
  ['http://10.0.0.5:8080', false],
  ['https://wayside.example', true],
])(
  'the half is out of reach of scripts, for this API alone, and goes by https where the page came by it: %s',
  async (origin, isSecure) => {
    const { username } = await somebody()
    const half = halfOf(await signIn(username, origin === undefined ? {} : { origin }))
    expect(half).toMatch(/; Max-Age=604800; Path=\/api; HttpOnly; SameSite=Strict(; Secure)?$/)
    expect(half?.endsWith('; Secure')).toBe(isSecure)
  },
)

test('where the browser names no page, the half goes by https if the public address does', async () => {
  const { username } = await somebody()
  const other = await startApi({ on: api, config: { publicUrl: 'https://wayside.example' } })
  try {
    expect(halfOf(await signIn(username, { on: other }))).toMatch(/; Secure$/)
  } finally {
    await other.stop()
  }
})

test('signing out ends the half in its browser', async () => {
  const { username } = await somebody()
  const answer = await signIn(username)
  const headers = { authorization: `Bearer ${answer.json().accessToken}`, cookie: cookieOf(answer) }
  const out = await api.app.inject({ method: 'POST', url: '/api/App/Logout', payload: {}, headers })
  expect(out.statusCode).toBe(200)
  expect(out.headers['set-cookie']).toMatch(new RegExp(`^${cookieOf(answer).split('=')[0]}=; Max-Age=0; Path=/api;`))
  const plain = await signIn(username, { asks: false })
  const plainOut = await ask(api, 'App/Logout', { token: plain.json().accessToken, method: 'POST' })
  expect(plainOut.headers['set-cookie']).toBeUndefined()
})

test('a browser never keeps more than eight halves, the oldest go', async () => {
  const { username } = await somebody()
  const jar: string[] = []
  for (let signIns = 0; signIns < 10; signIns++) {
    const answer = await signIn(username, { cookie: `mine=1; ${jar.join('; ')}` })
    for (const set of [answer.headers['set-cookie'] ?? []].flat().filter((one) => one.startsWith('wayside_half_'))) {
      const [pair = ''] = set.split(';')
      const name = pair.split('=')[0]
      if (set.includes('Max-Age=0'))
        jar.splice(
          jar.findIndex((one) => one.startsWith(`${name}=`)),
          1,
        )
      else jar.push(pair)
    }
  }
  expect(jar).toHaveLength(8)
})

test('a role may forbid sessions that are not bound: none begins, none of before goes on, and the right password is no guess', async () => {
  const { username, userId } = await somebody()
  const admin = await openSession(api.pool, (await somebody([1])).userId)
  const [before, bound] = [await signIn(username, { asks: false }), await signIn(username)]
  const { rows } = await api.pool.query('select role_id from app_user where id = $1', [userId])
  const forbid = (requiresBoundSession: boolean) =>
    ask(api, 'AppRole/SetAppRole', {
      token: admin,
      method: 'POST',
      body: { id: rows[0].role_id, name: `role of ${username}`, requiresBoundSession },
    })
  expect(await statusOf(before.json().accessToken)).toBe(200)
  expect((await forbid(true)).statusCode).toBe(200)
  const role = (await ask(api, 'AppRole/GetAppRole', { token: admin, query: { id: rows[0].role_id } })).json()
  expect(role).toMatchObject({ requiresBoundSession: true })
  expect(await statusOf(before.json().accessToken)).toBe(401)
  expect(await statusOf(bound.json().accessToken, cookieOf(bound))).toBe(200)
  const written = await api.pool.query('select count(*)::int as sessions from app_session where user_id = $1', [userId])
  for (let tries = 0; tries < 7; tries++) {
    const refused = await signIn(username, { asks: false })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'bound_sign_in_only'])
  }
  const after = await api.pool.query('select count(*)::int as sessions from app_session where user_id = $1', [userId])
  expect(after.rows).toEqual(written.rows)
  expect((await signIn(username)).statusCode).toBe(200)
  await forbid(false)
  expect((await signIn(username, { asks: false })).statusCode).toBe(200)
})
