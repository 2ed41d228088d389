import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { SignInProvider } from '#contract/http/people/singleSignOn.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession, PASSWORD, startApi } from '#server/testing/callers.ts'
import {
  CALLBACK,
  type CameBack,
  CLIENT,
  type IdentityProvider,
  signInAt,
  startIdentityProvider,
} from '#testing/identityProvider.ts'

const api = await apiTest({ config: { outboundAllow: ['127.0.0.1'] } })
const another = await startApi({ on: api, config: { outboundAllow: ['127.0.0.1'] } })
const identity = await startIdentityProvider()
const elsewhere = await startIdentityProvider(undefined, { promisesIssuer: false })
afterAll(() => Promise.all([identity.stop(), elsewhere.stop(), another.stop()]))

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
  redirectId: at.redirectId,
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
const complete = (attempt: string, back: CameBack, at: typeof api | typeof another = api) =>
  ask(at, 'App/CompleteProviderSignIn', { method: 'POST', body: { attempt, ...back } })
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
  elsewhere.sendsOnTo = undefined
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
  // Somebody who was renamed at the provider is still the same person.
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

type Prepared = readonly [attempt: string, back: CameBack]

const altered = (
  { redirectId, parameters }: CameBack,
  others: Readonly<Record<string, string | undefined>>,
): CameBack => {
  const given = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) given.delete(name)
    else given.set(name, value)
  }
  return { redirectId, parameters: given.toString() }
}
const stateOf = ({ address }: Begun) => new URL(address).searchParams.get('state') ?? ''

const NOT_FOR_THIS = [400, 'challenge_not_valid'] as const
const NOT_BELIEVED = [502, 'provider_failed'] as const

test.each<
  [
    name: string,
    refusal: readonly [number, string],
    prepare: (asked: { begun: Begun; other: Begun }) => Promise<Prepared>,
  ]
>([
  [
    'an attempt that was used',
    NOT_FOR_THIS,
    async ({ begun }) => {
      const back = await signInAt(begun.address)
      expect((await complete(begun.attempt, back)).statusCode).toBe(200)
      return [begun.attempt, back]
    },
  ],
  [
    'the state of another attempt',
    NOT_FOR_THIS,
    async ({ begun, other }) => [other.attempt, await signInAt(begun.address)],
  ],
  [
    'another attempt and its state, with a code that is not for it',
    NOT_FOR_THIS,
    async ({ begun, other }) => {
      const [mine, theirs] = [await signInAt(begun.address), await signInAt(other.address)]
      const code = new URLSearchParams(mine.parameters).get('code') ?? ''
      return [other.attempt, altered(theirs, { code })]
    },
  ],
  [
    'its own code under another state',
    NOT_FOR_THIS,
    async ({ begun, other }) => [begun.attempt, altered(await signInAt(begun.address), { state: stateOf(other) })],
  ],
  [
    'no code',
    NOT_FOR_THIS,
    async ({ begun }) => [begun.attempt, altered(await signInAt(begun.address), { code: undefined })],
  ],
  ...(
    [
      ['an empty code', { code: '' }],
      ['an empty error in the place of a code', { code: undefined, error: '' }],
      ['a token beside the code', { id_token: 'x' }],
      ['an access token beside the code', { token: 'x' }],
      ['a signed answer beside the code', { response: 'x' }],
    ] as const
  ).map(([name, others]): [string, readonly [number, string], (asked: { begun: Begun }) => Promise<Prepared>] => [
    name,
    NOT_FOR_THIS,
    async ({ begun }) => [begun.attempt, altered(await signInAt(begun.address), others)],
  ]),
  [
    'two states',
    NOT_FOR_THIS,
    async ({ begun }) => {
      const { redirectId, parameters } = await signInAt(begun.address)
      return [begun.attempt, { redirectId, parameters: `${parameters}&state=another` }]
    },
  ],
  [
    'the word of the provider that it lets nobody in',
    [403, 'provider_refused'],
    async ({ begun }) => [
      begun.attempt,
      altered(await signInAt(begun.address), { code: undefined, error: 'access_denied' }),
    ],
  ],
  [
    'another nonce',
    NOT_BELIEVED,
    async ({ begun }) => {
      const address = new URL(begun.address)
      address.searchParams.set('nonce', 'of somebody else')
      return [begun.attempt, await signInAt(address.href)]
    },
  ],
  [
    'another issuer in the address',
    NOT_FOR_THIS,
    async ({ begun }) => [begun.attempt, altered(await signInAt(begun.address), { iss: elsewhere.issuer })],
  ],
  [
    'no issuer in the address, of a provider that says it names itself there',
    NOT_FOR_THIS,
    async ({ begun }) => [begun.attempt, altered(await signInAt(begun.address), { iss: undefined })],
  ],
  [
    'a token of another issuer',
    NOT_BELIEVED,
    async ({ begun }) => {
      identity.forged = { iss: elsewhere.issuer }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'a token for another audience',
    NOT_BELIEVED,
    async ({ begun }) => {
      identity.forged = { aud: 'somebody-else' }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'a token that is over',
    NOT_BELIEVED,
    async ({ begun }) => {
      identity.forged = { exp: 1_700_000_000 }
      return [begun.attempt, await signInAt(begun.address)]
    },
  ],
  [
    'the answer of another provider',
    NOT_FOR_THIS,
    async ({ begun }) => {
      elsewhere.next = { ...identity.next }
      return [begun.attempt, await signInAt((await begin(otherId)).address)]
    },
  ],
  [
    'its own answer on the address of another provider',
    NOT_FOR_THIS,
    async ({ begun }) => [begun.attempt, { ...(await signInAt(begun.address)), redirectId: elsewhere.redirectId }],
  ],
  [
    'an attempt that was changed',
    NOT_FOR_THIS,
    async ({ begun }) => [
      `${begun.attempt.slice(0, -2)}${begun.attempt.endsWith('AA') ? 'BB' : 'AA'}`,
      await signInAt(begun.address),
    ],
  ],
  [
    'what somebody made up',
    NOT_FOR_THIS,
    async () => ['1.AAAA', { redirectId: identity.redirectId, parameters: 'code=x&state=y' }],
  ],
])('refused, with nobody added and nothing begun: %s', async (_, refusal, prepare) => {
  const [attempt, back] = await prepare({ begun: await begin(), other: await begin() })
  const count = async () =>
    (
      await api.pool.query(
        'select (select count(*) from app_user) as users, (select count(*) from app_session) as sessions',
      )
    ).rows
  const before = await count()
  const refused = await complete(attempt, back)
  expect([refused.statusCode, refused.json().code]).toEqual(refusal)
  expect(await count()).toEqual(before)
  expect(await lastAudit()).toMatchObject({ call: 'App/CompleteProviderSignIn', outcome: refusal[1] })
  const code = new URLSearchParams(back.parameters).get('code') || 'none at all'
  const told = [refused.body, JSON.stringify(await lastAudit()), api.logged.join('')].join('')
  for (const secret of [CLIENT.clientSecret, attempt, code]) expect(told).not.toContain(secret)
})

test('a provider that sends the browser on to another learns no code of it, and nobody is signed in', async () => {
  const victim = (await signIn()).json()
  const thief = elsewhere
  // The thief passes its own request on to the other provider, so the answer of that one fits the attempt at the thief.
  const asked = (await begin()).address
  thief.sendsOnTo = (theirs) => {
    const address = new URL(asked)
    for (const name of ['state', 'nonce', 'code_challenge']) address.searchParams.set(name, theirs.get(name) ?? '')
    return address.href
  }
  const { address, attempt } = await begin(otherId)
  // Many providers do not name themselves in the answer.
  const back = altered(await signInAt(address), { iss: undefined })
  expect(new URLSearchParams(back.parameters).get('code')).toMatch(/\w/)
  const broughtBefore = [identity.codesBrought, thief.codesBrought]
  const { rows: before } = await api.pool.query('select count(*) from app_session')
  const refused = await complete(attempt, back)
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'challenge_not_valid'])
  expect([identity.codesBrought, thief.codesBrought]).toEqual(broughtBefore)
  expect((await api.pool.query('select count(*) from app_session')).rows).toEqual(before)
  expect((await me(victim.accessToken)).statusCode).toBe(200)
})

test('an attempt signs in once, however often it is used at the same moment at several processes', async () => {
  const { address, attempt } = await begin()
  const back = await signInAt(address)
  const broughtBefore = identity.codesBrought
  const answers = await Promise.all([api, another, api, another].map((at) => complete(attempt, back, at)))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400])
  expect(identity.codesBrought).toBe(broughtBefore + 1)
})

test('a provider has an address of its own, which is known before it is saved and stays', async () => {
  const callbackOf = (begun: Begun) => new URL(begun.address).searchParams.get('redirect_uri')
  expect(callbackOf(await begin())).toBe(`${CALLBACK}/${identity.redirectId}`)
  expect(callbackOf(await begin(otherId))).toBe(`${CALLBACK}/${elsewhere.redirectId}`)
  const taken = await set(providerOf(elsewhere, { name: 'Thief', domains: [], redirectId: identity.redirectId }))
  expect(taken.json()).toEqual({
    code: 'provider_not_usable',
    message: 'redirectId is that of another provider.',
  })
  expect((await set(providerOf(elsewhere, { domains: [], redirectId: '../signed-in' }))).statusCode).toBe(400)
  // An existing provider keeps its address, whatever is sent.
  await set(providerOf(identity, { id: cityId, redirectId: 'another' }))
  expect(callbackOf(await begin())).toBe(`${CALLBACK}/${identity.redirectId}`)
  const made = await added(elsewhere, { name: 'Made', domains: [], redirectId: undefined })
  expect(callbackOf(await begin(made))).toMatch(/\/signed-in\/[\da-f-]{36}$/)
})

test('a provider makes nobody of a domain of another, nor whoever another provider brought', async () => {
  const mine = (await signIn()).json()
  elsewhere.next = { ...identity.next, sub: 'a thief' }
  const byDomain = await signIn(otherId)
  expect([byDomain.statusCode, byDomain.json().message]).toEqual([403, expect.stringMatching(/no domain/)])
  const taken = await set(providerOf(elsewhere, { id: otherId, name: 'Other ID', domains: ['city.example'] }))
  expect([taken.statusCode, taken.json().code]).toEqual([409, 'provider_domain_taken'])
  // The provider is refused even when its domain would fit, and whatever it calls its people.
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
  const staff = {
    name: 'Staff ID',
    customerId: null,
    domains: ['staff.example'],
    isRequired: true,
    redirectId: 'staff',
  }
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
  // The provider is reached under another name than it gives itself.
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
  const short = await startIdentityProvider()
  onTestFinished(() => short.stop())
  const id = await added(short, { name: 'Short', domains: ['short.example'] })
  short.next = somebody({ email: 'ann@short.example' })
  const { accessToken } = (await signIn(id)).json()
  expect((await me(accessToken)).statusCode).toBe(200)
  expect((await post('SignInProvider/DeleteProvider', { id }, admin)).statusCode).toBe(200)
  expect((await me(accessToken)).statusCode).toBe(401)
  expect((await post('App/GetProviderAddress', { providerId: id })).statusCode).toBe(404)
})
