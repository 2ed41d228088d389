import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { MailQueue } from '#server/mail/mailQueue.ts'
import { SmtpMailer } from '#server/mail/sending/SmtpMailer.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession, PASSWORD, type Request, signIn } from '#server/testing/callers.ts'
import { CITUS_FOLDER } from '#server/testing/database/citusCluster.ts'
import { routedMails } from '#server/testing/mail/routedMails.ts'
import { startMailServer } from '#testing/mailServer.ts'

const CONSOLE = 'https://signs.example'
const NEW_PASSWORD = 'seven lamps over the harbour'

/** The tests use two processes on one database: what ends at one ends at the other. */
let admin: string
/** The clock of the mail queue is ahead by this. */
let laterMs = 0
let users = 0

const api = await apiTest()
const other = await apiTest({ on: api })
const mailServer = await startMailServer()
const ours = await addCustomer(api.pool, 'Ours')
afterAll(() => mailServer.stop())
beforeEach(async () => {
  laterMs = 1_000
  mailServer.mails.length = 0
  await api.pool.query('delete from password_mail')
  admin = (await newUser({ functions: [1] })).token
})

async function newUser({ functions = [2], customerId }: { functions?: (1 | 2)[]; customerId?: CustomerId } = {}) {
  const username = `person${++users}@harbour.example`
  const userId = await addUser(api.pool, { username, functions, ...(customerId !== undefined && { customerId }) })
  return { username, userId, token: await openSession(api.pool, userId) }
}

const queueTo = (url: string) =>
  new MailQueue({
    ...routedMails(api.pool),
    pool: api.pool,
    mailer: new SmtpMailer({ url, from: 'signs@signs.example' }),
    idDomain: 'signs.example',
    consoleUrl: CONSOLE,
    log: { warn: () => undefined },
    now: () => new Date(Date.now() + laterMs),
  })
async function sendMails() {
  // Mails about new sign-ins have a test file of their own.
  await api.pool.query('update app_session set looked_at = now() where looked_at is null')
  await queueTo(mailServer.url).sendDue()
}
const post = (path: string, body: unknown, more: Request = {}, on = api) =>
  ask(on, path, { method: 'POST', body, ...more })
const me = (token: string, on = api) => ask(on, 'App/GetClientAuthData', { token })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]
const tokenIn = (mail: { readonly readable: string } | undefined) =>
  /#token=([\w-]{43})/.exec(mail?.readable ?? '')?.[1]
const setByToken = (token: string | undefined, password = NEW_PASSWORD) =>
  post('App/SetPasswordByToken', { token, password })

async function mailed(path: string, userId: UserId): Promise<string> {
  const answer = await ask(api, path, { token: admin, query: { id: userId } })
  expect(answer.statusCode).toBe(200)
  await sendMails()
  return tokenIn(mailServer.mails.at(-1)) ?? ''
}

test('one changes the own password with the old one, and every other session ends, at every server', async () => {
  const { username, userId, token } = await newUser()
  const elsewhere = await openSession(api.pool, userId)
  const answer = await post('AppUser/ChangeUserPass', { oldPass: PASSWORD, newPass: NEW_PASSWORD }, { token })
  expect([answer.statusCode, answer.json()]).toEqual([200, {}])
  expect([(await me(token, other)).statusCode, (await me(elsewhere, other)).statusCode]).toEqual([200, 401])
  await expect(signIn(api, username)).rejects.toThrow()
  expect(await signIn(api, username, NEW_PASSWORD)).toHaveLength(43)
})

test('the described GET changes it too', async () => {
  const { username, token } = await newUser()
  const query = { oldPass: PASSWORD, newPass: NEW_PASSWORD }
  expect((await ask(api, 'AppUser/ChangeUserPass', { token, query })).statusCode).toBe(200)
  expect(await signIn(api, username, NEW_PASSWORD)).toHaveLength(43)
})

test.each([
  ['not the old one', { oldPass: 'some other password', newPass: NEW_PASSWORD }, 'wrong_old_password'],
  ['too short', { oldPass: PASSWORD, newPass: 'seven lamps' }, 'weak_password'],
  ['too long', { oldPass: PASSWORD, newPass: `${'seven lamps '.repeat(10)}and more` }, undefined],
  ['common', { oldPass: PASSWORD, newPass: 'Password12345678' }, 'weak_password'],
  ['the same again', { oldPass: PASSWORD, newPass: PASSWORD }, 'weak_password'],
])('a password is refused that is %s', async (_, body, code) => {
  const { username, token } = await newUser()
  const newPass = code === undefined ? body.newPass.padEnd(129, '!') : body.newPass
  const answer = await post('AppUser/ChangeUserPass', { ...body, newPass }, { token })
  expect([answer.statusCode, answer.json().code]).toEqual([400, code ?? 'weak_password'])
  expect(await lastAudit()).toMatchObject({ call: 'AppUser/ChangeUserPass', outcome: code ?? 'weak_password' })
  expect((await me(token)).statusCode).toBe(200)
  expect(await signIn(api, username)).toHaveLength(43)
})

test.each(['iloveyousomuch123', 'liverpoolfc12345', 'correct horse battery staple', 'Sommerferien2024!'])(
  'a password that dictionaries know is refused, by change and by link: %s',
  async (password) => {
    const { username, userId, token } = await newUser()
    const changed = await post('AppUser/ChangeUserPass', { oldPass: PASSWORD, newPass: password }, { token })
    expect([changed.statusCode, changed.json().code]).toEqual([400, 'weak_password'])
    const link = await mailed('AppUser/SendResetPasswordEmail', userId)
    const set = await setByToken(link, password)
    expect([set.statusCode, set.json().code]).toEqual([400, 'weak_password'])
    expect((await setByToken(link)).statusCode).toBe(200)
    expect(await signIn(api, username, NEW_PASSWORD)).toHaveLength(43)
  },
)

test("a password made of the user's own words is refused: names, addresses, the customer", async () => {
  const customerId = await addCustomer(api.pool, 'Kvarnholmen Reklam')
  const { userId, token } = await newUser({ customerId })
  await api.pool.query(
    `update app_user set first_name = 'Solvejg', last_name = 'Oehlenschlaeger', email = 'zirkonfeld@notes.example' where id = $1`,
    [userId],
  )
  for (const newPass of [
    'SolvejgOehlenschlaeger1',
    'zirkonfeld zirkonfeld 7',
    'Kvarnholmen-Reklam-2026',
    'wayside Solvejg 99',
  ]) {
    const answer = await post('AppUser/ChangeUserPass', { oldPass: PASSWORD, newPass }, { token })
    expect([newPass, answer.json().code]).toEqual([newPass, 'weak_password'])
  }
  // Another person may use the password, because the words have nothing to do with them.
  const stranger = await newUser()
  const theirs = { oldPass: PASSWORD, newPass: 'SolvejgOehlenschlaeger1' }
  expect((await post('AppUser/ChangeUserPass', theirs, { token: stranger.token })).statusCode).toBe(200)
})

test('whoever proves the old password and chooses weak new ones is not taken for a guesser', async () => {
  const { username, token } = await newUser()
  for (let n = 0; n < 8; n += 1) {
    const body = { oldPass: PASSWORD, newPass: `iloveyousomuch12${n}` }
    expect((await post('AppUser/ChangeUserPass', body, { token })).json().code).toBe('weak_password')
  }
  expect(await signIn(api, username)).toHaveLength(43)
})

test('with a stolen session the old password cannot be guessed', async () => {
  const { token } = await newUser()
  const statuses: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const answer = await post('AppUser/ChangeUserPass', { oldPass: `guess ${n}`, newPass: NEW_PASSWORD }, { token })
    statuses.push(answer.statusCode)
  }
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(7)
  expect(statuses.at(-1)).toBe(429)
})

test('an activation mail leads to a password by which one signs in; its link works once', async () => {
  const { username, userId } = await newUser()
  await api.pool.query('update app_user set password_hash = null where id = $1', [userId])
  const answer = await ask(api, 'AppUser/SendRegistrationEmail', { token: admin, query: { id: userId } })
  expect([answer.headers['content-type'], answer.body]).toEqual([
    'application/json; charset=utf-8',
    JSON.stringify(username),
  ])
  expect(await lastAudit()).toMatchObject({ entity_id: userId, entity_name: username, outcome: 'done' })
  await sendMails()
  const [mail] = mailServer.mails
  expect(mail?.to).toEqual([username])
  expect(mail?.raw).toMatch(/Content-Type: text\/plain/)
  expect(mail?.raw).toMatch(/Content-Type: text\/html/)
  expect(mail?.readable).toContain(`${CONSOLE}/registration#token=`)
  expect(mail?.readable).toContain('7 days')
  const token = tokenIn(mail)
  expect((await post('App/CheckPasswordLink', { token })).json()).toMatchObject({ username })
  expect((await setByToken(token, 'Password12345678')).json()).toMatchObject({ code: 'weak_password' })
  expect((await setByToken(token, `so ${username} it is`)).json()).toMatchObject({ code: 'weak_password' })
  expect((await setByToken(token)).json()).toEqual({ username })
  expect(await lastAudit()).toMatchObject({ user_id: userId, username, entity_id: userId, outcome: 'done' })
  expect(await signIn(api, username, NEW_PASSWORD)).toHaveLength(43)
  const again = await setByToken(token)
  expect([again.statusCode, again.json().code]).toEqual([400, 'link_not_valid'])
  expect(JSON.stringify((await api.pool.query('select * from password_link')).rows)).not.toContain(token)
})

test('of two uses of a link at once one counts', async () => {
  const { userId } = await newUser()
  const token = await mailed('AppUser/SendResetPasswordEmail', userId)
  const answers = await Promise.all([setByToken(token), setByToken(token, 'eight lamps over the harbour')])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
})

test('a new password by mail ends all sessions, and what was guessed against the name', async () => {
  const { username, userId, token: session } = await newUser()
  for (let n = 0; n < 8; n += 1) await post('App/Login', { username, password: 'guess' })
  expect((await post('App/Login', { username, password: PASSWORD })).statusCode).toBe(429)
  await setByToken(await mailed('AppUser/SendResetPasswordEmail', userId))
  expect((await me(session, other)).statusCode).toBe(401)
  expect(await signIn(api, username, NEW_PASSWORD)).toHaveLength(43)
})

test('a reset link lives an hour, an activation link seven days, but an hour for who has a password', async () => {
  const lifetimeMinutes = async (kind: 'Registration' | 'ResetPassword', hasPassword: boolean) => {
    const { userId } = await newUser()
    if (!hasPassword) await api.pool.query('update app_user set password_hash = null where id = $1', [userId])
    const token = await mailed(`AppUser/Send${kind}Email`, userId)
    const { expires } = (await post('App/CheckPasswordLink', { token })).json()
    await api.pool.query(
      `update password_link set expires_at = now() where mail_id in (select id from password_mail where user_id = $1)`,
      [userId],
    )
    expect((await setByToken(token)).json()).toMatchObject({ code: 'link_not_valid' })
    return Math.round((Date.parse(expires) - Date.now()) / MINUTE_MS)
  }
  expect(await lifetimeMinutes('ResetPassword', true)).toBe(60)
  expect(await lifetimeMinutes('Registration', true)).toBe(60)
  expect(await lifetimeMinutes('Registration', false)).toBe(7 * 24 * 60)
})

test.each([
  ['a newer mail', async (userId: UserId) => void (await mailed('AppUser/SendResetPasswordEmail', userId))],
  [
    'another username',
    (userId: UserId) => api.pool.query(`update app_user set username = 'new-' || username where id = $1`, [userId]),
  ],
  [
    'a password that was changed',
    async (userId: UserId) => {
      const body = { oldPass: PASSWORD, newPass: 'nine lamps over the harbour' }
      const token = await openSession(api.pool, userId)
      expect((await post('AppUser/ChangeUserPass', body, { token })).statusCode).toBe(200)
    },
  ],
  ['disabling', (userId: UserId) => api.pool.query('update app_user set is_disabled = true where id = $1', [userId])],
  ['deletion', (userId: UserId) => api.pool.query('update app_user set deleted_at = now() where id = $1', [userId])],
])('a link ends by %s', async (_, end) => {
  const { userId } = await newUser()
  const token = await mailed('AppUser/SendResetPasswordEmail', userId)
  expect((await post('App/CheckPasswordLink', { token })).statusCode).toBe(200)
  await end(userId)
  expect((await post('App/CheckPasswordLink', { token })).json()).toMatchObject({ code: 'link_not_valid' })
  expect((await setByToken(token)).json()).toMatchObject({ code: 'link_not_valid' })
})

test('no mail goes to who may not sign in, and none out of another customer', async () => {
  const [disabled, foreign] = [await newUser(), await newUser({ customerId: await addCustomer(api.pool, 'Theirs') })]
  await api.pool.query('update app_user set is_disabled = true where id = $1', [disabled.userId])
  const sendTo = (id: number, token: string) => ask(api, 'AppUser/SendResetPasswordEmail', { token, query: { id } })
  expect((await sendTo(disabled.userId, admin)).json()).toMatchObject({ code: 'user_cannot_sign_in' })
  const { token } = await newUser({ functions: [1], customerId: ours })
  const [theirs, never] = [await sendTo(foreign.userId, token), await sendTo(2_000_000_000, token)]
  expect([theirs.statusCode, theirs.body]).toEqual([404, never.body])
  await sendMails()
  expect(mailServer.mails).toEqual([])
})

test('a forgotten password: the answer is the same for all, a mail goes to who exists, three an hour', async () => {
  const { username, token: session } = await newUser()
  const disabled = await newUser()
  await api.pool.query('update app_user set is_disabled = true where id = $1', [disabled.userId])
  const asked = [` ${username.toUpperCase()} `, disabled.username, 'nobody@nowhere.example']
  const answers = await Promise.all(asked.map((name) => post('App/RequestPasswordReset', { username: name })))
  const withoutDate = answers.map(({ statusCode, body, headers: { date: _, ...headers } }) => [
    statusCode,
    body,
    headers,
  ])
  expect(withoutDate).toEqual(asked.map(() => withoutDate[0]))
  await sendMails()
  expect(mailServer.mails.map(({ to }) => to)).toEqual([[username]])
  expect(mailServer.mails[0]?.readable).toContain(`${CONSOLE}/reset-password#token=`)
  expect((await me(session)).statusCode).toBe(200)
  for (let n = 0; n < 6; n += 1) {
    await post('App/RequestPasswordReset', { username })
    await sendMails()
  }
  expect(mailServer.mails).toHaveLength(3)
  expect((await setByToken(tokenIn(mailServer.mails[2]))).statusCode).toBe(200)
})

test('an admin sends a user five mails an hour and not more', async () => {
  const { userId } = await newUser()
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const answer = await ask(api, 'AppUser/SendResetPasswordEmail', { token: admin, query: { id: userId } })
    statuses.push(answer.statusCode)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect(await lastAudit()).toMatchObject({ outcome: 'too_many_requests', entity_id: userId })
})

test('hostile headers and names change neither the link nor the headers of a mail', async () => {
  const username = 'eve@harbour.example\r\nBcc: all@harbour.example'
  const userId = await addUser(api.pool, { username, functions: [2] })
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  const asked = await ask(api, 'AppUser/SendResetPasswordEmail', { token: admin, query: { id: userId }, headers })
  expect(asked.statusCode).toBe(200)
  await sendMails()
  expect(mailServer.mails).toEqual([])
  const victim = await newUser()
  await post('App/RequestPasswordReset', { username: victim.username }, { headers })
  await sendMails()
  const [mail] = mailServer.mails
  expect(mail?.raw).not.toContain('evil.example')
  expect(mail?.readable.match(/https?:\/\/[^/\s"]+/g)?.filter((origin) => origin !== CONSOLE)).toEqual([])
  expect(mail?.messageId).toMatch(/^<[\w-]+@signs\.example>$/)
})

test('a mail that may have arrived is sent again under one Message-ID, and the link of either copy works', async () => {
  const { userId } = await newUser()
  await ask(api, 'AppUser/SendResetPasswordEmail', { token: admin, query: { id: userId } })
  await sendMails()
  // A process that died between the mail's acceptance and recording it leaves this behind.
  await api.pool.query(`update password_mail set sent_at = null, claimed_at = now() where user_id = $1`, [userId])
  laterMs += 5 * MINUTE_MS
  await sendMails()
  const [first, second] = mailServer.mails
  expect(second?.messageId).toBe(first?.messageId)
  expect(tokenIn(second)).not.toBe(tokenIn(first))
  expect((await post('App/CheckPasswordLink', { token: tokenIn(first) })).statusCode).toBe(200)
  expect((await setByToken(tokenIn(second))).statusCode).toBe(200)
  expect((await setByToken(tokenIn(first))).statusCode).toBe(400)
})

test('while the mail server is away a mail waits, and goes when it is back', async () => {
  const away = await startMailServer()
  await away.stop()
  const { userId } = await newUser()
  await ask(api, 'AppUser/SendResetPasswordEmail', { token: admin, query: { id: userId } })
  await queueTo(away.url).sendDue()
  const { rows } = await api.pool.query('select sent_at, waits_for_server from password_mail where user_id = $1', [
    userId,
  ])
  expect(rows).toEqual([{ sent_at: null, waits_for_server: true }])
  laterMs += 5 * MINUTE_MS
  await sendMails()
  expect((await setByToken(tokenIn(mailServer.mails[0]))).statusCode).toBe(200)
})

test('one sees the own sessions in plain words, this one first, and ends one or all others', async () => {
  const { username, userId } = await newUser()
  const stranger = await newUser()
  const login = (userAgent: string) =>
    post('App/Login', { username, password: PASSWORD }, { headers: { 'user-agent': userAgent } })
  const phone = (await login('Mozilla/5.0 (iPhone; CPU iPhone OS 18) Version/18.5 Safari/604.1')).json().accessToken
  const desk = (await login('Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0')).json().accessToken
  await api.pool.query(
    `update app_session set last_used_at = now() - interval '13 hours' where user_id = $1 and user_agent = ''`,
    [userId],
  )
  const list = async (token: string) => (await ask(api, 'App/GetSessionList', { token })).json()
  const [first, second, ...more] = await list(phone)
  expect(first).toMatchObject({ device: 'Safari on iPhone', isCurrent: true, address: '127.0.0.1' })
  expect(second).toMatchObject({ device: 'Firefox on Windows', isCurrent: false })
  expect(more).toEqual([])
  const strangers = (await list(stranger.token))[0].id
  const end = (id: number) => post('App/EndSession', { id }, { token: phone })
  const [theirs, never] = [await end(strangers), await end(2_000_000_000)]
  expect([theirs.statusCode, theirs.body]).toEqual([404, never.body])
  expect((await me(stranger.token)).statusCode).toBe(200)
  expect((await end(second.id)).statusCode).toBe(200)
  expect([(await me(desk, other)).statusCode, (await me(phone, other)).statusCode]).toEqual([401, 200])
  await openSession(api.pool, userId)
  expect((await post('App/EndOtherSessions', {}, { token: phone })).json()).toEqual({ endedCount: 1 })
  expect(await list(phone)).toHaveLength(1)
  expect(await lastAudit()).toMatchObject({ call: 'App/EndOtherSessions', outcome: 'done', user_id: userId })
})

test('an admin sees where a user is signed in, and ends one session or all; of others not a word', async () => {
  const customerId = await addCustomer(api.pool, 'Sessions')
  const boss = { username: 'boss@sessions.example', functions: [1, 2] as const, customerId }
  const token = await openSession(api.pool, await addUser(api.pool, boss))
  const worker = { username: 'worker@sessions.example', functions: [2] as const, customerId }
  const userId = await addUser(api.pool, worker)
  const [one, another] = [await openSession(api.pool, userId), await openSession(api.pool, userId)]
  const list = (id: number) => ask(api, 'AppUser/GetUserSessionList', { token, query: { id } })
  const end = (body: object) => post('AppUser/EndUserSessions', body, { token })
  const [first] = (await list(userId)).json()
  expect((await list(userId)).json()).toHaveLength(2)
  expect((await end({ userId, id: first.id })).json()).toEqual({ endedCount: 1 })
  expect((await end({ userId, id: first.id })).statusCode).toBe(404)
  expect([(await me(one)).statusCode, (await me(another)).statusCode].sort()).toEqual([200, 401])
  await openSession(api.pool, userId)
  expect((await end({ userId })).json()).toEqual({ endedCount: 2 })
  expect(await lastAudit()).toMatchObject({
    call: 'AppUser/EndUserSessions',
    entity_id: userId,
    entity_name: worker.username,
    details: 'Sessions that were ended: 2.',
  })
  const mighty = await addUser(api.pool, { username: 'mighty@sessions.example', functions: [1, 5], customerId })
  const { userId: stranger } = await newUser()
  for (const id of [mighty, stranger]) await openSession(api.pool, id)
  expect([(await list(mighty)).statusCode, (await list(stranger)).statusCode]).toEqual([403, 404])
  expect([(await end({ userId: mighty })).statusCode, (await end({ userId: stranger })).statusCode]).toEqual([403, 404])
})

test('the own time zone is kept, and told with who one is', async () => {
  const { token } = await newUser()
  expect((await me(token)).json()).toMatchObject({ timeZone: '' })
  expect((await post('App/SetTimeZone', { timeZone: 'Asia/Tokyo' }, { token })).json()).toEqual({})
  expect((await me(token, other)).json()).toMatchObject({ timeZone: 'Asia/Tokyo' })
  expect(await lastAudit()).toMatchObject({ before: { timeZone: '' }, after: { timeZone: 'Asia/Tokyo' } })
  expect((await post('App/SetTimeZone', { timeZone: 'Mars/Base' }, { token })).statusCode).toBe(400)
  expect((await post('App/SetTimeZone', { timeZone: '' }, { token })).statusCode).toBe(200)
  expect((await me(token)).json()).toMatchObject({ timeZone: '' })
})

test('no password is in any log, audit row or table, whichever way the call ends', async () => {
  const [oldCanary, newCanary] = ['canary-old-of-seven-lamps', 'canary-new-of-eight-lamps']
  const { token } = await newUser()
  const query = { oldPass: oldCanary, newPass: newCanary }
  const statuses = [
    await post('AppUser/ChangeUserPass', { oldPass: PASSWORD, newPass: oldCanary }, { token }),
    await ask(api, 'AppUser/ChangeUserPass', { query }),
    await post('AppUser/ChangeUserPass', { ...query, unknown: newCanary }, { token }),
    await ask(api, 'AppUser/ChangeUserPass', { method: 'PUT', token, query }),
    await whileBroken(() => ask(api, 'AppUser/ChangeUserPass', { token, query })),
    await ask(api, 'AppUser/ChangeUserPass', { token, query: { oldPass: newCanary, newPass: oldCanary } }),
    await ask(api, 'AppUser/ChangeUserPass', { token, query }),
  ].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([200, 401, 400, 405, 500, 400, 200])
  const { rows } = await api.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%\\_2%'`,
  )
  expect(rows.map(({ name }) => name)).toContain('audit_log')
  for (const { name } of rows) {
    const found = await api.pool
      .query(`select t::text from "${name}" t where t::text like '%canary-%-lamps%'`)
      .catch((error: { code?: string }) => {
        // The application's role may not read the table of migrations.
        if (error.code === '42501') return { rows: [] }
        throw error
      })
    expect([name, found.rows]).toEqual([name, []])
  }
  expect(api.logged.join('\n')).not.toMatch(/canary-(old|new)/)
  expect(api.logged.join('\n')).toContain('AppUser/ChangeUserPass')
  expect(databaseLog(api.applicationUrl)).not.toMatch(/canary-(old|new)/)
  expect(databaseLog(api.applicationUrl)).toContain('password_link')
})

/** Makes the statement that stores a new password fail, so that the database logs it. */
async function whileBroken<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await owner.query('alter table password_link rename to password_link_away')
  const answer = await work()
  await owner.query('alter table password_link_away rename to password_link')
  await owner.end()
  return answer
}

function databaseLog(url: string): string {
  const socketFolder = new URL(url).searchParams.get('host') ?? decodeURIComponent(new URL(url).hostname)
  const places =
    CITUS_FOLDER === undefined
      ? [`${dirname(socketFolder)}/log/*`, `${dirname(socketFolder)}/*/log/*`]
      : [`${dirname(inject('databaseDoor'))}/wayside-citus-*/*.log`]
  return globSync(places)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}
