import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession, PASSWORD, type Request } from '#server/testing/callers.ts'
import { testCipher } from '#server/testing/database/testCipher.ts'
import { codeAt } from '#server/testing/people/oneTimeCode.ts'

const PERIOD_MS = 30_000
/** The tests use two processes on one database. */
const api = await apiTest()
const other = await apiTest({ on: api })

interface Person {
  readonly username: string
  readonly userId: UserId
  readonly token: string
}

let persons = 0
async function newPerson(): Promise<Person> {
  const username = `person${++persons}@harbour.example`
  const userId = await addUser(api.pool, { username, functions: [1] })
  return { username, userId, token: await openSession(api.pool, userId) }
}

const post = (path: string, body: unknown, more: Request = {}, on = api) =>
  ask(on, path, { method: 'POST', body, ...more })
const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [statusCode, JSON.parse(body).code]
const secretOf = async ({ userId }: Person): Promise<Buffer> => {
  const { rows } = await api.pool.query('select id, secret from user_factor where user_id = $1', [userId])
  return testCipher.decryptBytes(rows[0].secret, `user_factor/${rows[0].id}/secret`)
}
const codeOfApp = (secret: string) => codeAt(Buffer.from(Secret.fromBase32(secret).bytes), Date.now())
/** Lets the code of the present period be used once more. */
const forgetPeriods = ({ userId }: Person) =>
  api.pool.query('update user_factor set last_step = null where user_id = $1', [userId])
const later = (statement: string, { userId }: Person) => api.pool.query(statement, [userId])

async function begin({ token }: Person) {
  const begun = (await ask(api, 'App/GetNewAuthenticator', { token })).json()
  return { challenge: begun.challenge as string, code: codeOfApp(begun.secret), begun }
}

async function enrol(person: Person): Promise<readonly string[]> {
  const { challenge, code } = await begin(person)
  const added = await post('App/AddAuthenticator', { challenge, code, name: 'Phone' }, { token: person.token })
  expect(added.statusCode).toBe(200)
  await forgetPeriods(person)
  return added.json().recoveryCodes
}

async function enrolled(): Promise<Person & { readonly codes: readonly string[] }> {
  const person = await newPerson()
  return { ...person, codes: await enrol(person) }
}

async function challengeFor({ username }: Pick<Person, 'username'>): Promise<string> {
  const answer = await post('App/Login', { username, password: PASSWORD })
  expect(codeOf(answer)).toEqual([401, 'second_factor_required'])
  return answer.json().secondFactor.challenge
}

const codeNow = async (person: Person, aheadMs = 0) => codeAt(await secretOf(person), Date.now() + aheadMs)
const second = ({ username }: Person, challenge: string, code: string, on = api) =>
  post('App/LoginSecondFactor', { username, challenge, code }, {}, on)

test('with an authenticator app a password opens no session, and the code after it one that is proved', async () => {
  const person = await enrolled()
  expect(person.codes).toHaveLength(10)
  const challenge = await challengeFor(person)
  const answer = await second(person, challenge, await codeNow(person))
  expect(answer.statusCode).toBe(200)
  const { accessToken } = answer.json()
  expect((await ask(api, 'App/GetClientAuthData', { token: accessToken })).json()).toMatchObject({
    username: person.username,
  })
  expect((await ask(api, 'App/GetNewAuthenticator', { token: accessToken })).statusCode).toBe(200)
  const { rows } = await api.pool.query(
    `select outcome, user_id from audit_log where call like 'App/Login%' and username = $1 order by id`,
    [person.username],
  )
  expect(rows).toEqual([
    { outcome: 'second_factor_required', user_id: person.userId },
    { outcome: 'done', user_id: person.userId },
  ])
})

test('a challenge works once, for its user, with the password of then, and for five minutes', async () => {
  const [person, stranger] = [await enrolled(), await enrolled()]
  const used = await challengeFor(person)
  expect((await second(person, used, await codeNow(person))).statusCode).toBe(200)
  await forgetPeriods(person)
  expect(codeOf(await second(person, used, await codeNow(person)))).toEqual([400, 'challenge_not_valid'])
  const foreign = await challengeFor(stranger)
  expect(codeOf(await second(person, foreign, await codeNow(person)))).toEqual([400, 'challenge_not_valid'])
  const old = await challengeFor(person)
  await later(`update factor_challenge set expires_at = now() where user_id = $1`, person)
  expect(codeOf(await second(person, old, await codeNow(person)))).toEqual([400, 'challenge_not_valid'])
  const renamed = await challengeFor(person)
  await later(`update app_user set password_hash = 'another' where id = $1`, person)
  expect(codeOf(await second(person, renamed, await codeNow(person)))).toEqual([400, 'challenge_not_valid'])
})

test('one code opens one session, however many use it at the same moment at several processes', async () => {
  const person = await enrolled()
  const code = await codeNow(person)
  const challenges = [await challengeFor(person), await challengeFor(person), await challengeFor(person)]
  const answers = await Promise.all(
    challenges.map((challenge, index) => second(person, challenge, code, index % 2 === 0 ? api : other)),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
  expect(codeOf(await second(person, await challengeFor(person), code))).toEqual([400, 'wrong_second_factor'])
})

test('a code of the period before or after is right, of any further one wrong, and none after a later one', async () => {
  const person = await enrolled()
  // The middle of a period is used, because at its edge one more code would be valid.
  const middle = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS + PERIOD_MS / 2
  const at = async (periods: number) => codeAt(await secretOf(person), middle + periods * PERIOD_MS)
  const tryCode = async (periods: number) => second(person, await challengeFor(person), await at(periods))
  expect(codeOf(await tryCode(3))).toEqual([400, 'wrong_second_factor'])
  expect(codeOf(await tryCode(-3))).toEqual([400, 'wrong_second_factor'])
  expect((await tryCode(1)).statusCode).toBe(200)
  expect(codeOf(await tryCode(0))).toEqual([400, 'wrong_second_factor'])
})

test('a recovery code works once, however it is typed, and counts down', async () => {
  const person = await enrolled()
  const [code = ''] = person.codes
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')}`
  const [challenge, again] = [await challengeFor(person), await challengeFor(person)]
  const answers = await Promise.all([second(person, challenge, typed), second(person, again, code, other)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
  const token = answers.find(({ statusCode }) => statusCode === 200)?.json().accessToken
  expect((await ask(api, 'App/GetFactorList', { token })).json()).toMatchObject({ recoveryCodesLeft: 9 })
})

test('guesses are counted before they are judged, and a right code is refused with the rest', async () => {
  const person = await enrolled()
  const challenge = await challengeFor(person)
  const answers = await Promise.all(Array.from({ length: 14 }, () => second(person, challenge, '000000')))
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 400)).toHaveLength(10)
  const refused = await second(person, challenge, await codeNow(person))
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 60]).toEqual([429, true])
})

/** Reads the cookie by which the browser is known from then on. */
const browserOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  [headers['set-cookie']]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith('wayside_browser='))
    ?.split(';', 1)[0] ?? ''

/** Counts how many wrong codes are judged, spread over browsers that each begin a sign-in of their own. */
async function judgedOf({ username }: Person, cookies: readonly string[], guesses: number): Promise<number> {
  let judged = 0
  for (let n = 0; n < guesses; n++) {
    const headers = { cookie: cookies[n % cookies.length] ?? '' }
    const begun = await post('App/Login', { username, password: PASSWORD }, { headers })
    const { challenge } = begun.json().secondFactor
    const { statusCode } = await post('App/LoginSecondFactor', { username, challenge, code: '000000' }, { headers })
    if (statusCode === 400) judged++
  }
  return judged
}

test('browsers in which somebody signed in before their first factor are strangers to it', async () => {
  const person = await newPerson()
  const cookies: string[] = []
  for (let n = 0; n < 25; n++)
    cookies.push(browserOf(await post('App/Login', { username: person.username, password: PASSWORD })))
  expect(new Set(cookies).size).toBe(25)
  await enrol(person)
  expect(await judgedOf(person, cookies, 60)).toBe(10)
}, 60_000)

test('however many browsers of somebody are known, wrong codes have one budget', async () => {
  const person = await enrolled()
  const { username } = person
  const cookies: string[] = []
  for (let n = 0; n < 25; n++) {
    const entered = await second(person, await challengeFor(person), await codeNow(person))
    expect(entered.statusCode).toBe(200)
    cookies.push(browserOf(entered))
    await forgetPeriods(person)
  }
  // Strangers with the password use up their own allowance and leave something to the owner's browser.
  const challenge = await challengeFor(person)
  for (let n = 0; n < 14; n++) await second(person, challenge, '000000')
  expect((await second(person, challenge, '000000')).statusCode).toBe(429)
  expect(await judgedOf(person, cookies, 60)).toBe(10)
  const headers = { cookie: cookies[0] ?? '' }
  const begun = await post('App/Login', { username, password: PASSWORD }, { headers })
  const right = { username, challenge: begun.json().secondFactor.challenge, code: await codeNow(person) }
  expect((await post('App/LoginSecondFactor', right, { headers })).statusCode).toBe(429)
  // Codes that were refused unjudged count against no browser: in the next hour its right code is judged.
  await api.pool.query(`update allowance set whole_at = whole_at - interval '1 hour'`)
  expect((await post('App/LoginSecondFactor', right, { headers })).statusCode).toBe(200)
}, 60_000)

test('who has no factor proves by the password, and who has one only by it', async () => {
  const person = await newPerson()
  const { token } = person
  const stale = () => later('update app_session set proved_at = null where user_id = $1', person)
  const asked = async () => (await ask(api, 'App/GetNewAuthenticator', { token })).statusCode
  await stale()
  expect(await asked()).toBe(403)
  expect(codeOf(await post('App/StepUp', { password: 'not it' }, { token }))).toEqual([400, 'wrong_second_factor'])
  expect(await asked()).toBe(403)
  expect((await post('App/StepUp', { password: PASSWORD }, { token })).statusCode).toBe(200)
  expect(await asked()).toBe(200)

  const { challenge, code } = await begin(person)
  await post('App/AddAuthenticator', { challenge, code, name: 'Phone' }, { token })
  await stale()
  expect(codeOf(await post('App/StepUp', { password: PASSWORD }, { token }))).toEqual([400, 'invalid_request'])
  expect(await asked()).toBe(403)
  // The code was used when the app was added with it.
  expect(codeOf(await post('App/StepUp', { code }, { token }))).toEqual([400, 'wrong_second_factor'])
  expect((await post('App/StepUp', { code: await codeNow(person, PERIOD_MS) }, { token })).statusCode).toBe(200)
  expect(await asked()).toBe(200)
})

test('with the first factor, what other sessions were proved by counts no more', async () => {
  const person = await newPerson()
  const elsewhere = await openSession(api.pool, person.userId)
  const { challenge, code } = await begin(person)
  await post('App/AddAuthenticator', { challenge, code, name: 'Phone' }, { token: person.token })
  const statuses = [person.token, elsewhere].map(
    async (token) => (await ask(api, 'App/GetNewAuthenticator', { token })).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([200, 403])
})

test('an app is added by its own code, in the session in which it began', async () => {
  const person = await newPerson()
  const { challenge, code } = await begin(person)
  const add = (given: object, token = person.token) =>
    post('App/AddAuthenticator', { challenge, code, name: 'Phone', ...given }, { token })
  expect(codeOf(await add({ code: '000000' }))).toEqual([400, 'wrong_second_factor'])
  expect(codeOf(await add({}, await openSession(api.pool, person.userId)))).toEqual([400, 'challenge_not_valid'])
  expect(codeOf(await add({}, (await newPerson()).token))).toEqual([400, 'challenge_not_valid'])
  expect((await add({})).statusCode).toBe(200)
  expect(codeOf(await add({}))).toEqual([400, 'challenge_not_valid'])
})

test('no secret and no code stands in a log or an audit row', async () => {
  const person = await enrolled()
  const secret = await secretOf(person)
  const code = await codeNow(person)
  await second(person, await challengeFor(person), code)
  const { rows } = await api.pool.query('select row_to_json(a)::text as text from audit_log a')
  const written = [...api.logged, ...rows.map(({ text }) => text)].join('\n')
  expect([code, ...person.codes, secret.toString('hex')].filter((word) => written.includes(word))).toEqual([])
})

test('with the last factor the recovery codes go, and the password is enough again', async () => {
  const person = await enrolled()
  const { token } = person
  const [one] = (await ask(api, 'App/GetFactorList', { token })).json().factors
  expect((await post('App/RemoveFactor', { id: one.id }, { token: (await newPerson()).token })).statusCode).toBe(404)
  expect((await post('App/RemoveFactor', { id: one.id }, { token })).statusCode).toBe(200)
  expect((await ask(api, 'App/GetFactorList', { token })).json()).toMatchObject({ factors: [], recoveryCodesLeft: 0 })
  expect((await post('App/Login', { username: person.username, password: PASSWORD })).statusCode).toBe(200)
})

test('an administrator takes lost factors away, and sessions end', async () => {
  const [admin, person] = [await newPerson(), await enrolled()]
  const reset = () => post('AppUser/ResetFactors', { id: person.userId }, { token: admin.token })
  expect((await reset()).statusCode).toBe(200)
  expect((await ask(api, 'App/GetClientAuthData', { token: person.token })).statusCode).toBe(401)
  expect((await post('App/Login', { username: person.username, password: PASSWORD })).statusCode).toBe(200)
  expect(codeOf(await reset())).toEqual([409, 'no_second_factor'])
})

/** Makes the user's role have required a factor for that many days. */
async function requireOf(
  { token, userId }: Person,
  { graceDays, sinceDays }: Record<'graceDays' | 'sinceDays', number>,
) {
  const { roleId } = (await ask(api, 'App/GetClientAuthData', { token })).json()
  const body = { id: roleId, name: `Needs one ${userId}`, factorGraceDays: graceDays }
  expect((await post('AppRole/SetAppRole', body, { token })).statusCode).toBe(200)
  await api.pool.query(
    `with role as (update app_role set factor_required_at = now() - make_interval(days => $2) where id = $1)
     update app_user set role_since = now() - make_interval(days => $2) where id = $3`,
    [roleId, sinceDays, userId],
  )
}

test('who has a role that needs a factor is told until when, and gets in without one until then', async () => {
  const person = await newPerson()
  await requireOf(person, { graceDays: 14, sinceDays: 4 })
  const own = async () => (await ask(api, 'App/GetClientAuthData', { token: person.token })).json()
  const inTenDays = Date.now() + 10 * 86_400_000
  expect(Math.abs(Date.parse((await own()).factorDueAt) - inTenDays)).toBeLessThan(60_000)
  expect((await post('App/Login', { username: person.username, password: PASSWORD })).statusCode).toBe(200)
  // Somebody who gets the role later has the same number of days.
  await later('update app_user set role_since = now() where id = $1', person)
  expect(Date.parse((await own()).factorDueAt)).toBeGreaterThan(inTenDays + 3 * 86_400_000)
  await enrol(person)
  expect(await own()).not.toHaveProperty('factorDueAt')
})

test('after that a password alone leads to adding one and nowhere else, and sessions without one have ended', async () => {
  const person = await newPerson()
  const { username } = person
  await requireOf(person, { graceDays: 14, sinceDays: 14 })
  expect((await ask(api, 'App/GetClientAuthData', { token: person.token })).statusCode).toBe(401)
  const refused = await post('App/Login', { username, password: PASSWORD })
  expect(codeOf(refused)).toEqual([401, 'factor_enrolment_required'])
  const { challenge, newApp } = refused.json().secondFactor
  const code = codeOfApp(newApp.secret)
  expect(codeOf(await second(person, challenge, code))).toEqual([400, 'challenge_not_valid'])
  const add = (given: object) => post('App/LoginNewFactor', { username, challenge, code, name: 'Phone', ...given })
  expect(codeOf(await add({ code: '000000' }))).toEqual([400, 'wrong_second_factor'])
  expect(codeOf(await add({ username: (await newPerson()).username }))).toEqual([400, 'challenge_not_valid'])
  const entered = await add({})
  expect([entered.statusCode, entered.json().recoveryCodes?.length]).toEqual([200, 10])
  expect(codeOf(await add({}))).toEqual([400, 'challenge_not_valid'])
  const token = entered.json().accessToken
  const [one] = (await ask(api, 'App/GetFactorList', { token })).json().factors
  expect(codeOf(await post('App/RemoveFactor', { id: one.id }, { token }))).toEqual([409, 'factor_needed'])
})
