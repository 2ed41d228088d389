import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type JWK } from 'oidc-provider'

type Claims = Record<string, unknown>

export const CLIENT = { clientId: 'wayside', clientSecret: 'a secret that only both know' }
/** `startApi` has this address, without the part that each provider adds. */
export const CALLBACK = 'http://127.0.0.1:8080/signed-in'

export interface IdentityProvider {
  readonly issuer: string
  /** The last part of the address to which it redirects people. */
  readonly redirectId: string
  /** Its claims about the next person who signs in. */
  next: Claims & { readonly sub: string }
  /** Wrong claims in its tokens, signed all the same. */
  forged: Claims
  /** A thief's provider redirects the browser to this address, instead of signing anybody in. */
  sendsOnTo: ((asked: URLSearchParams) => string) | undefined
  codesBrought: number
  readonly stop: () => Promise<void>
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Starts a real provider of OpenID Connect, which signs everybody in as `next`.
 *
 * @param promisesIssuer false for a provider from before RFC 9207, which does not promise to name itself in redirects
 */
export async function startIdentityProvider(
  callback = `${CALLBACK}/${randomUUID()}`,
  { promisesIssuer = true } = {},
): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'only', alg: 'RS256', use: 'sig' } as JWK
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const identity: IdentityProvider = {
    issuer,
    redirectId: callback.slice(callback.lastIndexOf('/') + 1),
    next: { sub: 'nobody' },
    forged: {},
    sendsOnTo: undefined,
    codesBrought: 0,
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
    if (identity.sendsOnTo && request.url?.startsWith('/auth?')) {
      const { searchParams } = new URL(request.url, issuer)
      response.writeHead(303, { location: identity.sendsOnTo(searchParams) }).end()
      return
    }
    if (request.url === '/token') {
      identity.codesBrought += 1
      changeJson(response, (told) => forged(told, identity.forged, key))
    }
    if (request.url === '/.well-known/openid-configuration' && !promisesIssuer)
      changeJson(response, ({ authorization_response_iss_parameter_supported: _, ...told }) => told)
    void answer(request, response)
  }
  return identity
}

function changeJson(response: ServerResponse, change: (told: Claims) => Claims): void {
  const end = response.end.bind(response)
  response.end = ((body?: unknown) => {
    if (response.statusCode !== 200) return end(body as Buffer)
    const text = JSON.stringify(change(JSON.parse(String(body)) as Claims))
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as ServerResponse['end']
}

function forged(told: Claims, others: Claims, key: JWK): Claims {
  if (Object.keys(others).length === 0) return told
  const [head = '', content = ''] = String(told.id_token).split('.')
  const claims = { ...JSON.parse(Buffer.from(content, 'base64url').toString()), ...others }
  const signed = `${head}.${encoded(claims)}`
  const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey({ key: key as never, format: 'jwk' }))
  return { ...told, id_token: `${signed}.${signature.toString('base64url')}` }
}

/** The address of the console to which a provider redirected the browser, with its parameters. */
export interface CameBack {
  readonly redirectId: string
  readonly parameters: string
}

/** Follows the redirects there and back as a browser does. */
export async function signInAt(address: string): Promise<CameBack> {
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
    if (at.startsWith(CALLBACK)) {
      const { pathname, search } = new URL(at)
      return { redirectId: pathname.slice(pathname.lastIndexOf('/') + 1), parameters: search.slice(1) }
    }
  }
  throw new Error('The provider leads in circles.')
}
