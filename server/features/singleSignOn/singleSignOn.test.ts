import { afterAll, beforeEach, expect, test } from 'vitest'
import type { SignInProvider } from '#contract/http/signIn/singleSignOn.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession, PASSWORD } from '#server/testing/callers.ts'
import {
  CALLBACK,
  CLIENT,
  type IdentityProvider,
  signInAt,
  startIdentityProvider,
} from '#server/testing/identityProvider.ts'

const api = await apiTest({ config: { outboundAllow: ['127.0.0.1'] } })
const [identity, elsewhere] = [await startIdentityProvider(), await startIdentityProvider()]
afterAll(() => Promise.all([identity.stop(), elsewhere.stop()]))

const admin = await openSession(api.pool, await addUser(api.pool, { username: 'admin@staff.example', functions: [1] }))
const customerId = await addCustomer(api.pool, 'City')
const roleOf = async (name: string, functions: readonly number[]): Promise<number> =>
  (
    await ask(api, 'AppRole/SetAppRole', {
      token: admin,
      method: 'POST',
      body: { name, roleFunctions: functions.map((functionId) => ({ functionId })) },
    })
  ).json()
const [manager, analyst] = [await roleOf('Manager', [2]), await roleOf('Analyst', [5])]

const providerOf = (at: IdentityProvider, more: object = {}) => ({
  name: 'City ID',
  issuer: at.issuer,
  ...CLIENT,
  customerId,
  domains: ['city.example'],
  roleClaim: 'groups',
  roleRules: [
    { value: 'managers', roleId: manager },
    { value: 'analysts', roleId: analyst },
  ],
  ...more,
})
const post = (path: string, body: object, token?: string) =>
  ask(api, path, { method: 'POST', body, ...(token !== undefined && { token }) })
const set = (body: object) => post('SignInProvider/SetProvider', body, admin)
const added = async (at: IdentityProvider, more: object): Promise<number> => {
  const answer = await set(providerOf(at, more))
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringMatching(/^\d+$/)])
  return answer.json()
}
const cityId = await added(identity, {})
const otherId = await added(elsewhere, { name: 'Other ID', domains: ['other.example'] })

interface Begun {
  readonly address: string
  readonly attempt: string
}
const begin = async (providerId = cityId): Promise<Begun> =>
  (await post('App/GetProviderAddress', { providerId, username: 'ann@city.example' })).json()
const complete = (attempt: string, parameters: string) => post('App/CompleteProviderSignIn', { attempt, parameters })
async function signIn(providerId = cityId) {
  const { address, attempt } = await begin(providerId)
  return complete(attempt, await signInAt(address))
}
const me = (token: string) => ask(api, 'App/GetClientAuthData', { token })
const lastAudit = async () => (await api.pool.query('select * from audit_log order by id desc limit 1')).rows[0]

let people = 0
function somebody(more: object = {}) {
  people += 1
  const name = `p${people}`
  return {
    sub: `subject of ${name}`,
    email: `${name}@city.example`,
    email_verified: true,
    given_name: 'Ann',
    family_name: name,
    groups: ['staff', 'managers'],
    ...more,
  }
}
beforeEach(() => {
  identity.next = somebody()
  identity.forged = {}
})

test('whoever the provider knows signs in, is added with the role of their claim, and comes back as the same', async () => {
  const answer = await signIn()
  const { accessToken, ...user } = answer.json()
  expect(user).toMatchObject({
    username: identity.next.email,
    firstName: 'Ann',
    roleId: manager,
    customerId,
    isDeviceManager: true,
  })
  expect((await me(accessToken)).json()).toEqual(user)
  expect(await lastAudit()).toMatchObject({
    call: 'App/CompleteProviderSignIn',
    outcome: 'done',
    user_id: user.id,
    details: 'By City ID.',
  })
  // Renamed at the provider, it is still the same person.
  identity.next = { ...identity.next, email: 'renamed@nowhere.example', email_verified: false }
  expect((await signIn()).json()).toMatchObject({ id: user.id, username: user.username })
  const kept = await api.pool.query('select s::text from app_session s')
  expect(JSON.stringify(kept.rows)).not.toContain(accessToken)
})

test('a name that a provider gives is one line that reads as it stands, and keeps nobody from signing in', async () => {
  identity.next = somebody({ given_name: ' Ann\n\u202eeve\u200b', family_name: '\u3164' })
  expect((await signIn()).json()).toMatchObject({ firstName: 'Ann eve', lastName: '' })
})

test('another role at the provider is another role here with the next sign-in; none is no way in, and ends what is open', async () => {
  const { accessToken, id } = (await signIn()).json()
  identity.next = { ...identity.next, groups: ['analysts'] }
  expect((await signIn()).json()).toMatchObject({ id, roleId: analyst })
  expect((await me(accessToken)).json()).toMatchObject({ roleId: analyst })
  identity.next = { ...identity.next, groups: [] }
  const refused = await signIn()
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'provider_refused'])
  expect(refused.json().message).toMatch(/gives you no role here any more/)
  expect((await me(accessToken)).statusCode).toBe(401)
  expect(await lastAudit()).toMatchObject({ call: 'App/CompleteProviderSignIn', outcome: 'provider_refused' })
})

test.each([
  ['without a role', { groups: ['others'] }, /gives you no role here\./],
  ['with an address that is not verified', { email_verified: false }, /has not verified/],
  ['with an address of which nothing is said', { email_verified: undefined }, /has not verified/],
  ['with an address of another domain', { email: 'ann@elsewhere.example' }, /no domain/],
  ['without an address', { email: undefined }, /no mail address/],
])('nobody is added %s', async (_, more, sentence) => {
  identity.next = somebody(more)
  const users = async () => (await api.pool.query('select count(*)::int as users from app_user')).rows[0].users
  const before = await users()
  const refused = await signIn()
  expect([refused.statusCode, refused.json().message]).toEqual([403, expect.stringMatching(sentence)])
  expect(await users()).toBe(before)
})

test.each<[string, (asked: { begun: Begun; other: Begun }) => Promise<[string, string]>]>([
  [
    'a code that was used',
    async ({ begun }) => {
      const parameters = await signInAt(begun.address)
      expect((await complete(begun.attempt, parameters)).statusCode).toBe(200)
      return [begun.attempt, parameters]
    },
  ],
  ['the state of another attempt', async ({ begun, other }) => [other.attempt, await signInAt(begun.address)]],
  [
    'another attempt and its state, with a code that is not for it',
    async ({ begun, other }) => {
      const [mine, theirs] = [await signInAt(begun.address), await signInAt(other.address)]
      const swapped = new URLSearchParams(theirs)
      swapped.set('code', new URLSearchParams(mine).get('code') ?? '')
      return [other.attempt, swapped.toString()]
    },
  ],
  [
    'its own code under another state',
    async ({ begun, other }) => {
      const parameters = new URLSearchParams(await signInAt(begun.address))
      parameters.set('state', new URL(other.address).searchParams.get('state') ?? '')
      return [begun.attempt, parameters.toString()]
    },
  ],
  [
    'another nonce',
    async ({ begun }) => {
      const address = new URL(begun.address)
      address.searchParams.set('nonce', 'of somebody else')
      return [begun.attempt, await signInAt(address.href)]
    },
  ],
  [
    'another issuer in the address',
    async ({ begun }) => {
      const parameters = new URLSearchParams(await signInAt(begun.address))
      parameters.set('iss', elsewhere.issuer)
      return [begun.attempt, parameters.toString()]
    },
  ],
  [
    'a token of another issuer',
    async ({ begun }) => {
      identity.forged = { iss: elsewhere.issuer }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'a token for another audience',
    async ({ begun }) => {
      identity.forged = { aud: 'somebody-else' }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'a token that is over',
    async ({ begun }) => {
      identity.forged = { exp: 1_700_000_000 }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'the answer of another provider',
    async ({ begun }) => {
      elsewhere.next = { ...identity.next }
      return [begun.attempt, await signInAt((await begin(otherId)).address)]
    },
  ],
  [
    'an attempt that was changed',
    async ({ begun }) => [
      `${begun.attempt.slice(0, -2)}${begun.attempt.endsWith('AA') ? 'BB' : 'AA'}`,
      await signInAt(begun.address),
    ],
  ],
  ['what somebody made up', async () => ['1.AAAA', 'code=x&state=y']],
])('refused, with nobody added and nothing begun: %s', async (_, prepare) => {
  const [attempt, parameters] = await prepare({ begun: await begin(), other: await begin() })
  const count = async () =>
    (
      await api.pool.query(
        'select (select count(*) from app_user) as users, (select count(*) from app_session) as sessions',
      )
    ).rows
  const before = await count()
  const refused = await complete(attempt, parameters)
  expect([refused.statusCode, refused.json().code]).toEqual([502, 'provider_failed'])
  expect(await count()).toEqual(before)
  expect(await lastAudit()).toMatchObject({ call: 'App/CompleteProviderSignIn', outcome: 'provider_failed' })
  const secrets = [CLIENT.clientSecret, attempt, new URLSearchParams(parameters).get('code') ?? 'none']
  const told = [refused.body, JSON.stringify(await lastAudit()), api.logged.join('')].join('')
  for (const secret of secrets) expect(told).not.toContain(secret)
})

test('a provider makes nobody of a domain of another, nor whoever another provider brought', async () => {
  const mine = (await signIn()).json()
  elsewhere.next = { ...identity.next, sub: 'a thief' }
  const byDomain = await signIn(otherId)
  expect([byDomain.statusCode, byDomain.json().message]).toEqual([403, expect.stringMatching(/no domain/)])
  const taken = await set(providerOf(elsewhere, { id: otherId, name: 'Other ID', domains: ['city.example'] }))
  expect([taken.statusCode, taken.json().code]).toEqual([409, 'provider_domain_taken'])
  // Even where its domain would fit, and whatever it calls its people.
  await api.pool.query(`update sign_in_provider set domains = '{city.example}' where id = $1`, [otherId])
  for (const sub of ['a thief', identity.next.sub]) {
    elsewhere.next = { ...identity.next, sub }
    const refused = await signIn(otherId)
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      expect.stringMatching(/belongs to somebody else/),
    ])
  }
  await api.pool.query(`update sign_in_provider set domains = '{other.example}' where id = $1`, [otherId])
  expect((await me(mine.accessToken)).statusCode).toBe(200)
})

test('an account of the same customer is taken over by its verified address; one of staff or of others never is', async () => {
  const own = somebody()
  const id = await addUser(api.pool, { username: own.email, functions: [5], customerId })
  identity.next = own
  expect((await signIn()).json()).toMatchObject({ id, roleId: manager })
  const [ofStaff, ofOthers] = [somebody(), somebody()]
  await addUser(api.pool, { username: ofStaff.email, functions: [1] })
  await addUser(api.pool, {
    username: ofOthers.email,
    functions: [1],
    customerId: await addCustomer(api.pool, 'Others'),
  })
  for (const person of [ofStaff, ofOthers]) {
    identity.next = person
    expect((await signIn()).json()).toMatchObject({ code: 'provider_refused' })
  }
})

test('whoever is disabled, or whose customer is, does not come in by a provider either', async () => {
  const { id } = (await signIn()).json()
  await api.pool.query('update app_user set is_disabled = true where id = $1', [id])
  expect((await signIn()).json()).toMatchObject({ code: 'provider_refused' })
})

test('where a provider is required a password is no way in, but for admins of the staff', async () => {
  const staff = { name: 'Staff ID', customerId: null, domains: ['staff.example'], isRequired: true }
  const [ann, boss] = ['ann@staff.example', 'boss@staff.example']
  await addUser(api.pool, { username: ann, functions: [2] })
  await addUser(api.pool, { username: boss, functions: [1] })
  const login = (username: string, password = PASSWORD) => post('App/Login', { username, password })
  expect((await login(ann)).statusCode).toBe(200)
  const id = await added(elsewhere, staff)
  const refused = await login(ann)
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'provider_only'])
  expect((await login(ann, 'not the password')).statusCode).toBe(401)
  expect((await login(boss)).statusCode).toBe(200)
  await set(providerOf(elsewhere, { id, ...staff, isOn: false }))
  expect((await login(ann)).statusCode).toBe(200)
})

test('the domain of a name says by which provider, whether or not there is such a user', async () => {
  const find = async (username: string) => (await post('App/GetSignInProvider', { username })).json()
  expect(await find('whoever@CITY.example')).toEqual({ provider: { id: cityId, name: 'City ID' } })
  expect(await find('ann@sub.city.example')).toEqual({ provider: null })
  expect(await find('ann')).toEqual({ provider: null })
})

test('a provider is read before it is kept, by the outbound door; its secret is never shown', async () => {
  const refusal = async (body: object) => (await set(body)).json()
  // Reached under another name than it gives itself.
  const issuer = identity.issuer.replace('127.0.0.1', 'localhost')
  expect(await refusal(providerOf(identity, { issuer, domains: [] }))).toEqual({
    code: 'provider_not_usable',
    message: 'City ID: what it says does not hold (OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED).',
  })
  expect(await refusal(providerOf(identity, { issuer: 'https://10.0.0.1/', domains: [] }))).toMatchObject({
    code: 'provider_not_usable',
    message: expect.stringMatching(/10\.0\.0\.1/),
  })
  expect(await refusal(providerOf(identity, { issuer: `${identity.issuer}/nothing`, domains: [] }))).toMatchObject({
    code: 'provider_not_usable',
  })
  expect(await refusal(providerOf(identity, { domains: ['no domain'] }))).toMatchObject({ code: 'provider_not_usable' })
  expect(await refusal({ ...providerOf(identity, { domains: [] }), clientSecret: undefined })).toMatchObject({
    message: 'clientSecret is required.',
  })
  const list = await ask(api, 'SignInProvider/GetProviderList', { token: admin })
  const { callback, providers } = list.json() as { callback: string; providers: SignInProvider[] }
  expect(callback).toBe(CALLBACK)
  expect(providers.find(({ id }) => id === cityId)).toMatchObject({ customerName: 'City', domains: ['city.example'] })
  const audit = await api.pool.query(`select a::text from audit_log a where call like 'SignInProvider%'`)
  expect(audit.rows.length).toBeGreaterThan(2)
  expect(`${list.body}${JSON.stringify(audit.rows)}`).not.toContain(CLIENT.clientSecret)
})

test('a provider that is removed takes the sessions along that began by it', async () => {
  const id = await added(elsewhere, { name: 'Short', domains: ['short.example'] })
  elsewhere.next = somebody({ email: 'ann@short.example' })
  const { accessToken } = (await signIn(id)).json()
  expect((await me(accessToken)).statusCode).toBe(200)
  expect((await post('SignInProvider/DeleteProvider', { id }, admin)).statusCode).toBe(200)
  expect((await me(accessToken)).statusCode).toBe(401)
  expect((await post('App/GetProviderAddress', { providerId: id })).statusCode).toBe(404)
})
