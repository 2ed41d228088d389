import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type JWK } from 'oidc-provider'

type Claims = Record<string, unknown>

export const CLIENT = { clientId: 'wayside', clientSecret: 'a secret that only both know' }
/** Of `startApi`. */
export const CALLBACK = 'http://127.0.0.1:8080/signed-in'

export interface IdentityProvider {
  readonly issuer: string
  /** What it says of whoever signs in next. */
  next: Claims & { readonly sub: string }
  /** What its tokens say otherwise than they should, signed all the same. */
  forged: Claims
  readonly stop: () => Promise<void>
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A real provider of OpenID Connect, at which everybody is let in as `next`. */
export async function startIdentityProvider(callback = CALLBACK): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'only', alg: 'RS256', use: 'sig' } as JWK
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const identity: IdentityProvider = {
    issuer,
    next: { sub: 'nobody' },
    forged: {},
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const people = new Map<string, Claims & { readonly sub: string }>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['of this test'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/let-in/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => people.get(sub) ?? { sub } }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  handle = (request, response) => {
    if (request.url?.startsWith('/let-in/')) {
      const person = identity.next
      people.set(person.sub, person)
      const login = { login: { accountId: person.sub } }
      void provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false })
      return
    }
    if (request.url === '/token') forgeTokens(response, () => identity.forged, key)
    void answer(request, response)
  }
  return identity
}

function forgeTokens(response: ServerResponse, forged: () => Claims, key: JWK): void {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    if (Object.keys(forged()).length === 0 || response.statusCode !== 200) return end(body as Buffer)
    const told = JSON.parse(String(body)) as { id_token: string }
    const [head = '', content = ''] = told.id_token.split('.')
    const claims = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), ...forged() }
    const signed = `${head}.${encoded(claims)}`
    const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey({ key: key as never, format: 'jwk' }))
    const text = JSON.stringify({ ...told, id_token: `${signed}.${signature.toString('base64url')}` })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as ServerResponse['end']
}

/** As a browser goes there and comes back. @returns what the provider added to the address of the console */
export async function signInAt(address: string): Promise<string> {
  const jar = new Map<string, string>()
  let at = address
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider stopped at ${response.status}: ${await response.text()}`)
    at = new URL(location, at).href
    if (at.startsWith(CALLBACK)) return new URL(at).search.slice(1)
  }
  throw new Error('The provider leads in circles.')
}
