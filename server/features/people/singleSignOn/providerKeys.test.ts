import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { ask } from '#server/testing/callers.ts'
import { outsideServer } from '#server/testing/outsideServer.ts'

const api = await apiTest({ config: { outboundAllow: ['127.0.0.1'] } })
const token = await api.signedIn({ username: 'admin@staff.example', functions: [1] })
const post = (path: string, body: object, by?: string) =>
  ask(api, path, { method: 'POST', body, ...(by !== undefined && { token: by }) })

const CLIENT = { clientId: 'wayside', clientSecret: 'a secret that only both know' }
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [own, foreign] = [newKey(), newKey()]
const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: 'only', alg: 'RS256', use: 'sig' })

/** The forger has keys and a place of their own. */
const elsewhere = await outsideServer(() => ({ body: { keys: [jwkOf(foreign.publicKey)] } }))

let idToken = ''
const provider = await outsideServer(({ path }) => {
  const issuer = provider.url
  if (path === '/.well-known/openid-configuration') {
    const endpoints = {
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }
    const supported = { response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] }
    return { headers: JSON_TYPE, body: { issuer, subject_types_supported: ['public'], ...endpoints, ...supported } }
  }
  if (path === '/keys') return { headers: JSON_TYPE, body: { keys: [jwkOf(own.publicKey)] } }
  return { headers: JSON_TYPE, body: { access_token: 'x', token_type: 'Bearer', id_token: idToken } }
})
const JSON_TYPE = { 'content-type': 'application/json' }

const role = await post('AppRole/SetAppRole', { name: 'Analyst', roleFunctions: [{ functionId: 5 }] }, token)
const made = await post(
  'SignInProvider/SetProvider',
  {
    name: 'City ID',
    issuer: provider.url,
    ...CLIENT,
    domains: ['city.example'],
    roleClaim: 'groups',
    roleRules: [{ value: 'analysts', roleId: role.json() }],
  },
  token,
)

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const byRsa = (key: KeyObject) => (text: string) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')

interface Forged {
  readonly header?: object
  readonly claims?: object
  readonly signature?: (text: string) => string
}

async function signIn({ header = {}, claims = {}, signature = byRsa(own.privateKey) }: Forged): Promise<number> {
  const begun = (await post('App/GetProviderAddress', { providerId: made.json(), username: 'ann@city.example' })).json()
  const { searchParams } = new URL(begun.address)
  const now = Math.floor(Date.now() / 1000)
  const told = {
    iss: provider.url,
    aud: CLIENT.clientId,
    sub: 'ann',
    nonce: searchParams.get('nonce'),
    iat: now,
    exp: now + 60,
    email: 'ann@city.example',
    email_verified: true,
    groups: ['analysts'],
    ...claims,
  }
  const text = `${encoded({ alg: 'RS256', kid: 'only', ...header })}.${encoded(told)}`
  idToken = `${text}.${signature(text)}`
  const parameters = `${new URLSearchParams({ code: 'x', state: searchParams.get('state') ?? '', iss: provider.url })}`
  const redirectId = searchParams.get('redirect_uri')?.split('/').at(-1)
  const answer = await post('App/CompleteProviderSignIn', { attempt: begun.attempt, redirectId, parameters })
  return answer.statusCode
}

test('what the provider signed by the key that it publishes, for us and for this attempt, signs somebody in', async () => {
  expect(await signIn({})).toBe(200)
})

test.each([
  ['of another key', { signature: byRsa(foreign.privateKey) }],
  [
    'whose header names keys elsewhere',
    { header: { jku: `${elsewhere.url}/keys` }, signature: byRsa(foreign.privateKey) },
  ],
  [
    'whose header brings its key along',
    { header: { jwk: jwkOf(foreign.publicKey) }, signature: byRsa(foreign.privateKey) },
  ],
  ['that nobody signed', { header: { alg: 'none' }, signature: () => '' }],
  [
    'signed by the client secret',
    {
      header: { alg: 'HS256' },
      signature: (text: string) => createHmac('sha256', CLIENT.clientSecret).update(text).digest('base64url'),
    },
  ],
  ['for another service', { claims: { aud: 'another' } }],
  ['of another attempt', { claims: { nonce: 'another' } }],
  ['of another issuer', { claims: { iss: elsewhere.url } }],
] as const)('an ID token %s signs nobody in, and nothing is asked elsewhere', async (_, forged: Forged) => {
  expect(await signIn(forged)).toBe(502)
  expect(elsewhere.requests).toEqual([])
})
