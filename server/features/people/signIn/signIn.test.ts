import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserId } from '#domain/ids.ts'
import { addCustomer, addUser, ask, openSession, PASSWORD, type StartedApi, startApi } from '#server/testing/callers.ts'

/** The tests use two server processes on one database: what ends at one ends at the other. */
let api: StartedApi
let other: StartedApi
beforeAll(async () => {
  api = await startApi({ config: { labUsers: ['listed-lab@a.example'], internalUsers: ['internal@a.example'] } })
  other = await startApi({ on: api })
})
afterAll(async () => {
  await other.stop()
  await api.stop()
})

let users = 0
async function newUser(functions: readonly (1 | 2 | 3 | 5 | 7)[] = [2]) {
  users += 1
  const username = `Person${users}@A.example`
  return { username, userId: await addUser(api.pool, { username, functions }) }
}

const me = (on: StartedApi, token: string) => ask(on, 'App/GetClientAuthData', { token })
const login = (username: string, password: string, remoteAddress = '127.0.0.1', on = api) =>
  on.app.inject({ method: 'POST', url: '/api/App/Login', payload: { username, password }, remoteAddress })

test('signing in answers the user with rights spelled out, and a token that is kept only as a hash', async () => {
  const customerId = await addCustomer(api.pool, 'Ours')
  await addUser(api.pool, { username: 'Both@A.example', functions: [2, 5], customerId, isLab: true })
  const answer = await login(' both@a.EXAMPLE ', PASSWORD)
  const user = answer.json()
  expect(user).toMatchObject({
    username: 'Both@A.example',
    roleName: 'role of Both@A.example',
    roleFunctions: [2, 5],
    customerId,
    accountId: 1,
    isAdmin: false,
    isDeviceManager: true,
    isAnalyticsUser: true,
    isLab: true,
    isInternal: false,
  })
  expect(user.accessToken).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const { rows } = await api.pool.query('select s::text, a::text from app_session s, audit_log a')
  expect(JSON.stringify(rows)).not.toContain(user.accessToken)
  const { accessToken: _, ...withoutToken } = user
  expect((await me(other, user.accessToken)).json()).toEqual(withoutToken)
})

test('the sign-in page of the demo offers its users who may sign in, in their order; elsewhere nobody', async () => {
  const functions = [2] as const
  await addUser(api.pool, { username: 'Second@demo.example', functions })
  await addUser(api.pool, { username: 'first@demo.example', functions })
  const gone = await addUser(api.pool, { username: 'gone@demo.example', functions })
  await api.pool.query('update app_user set is_disabled = true where id = $1', [gone])
  const offered = async (on: StartedApi) => (await ask(on, 'App/GetOfferedUsers')).json()
  expect(await offered(api)).toEqual([])

  const usernames = ['first@demo.example', 'second@demo.example', 'gone@demo.example', 'nobody@demo.example']
  const demo = await startApi({ on: api, offeredUsers: usernames })
  try {
    const roleOf = (username: string) => ({ username, roleName: `role of ${username}` })
    expect(await offered(demo)).toEqual([roleOf('first@demo.example'), roleOf('Second@demo.example')])
  } finally {
    await demo.stop()
  }
})

test('the lists of lab and internal users count by username', async () => {
  await addUser(api.pool, { username: 'Listed-Lab@a.example', functions: [2] })
  await addUser(api.pool, { username: 'internal@a.example', functions: [2] })
  expect((await login('listed-lab@a.example', PASSWORD)).json()).toMatchObject({ isLab: true, isInternal: false })
  expect((await login('internal@a.example', PASSWORD)).json()).toMatchObject({ isLab: false, isInternal: true })
})

test('a staff user has no customer, not even an empty one', async () => {
  const { username } = await newUser()
  expect((await login(username, PASSWORD)).json()).not.toHaveProperty('customerId')
})

const wrong = { code: 'wrong_credentials', message: 'Login Failed: Your username or password is incorrect' }

test('an unknown name, a wrong password, a disabled and a deleted user are refused in the same words', async () => {
  const [known, disabled, deleted, inactive] = [await newUser(), await newUser(), await newUser(), await newUser()]
  await api.pool.query('update app_user set is_disabled = true where id = $1', [disabled.userId])
  await api.pool.query('update app_user set deleted_at = now() where id = $1', [deleted.userId])
  await api.pool.query('update app_user set password_hash = null where id = $1', [inactive.userId])
  const attempts: [string, string][] = [
    ['nobody-like-this@a.example', PASSWORD],
    [known.username, `${PASSWORD}!`],
    [disabled.username, PASSWORD],
    [deleted.username, PASSWORD],
    [inactive.username, PASSWORD],
  ]
  for (const [username, password] of attempts) {
    const answer = await login(username, password)
    expect([answer.statusCode, answer.json()]).toEqual([401, wrong])
  }
})

test('a failed sign-in is in the audit log with the name as given, cut, and never with the password', async () => {
  const username = `${'x'.repeat(250)}\u202e`
  await login(username, 'canary-password-1')
  const { rows } = await api.pool.query('select * from audit_log order by id desc limit 1')
  expect(rows[0]).toMatchObject({ call: 'App/Login', outcome: 'wrong_credentials', username, entity_name: username })
  expect(JSON.stringify((await api.pool.query('select * from audit_log')).rows)).not.toContain('canary-password-1')
  expect(api.logged.join('')).not.toContain('canary-password-1')
})

test('a token dies at once at every server: on logout', async () => {
  const { userId } = await newUser()
  const [token, stays] = [await openSession(api.pool, userId), await openSession(api.pool, userId)]
  expect((await ask(api, 'App/Logout', { token, method: 'POST' })).json()).toEqual({})
  expect((await me(other, token)).statusCode).toBe(401)
  expect((await me(other, stays)).statusCode).toBe(200)
})

test.each<[string, string]>([
  ['when its user is disabled', 'update app_user set is_disabled = true where id = $1'],
  ['when its user is deleted', 'update app_user set deleted_at = now() where id = $1'],
  [
    'when its role is deleted',
    'update app_role set deleted_at = now() where id = (select role_id from app_user where id = $1)',
  ],
  ['seven days after signing in', 'update app_session set expires_at = now() where user_id = $1'],
  [
    'twelve hours after its last use',
    `update app_session set last_used_at = now() - interval '12 hours 1 second' where user_id = $1`,
  ],
])('a token dies at once at every server: %s', async (_, sql) => {
  const { userId } = await newUser()
  const token = await openSession(api.pool, userId)
  expect([(await me(api, token)).statusCode, (await me(other, token)).statusCode]).toEqual([200, 200])
  await api.pool.query(sql, [userId])
  expect([(await me(api, token)).statusCode, (await me(other, token)).statusCode]).toEqual([401, 401])
})

test('a session lives at most seven days and twelve idle hours', async () => {
  const { username, userId } = await newUser()
  await login(username, PASSWORD)
  const { rows } = await api.pool.query(
    'select extract(epoch from expires_at - created_at)::int as seconds from app_session where user_id = $1',
    [userId],
  )
  expect(rows).toEqual([{ seconds: 7 * 86_400 }])
  const token = await openSession(api.pool, userId)
  await api.pool.query(`update app_session set last_used_at = now() - interval '11 hours 59 minutes'`)
  expect((await me(api, token)).statusCode).toBe(200)
})

const lastUse = async (userId: UserId) =>
  (await api.pool.query('select last_used_at from app_session where user_id = $1', [userId])).rows[0]
    .last_used_at as Date

test('the use of a token is written down at most once a minute', async () => {
  const { userId } = await newUser()
  const token = await openSession(api.pool, userId)
  const opened = await lastUse(userId)
  await me(api, token)
  expect(await lastUse(userId)).toEqual(opened)
  await api.pool.query(`update app_session set last_used_at = now() - interval '61 seconds' where user_id = $1`, [
    userId,
  ])
  await me(api, token)
  expect((await lastUse(userId)).getTime()).toBeGreaterThanOrEqual(opened.getTime())
})

test('a lost function takes the right away on the next request, and leaves the session', async () => {
  const { userId } = await newUser([1, 5])
  const token = await openSession(api.pool, userId)
  expect((await ask(other, 'Device/CreateDevice', { token, method: 'POST', body: {} })).statusCode).toBe(400)
  await api.pool.query(
    'delete from app_role_function where function_id = 1 and role_id = (select role_id from app_user where id = $1)',
    [userId],
  )
  expect((await ask(other, 'Device/CreateDevice', { token, method: 'POST', body: {} })).statusCode).toBe(403)
  expect((await me(other, token)).json()).toMatchObject({ isAdmin: false, isAnalyticsUser: true })
})

test('guessing from one address is soon slowed down, known name or not, and the owner still signs in elsewhere', async () => {
  const { username } = await newUser()
  for (const [name, address] of [
    [username, '10.0.0.1'],
    ['no-such-person@a.example', '10.0.0.2'],
  ] as const) {
    const statuses: number[] = []
    // Half of the attempts go to the other server, because the delay belongs to the name and address, not to a process.
    for (let n = 0; n < 20; n += 1) statuses.push((await login(name, 'guess', address, n % 2 ? api : other)).statusCode)
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(7)
    const refused = await login(name, PASSWORD, address)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await login(username, PASSWORD, '10.0.0.3')).statusCode).toBe(200)
})

test('guesses made at once do not pass together', async () => {
  const { username } = await newUser()
  const answers = await Promise.all(Array.from({ length: 30 }, () => login(username, 'guess', '10.0.1.1')))
  expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(6)
})

test('the wait doubles with each failure up to a quarter of an hour, is over some day, and ends with a success', async () => {
  const { username } = await newUser()
  const waits: number[] = []
  for (let n = 0; n < 5; n += 1) await login(username, 'guess', '10.0.2.1')
  for (let n = 0; n < 12; n += 1) {
    waits.push(Number((await login(username, 'guess', '10.0.2.1')).headers['retry-after']))
    await api.pool.query(`update sign_in_failure set last_failed_at = last_failed_at - interval '900 seconds'`)
    await login(username, 'guess', '10.0.2.1')
  }
  expect(waits.slice(0, 4)).toEqual([2, 4, 8, 16])
  expect(Math.max(...waits)).toBe(900)
  await api.pool.query(`update sign_in_failure set last_failed_at = last_failed_at - interval '901 seconds'`)
  expect((await login(username, PASSWORD, '10.0.2.1')).statusCode).toBe(200)
  expect((await login(username, 'guess', '10.0.2.1')).statusCode).toBe(401)
  expect((await login(username, PASSWORD, '10.0.2.1')).statusCode).toBe(200)
})

test('whoever guesses from one address, however often, locks the owner out nowhere else', async () => {
  const { username } = await newUser()
  for (let n = 0; n < 300; n += 1) await login(username, 'guess', '10.8.0.1')
  expect((await login(username, PASSWORD, '10.8.0.2')).statusCode).toBe(200)
})

test('guessing many names from one address is slowed down too', async () => {
  const spray = (name: string, address: string) => login(`${name}@a.example`, 'Password1', address)
  expect((await spray('first', '10.0.3.1')).statusCode).toBe(401)
  // This is what 500 names from there have used up; one comes back in a second.
  const use = `update allowance set whole_at = now() + interval '500 seconds' where subject = 'sign-in-address:10.0.3.1'`
  expect((await api.pool.query(use)).rowCount).toBe(1)
  const refused = await spray('second', '10.0.3.1')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  expect((await spray('second', '10.0.3.2')).statusCode).toBe(401)
})

test('a known and an unknown name cost the same to refuse', async () => {
  const { username } = await newUser()
  /** Measures the processor time of this process only, which other programs on the machine cannot raise. */
  const costOf = async (name: string, first: number) => {
    const before = process.cpuUsage()
    for (let n = first; n < first + 40; n += 1) await login(name, 'guess', `10.7.${n >> 6}.${n & 63}`)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  await costOf('somebody-before@a.example', 4000)
  const ratio = (await costOf(username, 0)) / (await costOf('who-is-that@a.example', 2000))
  // Without the dummy hash the unknown name would cost less than a fifth.
  expect(ratio).toBeGreaterThan(0.4)
  expect(ratio).toBeLessThan(2.5)
}, 180_000)
