import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addUser, ask, openSession, PASSWORD, type Request } from '#server/testing/callers.ts'
import { pretendPasskey, type RequestedAs } from '#server/testing/people/pretendPasskey.ts'

/** The tests use two processes on one database. */
const api = await apiTest()
const other = await apiTest({ on: api })

const post = (path: string, body: unknown, more: Request = {}, on = api) =>
  ask(on, path, { method: 'POST', body, ...more })
const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [statusCode, JSON.parse(body).code]
const WRONG = [400, 'wrong_second_factor']

let persons = 0
async function newPerson() {
  const username = `person${++persons}@harbour.example`
  const userId = await addUser(api.pool, { username, functions: [1] })
  return { username, userId, token: await openSession(api.pool, userId), passkey: pretendPasskey() }
}
type Person = Awaited<ReturnType<typeof newPerson>>

const beginOf = async ({ token }: Person) => (await ask(api, 'App/GetNewPasskey', { token })).json()
async function add(person: Person, differs: Partial<RequestedAs> = {}) {
  const { challenge } = await beginOf(person)
  const passkey = person.passkey.made({ challenge, ...differs })
  return post('App/AddPasskey', { challenge, name: 'Laptop', passkey }, { token: person.token })
}

async function enrolled(): Promise<Person> {
  const person = await newPerson()
  const added = await add(person)
  expect([added.statusCode, added.json().recoveryCodes?.length]).toEqual([200, 10])
  return person
}

async function asked({ username }: Person) {
  const refused = await post('App/Login', { username, password: PASSWORD })
  expect(codeOf(refused)).toEqual([401, 'second_factor_required'])
  return refused.json().secondFactor
}

const second = ({ username }: Person, challenge: string, passkey: unknown, on = api) =>
  post('App/LoginSecondFactor', { username, challenge, passkey }, {}, on)

test('a passkey ends a sign-in that a password began', async () => {
  const person = await enrolled()
  const { challenge, passkeys } = await asked(person)
  expect(passkeys).toEqual({
    rpId: 'localhost',
    credentials: [{ id: person.passkey.credentialId, transports: ['internal'] }],
  })
  const answer = await second(person, challenge, person.passkey.answer({ challenge }))
  expect(answer.statusCode).toBe(200)
  const { rows } = await api.pool.query(
    'select proved_by from app_session where user_id = $1 order by id desc limit 1',
    [person.userId],
  )
  expect(rows).toEqual([{ proved_by: 'passkey' }])
})

test.each([
  ['another origin', { origin: 'https://signs.example.evil' }],
  ['another name', { rpId: 'evil.example' }],
  ['a challenge of nobody', { challenge: 'A'.repeat(43) }],
])('a passkey that answers %s is refused, when it is added and when it is used', async (_, differs) => {
  expect(codeOf(await add(await newPerson(), differs))).toEqual(WRONG)
  const person = await enrolled()
  const { challenge } = await asked(person)
  expect(codeOf(await second(person, challenge, person.passkey.answer({ challenge, ...differs })))).toEqual(WRONG)
})

test('a passkey is kept under the id that its authenticator attested, whatever the browser calls it', async () => {
  const [person, stranger] = [await newPerson(), await enrolled()]
  const { challenge } = await beginOf(person)
  const { credentialId } = stranger.passkey
  const passkey = { ...person.passkey.made({ challenge }), credentialId }
  const added = await post('App/AddPasskey', { challenge, name: 'Laptop', passkey }, { token: person.token })
  expect(added.statusCode).toBe(200)
  const kept = await asked(person)
  expect(kept.passkeys.credentials).toMatchObject([{ id: person.passkey.credentialId }])
  const answer = person.passkey.answer({ challenge: kept.challenge })
  expect((await second(person, kept.challenge, answer)).statusCode).toBe(200)
})

test('an answer counts once, for its user, and not when the passkey has counted backwards', async () => {
  const [person, stranger] = [await enrolled(), await enrolled()]
  const { challenge } = await asked(person)
  expect(codeOf(await second(person, challenge, stranger.passkey.answer({ challenge })))).toEqual(WRONG)
  const answer = person.passkey.answer({ challenge, useCount: 9 })
  const tries = await Promise.all([second(person, challenge, answer), second(person, challenge, answer, other)])
  expect(tries.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
  expect(codeOf(await second(person, challenge, answer))).toEqual([400, 'challenge_not_valid'])
  const next = await asked(person)
  const copy = person.passkey.answer({ challenge: next.challenge, useCount: 8 })
  expect(codeOf(await second(person, next.challenge, copy))).toEqual(WRONG)
})

test('a challenge that is over, or of another user, is answered in vain', async () => {
  const [person, stranger] = [await enrolled(), await enrolled()]
  const foreign = (await asked(stranger)).challenge
  const answered = await second(person, foreign, person.passkey.answer({ challenge: foreign }))
  expect(codeOf(answered)).toEqual([400, 'challenge_not_valid'])
  const { challenge } = await asked(person)
  await api.pool.query('update factor_challenge set expires_at = now() where user_id = $1', [person.userId])
  const late = await second(person, challenge, person.passkey.answer({ challenge }))
  expect(codeOf(late)).toEqual([400, 'challenge_not_valid'])
})

test('a passkey proves once more who it is, in the session that asked', async () => {
  const person = await enrolled()
  const { token, userId } = person
  const stale = () => api.pool.query('update app_session set proved_at = null where user_id = $1', [userId])
  const ways = async (of = token) => (await ask(api, 'App/GetStepUpWays', { token: of })).json()
  const prove = (challenge: string) =>
    post('App/StepUp', { challenge, passkey: person.passkey.answer({ challenge }) }, { token })
  await stale()
  const found = await ways()
  expect(found.ways).toEqual(['passkey', 'recoveryCode'])
  const elsewhere = await ways(await openSession(api.pool, userId))
  expect(codeOf(await prove(elsewhere.passkeys.challenge))).toEqual([400, 'challenge_not_valid'])
  expect((await ask(api, 'App/GetNewPasskey', { token })).statusCode).toBe(403)
  expect((await prove(found.passkeys.challenge)).statusCode).toBe(200)
  expect((await ask(api, 'App/GetNewPasskey', { token })).statusCode).toBe(200)
  expect(codeOf(await prove(found.passkeys.challenge))).toEqual([400, 'challenge_not_valid'])
})

test('where people come by an address without a name, there are no passkeys, and codes go on', async () => {
  const person = await enrolled()
  const bare = await apiTest({ on: api, config: { publicUrl: 'https://192.0.2.7' } })
  const { token } = person
  expect((await ask(bare, 'App/GetFactorList', { token })).json().passkeyOrigin).toBeNull()
  expect(codeOf(await ask(bare, 'App/GetNewPasskey', { token }))).toEqual([409, 'passkeys_not_possible'])
})
